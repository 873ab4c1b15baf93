"""The home-living sample's products: what is printed, and how each picture is drawn."""

# One product a line reads best, however long the line is.
# ruff: noqa: E501

from dataclasses import dataclass

BRAND = "岚木家居 LANMU LIVING"


@dataclass(frozen=True)
class Product:
    """One product of the sample; ``look`` is (drawing, main colour, wall colour, accent colour)."""

    model: str
    name_zh: str
    name_en: str
    size: str
    material: str = ""
    colour: str = ""
    price: str = ""
    moq: str = ""
    look: tuple[str, str, str, str] | None = None

    @property
    def name(self) -> str:
        return f"{self.name_zh} {self.name_en}"


P = Product

# Price list: (section, rows). A name, material, colour or quantity equal to that above is printed as one merged cell.
PRICE_LIST: tuple[tuple[str, tuple[Product, ...]], ...] = (
    ("沙发 Sofas", (
        P("LM-S101", "诺恩单人沙发", "Norn Armchair", "860×840×780", "棉麻 白蜡木 Linen, ash", "燕麦色 Oat", "1,680.00", "20"),
        P("LM-S102", "诺恩双人沙发", "Norn Loveseat", "1580×840×780", "棉麻 白蜡木 Linen, ash", "燕麦色 Oat", "2,480.00", "20"),
        P("LM-S103", "诺恩三人沙发", "Norn 3-Seater", "2180×840×780", "棉麻 白蜡木 Linen, ash", "燕麦色 Oat", "3,280.00", "10"),
        P("LM-S110", "云屿模块沙发", "Yunyu Modular", "2860×980×720", "灯芯绒 松木 Corduroy, pine", "苔绿 Moss", "5,960.00", "5"),
        P("LM-S111", "云屿脚踏", "Yunyu Ottoman", "900×900×420", "灯芯绒 松木 Corduroy, pine", "苔绿 Moss", "1,120.00", "5"),
        P("LM-S120", "格瑞皮沙发", "Gray Leather Sofa", "2240×920×800", "头层牛皮 Top-grain leather", "焦糖 Caramel", "面议 On request", "5"),
    )),
    ("单椅 Chairs", (
        P("LM-C201", "帕洛餐椅", "Palo Dining Chair", "480×520×790", "橡木 绒布 Oak, velvet", "雾蓝 Mist blue", "468.00", "50"),
        P("LM-C202", "帕洛餐椅", "Palo Dining Chair", "480×520×790", "橡木 绒布 Oak, velvet", "陶土 Terracotta", "468.00", "50"),
        P("LM-C203", "帕洛餐椅", "Palo Dining Chair", "480×520×790", "橡木 绒布 Oak, velvet", "砂白 Sand", "468.00", "50"),
        P("LM-C210", "弧光吧椅", "Arc Bar Stool", "420×430×960", "胡桃木 Walnut", "本色 Natural", "529.00", "40"),
        P("LM-C215", "小满圆凳", "Xiaoman Stool", "Φ380×450", "山毛榉 Beech", "本色 Natural", "189.00", "100"),
        P("LM-C220", "望山休闲椅", "Wangshan Lounge", "740×790×820", "羊羔绒 Bouclé", "米白 Ivory", "1,099.00", "20"),
    )),
    ("桌几 Tables", (
        P("LM-T301", "青禾餐桌", "Qinghe Table 1.4", "1400×800×750", "橡木 Solid oak", "原木 Natural", "2,180.00", "10"),
        P("LM-T302", "青禾餐桌", "Qinghe Table 1.6", "1600×850×750", "橡木 Solid oak", "原木 Natural", "2,480.00", "10"),
        P("LM-T303", "青禾餐桌", "Qinghe Table 1.8", "1800×900×750", "橡木 Solid oak", "原木 Natural", "2,790.00", "10"),
        P("LM-T310", "涟漪圆桌", "Ripple Round Table", "Φ1200×740", "岩板 钢 Sintered stone, steel", "雪白 White", "2,960.00", "10"),
        P("LM-T320", "拾光边几", "Shiguang Side Table", "Φ450×520", "胡桃木 Walnut", "深棕 Dark brown", "398.00", "50"),
    )),
    ("柜类 Storage", (
        P("LM-G401", "竖纹边柜", "Fluted Sideboard", "1600×420×760", "白蜡木 黄铜 Ash, brass", "蜜色 Honey", "3,460.00", "10"),
        P("LM-G402", "竖纹斗柜", "Fluted Chest", "900×450×1020", "白蜡木 黄铜 Ash, brass", "蜜色 Honey", "2,690.00", "10"),
        P("LM-G403", "竖纹床头柜", "Fluted Nightstand", "500×420×520", "白蜡木 黄铜 Ash, brass", "蜜色 Honey", "880.00", "20"),
        P("LM-G410", "层叠书架", "Layer Bookcase", "960×320×1880", "松木 Pine", "墨绿 Dark green", "1,590.00", "15"),
        P("LM-G420", "折光玄关柜", "Facet Console", "1200×360×860", "岩板 Sintered stone", "浅灰 Light grey", "2,260.00", "10"),
    )),
    ("卧室 Bedroom", (
        P("LM-B501", "浮岛软床 1.5", "Float Bed 1.5", "2140×1620×1050", "科技布 Tech fabric", "雾蓝 Mist blue", "3,280.00", "5"),
        P("LM-B502", "浮岛软床 1.8", "Float Bed 1.8", "2140×1920×1050", "科技布 Tech fabric", "雾蓝 Mist blue", "3,680.00", "5"),
        P("LM-B510", "朴素木床", "Pusu Oak Bed", "2100×1860×960", "橡木 Solid oak", "原木 Natural", "4,120.00", "5"),
        P("LM-B520", "床尾凳", "Bed Bench", "1200×420×460", "羊羔绒 Bouclé", "米白 Ivory", "699.00", "20"),
    )),
)  # fmt: skip

LAMPS: tuple[Product, ...] = (
    P("LM-L601", "陶然台灯", "Taoran Table Lamp", "Φ320×460 mm", "陶瓷 亚麻 Ceramic, linen", "赭红 Ochre red", "¥ 459.00", "30", ("table_lamp", "#A6503A", "#EAD9CC", "#E9C79A")),
    P("LM-L602", "陶然台灯", "Taoran Table Lamp", "Φ320×460 mm", "陶瓷 亚麻 Ceramic, linen", "松绿 Pine green", "¥ 459.00", "30", ("table_lamp", "#4F6F60", "#DCE2D6", "#E9C79A")),
    P("LM-L610", "穹顶吊灯", "Dome Pendant", "Φ450×260 mm", "铝 Aluminium", "瓷白 Porcelain", "¥ 599.00", "20", ("pendant", "#F1E9DC", "#7F9384", "#C79A63")),
    P("LM-L611", "穹顶吊灯", "Dome Pendant", "Φ450×260 mm", "铝 Aluminium", "哑黑 Matt black", "¥ 599.00", "20", ("pendant", "#3A3835", "#D9CDBB", "#C79A63")),
    P("LM-L620", "三星吊灯", "Trio Globe Pendant", "Φ700×900 mm", "玻璃 黄铜 Glass, brass", "乳白 Opal", "¥ 1,280.00", "10", ("globe_pendant", "#E8DDC8", "#B9A58C", "#C79A63")),
    P("LM-L630", "三脚落地灯", "Tripod Floor Lamp", "Φ480×1520 mm", "橡木 棉麻 Oak, linen", "原木 Natural", "¥ 890.00", "15", ("floor_lamp", "#E4CDA8", "#DDE0DA", "#A9773F")),
)  # fmt: skip

VASES: tuple[Product, ...] = (
    P("LM-V701", "山口细颈瓶", "Yamaguchi Bottle Vase", "Φ160 × H300 mm", price="¥ 138.00", look=("bottle_vase", "#4E7466", "#DFE5DB", "#C79A63")),
    P("LM-V702", "满月花器", "Full Moon Vase", "Φ260 × H270 mm", price="¥ 218.00", look=("moon_vase", "#D3A03E", "#EFE5D0", "#C79A63")),
    P("LM-V703", "素胎陶罐", "Bisque Jar", "Φ220 × H250 mm", price="¥ 168.00", look=("jar", "#E7DCCB", "#B89A80", "#C79A63")),
    P("LM-V704", "赤陶花瓶", "Terracotta Vase", "Φ180 × H320 mm", price="¥ 149.00", look=("vase", "#B4552D", "#EBD7C6", "#C79A63")),
    P("LM-V705", "深海大碗", "Deep Sea Bowl", "Φ320 × H140 mm", price="¥ 196.00", look=("bowl", "#2F4D68", "#D3DEE5", "#C79A63")),
    P("LM-V706", "拾绿花盆", "Shilv Planter", "Φ240 × H230 mm", price="¥ 126.00", look=("planter", "#E8DFD2", "#C7AA8B", "#C79A63")),
)  # fmt: skip

DECOR: tuple[Product, ...] = (
    P("LM-D801", "圆镜", "Round Mirror", "", price="¥ 329.00", look=("mirror", "#B07B45", "#E6D3C5", "#C79A63")),
    P("LM-D802", "时序挂钟", "Shixu Wall Clock", "", price="¥ 189.00", look=("clock", "#34404C", "#D9D2C6", "#B4552D")),
    P("LM-D803", "黄铜烛台", "Brass Candlesticks", "", price="¥ 256.00", look=("candles", "#B98D45", "#6F8475", "#C79A63")),
    P("LM-D804", "条纹抱枕", "Stripe Cushion", "", price="¥ 79.00", look=("cushion", "#F1EADF", "#B96F50", "#B4552D")),
    P("LM-D805", "松烟抱枕", "Pine Smoke Cushion", "", price="¥ 79.00", look=("cushion", "#5C7568", "#E5E2D5", "#E4D3A5")),
    P("LM-D806", "山居茶具", "Shanju Tea Set", "", price="¥ 368.00", look=("tea_set", "#6A4A3C", "#E3D6C4", "#8A5B38")),
    P("LM-D807", "白瓷果碗", "Porcelain Bowl", "", price="¥ 98.00", look=("bowl", "#EFE9DF", "#8FA5B0", "#C79A63")),
    P("LM-D808", "黛蓝花瓶", "Indigo Vase", "", price="¥ 159.00", look=("vase", "#3B4F74", "#D8DCE4", "#C79A63")),
    P("LM-D809", "粉釉圆瓶", "Blush Glaze Vase", "", price="¥ 208.00", look=("moon_vase", "#D8A394", "#F0E1DA", "#C79A63")),
)  # fmt: skip

SEATS: tuple[Product, ...] = (
    P("LM-E901", "暖阳双人沙发", "Sunny Loveseat", "W1620 × D860 × H800 mm", colour="姜黄 Mustard", price="¥ 2,680.00", moq="10 件", look=("sofa", "#D0A03A", "#ECE3CF", "#B4552D")),
    P("LM-E902", "林间单人椅", "Forest Armchair", "W820 × D800 × H820 mm", colour="森绿 Forest green", price="¥ 1,460.00", moq="20 件", look=("armchair", "#587A68", "#DDE3D8", "#C79A63")),
    P("LM-E903", "海盐餐椅", "Sea Salt Chair", "W470 × D530 × H800 mm", colour="海盐蓝 Salt blue", price="¥ 486.00", moq="50 件", look=("dining_chair", "#44627C", "#D6DFE5", "#C79A63")),
    P("LM-E904", "奶油圆凳", "Cream Stool", "Φ400 × H460 mm", colour="奶油 Cream", price="¥ 239.00", moq="50 件", look=("stool", "#EFE6D8", "#BFA183", "#B98850")),
    P("LM-E905", "回声边几", "Echo Side Table", "Φ460 × H540 mm", colour="砂岩 Sandstone", price="¥ 429.00", moq="30 件", look=("side_table", "#D9C4A6", "#93A394", "#7A5036")),
    P("LM-E906", "杏仁圆桌", "Almond Round Table", "Φ1100 × H740 mm", colour="杏仁 Almond", price="¥ 1,890.00", moq="10 件", look=("round_table", "#C98F72", "#F0DFD5", "#9C6B45")),
)  # fmt: skip

OUTDOOR: tuple[tuple[str, ...], ...] = (
    ("LM-H101", "沐风户外椅 Breeze Chair", "560×610×820", "柚木 编绳 Teak, rope", "炭灰 Charcoal", "7.8", "2 件/箱", "639.00", "40"),
    ("LM-H102", "沐风户外沙发 Breeze Sofa", "1480×760×780", "柚木 编绳 Teak, rope", "炭灰 Charcoal", "24.5", "1 件/箱", "2,290.00", "10"),
    ("LM-H103", "沐风户外茶几 Breeze Coffee Table", "1100×600×380", "柚木 Teak", "原木 Natural", "15.2", "1 件/箱", "1,150.00", "15"),
    ("LM-H110", "礁石户外餐桌 Reef Table 1.8", "1800×900×740", "水泥 钢 Concrete, steel", "浅灰 Light grey", "62.0", "1 件/箱", "3,980.00", "5"),
    ("LM-H111", "礁石户外餐桌 Reef Table 2.2", "2200×1000×740", "水泥 钢 Concrete, steel", "浅灰 Light grey", "78.5", "1 件/箱", "4,760.00", "5"),
    ("LM-H120", "树影躺椅 Shade Lounger", "1980×680×340", "铝 特斯林 Aluminium, Textilene", "白 White", "13.6", "1 件/箱", "1,380.00", "20"),
    ("LM-H121", "树影遮阳伞 Shade Parasol", "Φ3000×2500", "铝 涤纶 Aluminium, polyester", "米色 Beige", "18.0", "1 套/箱", "1,099.00", "20"),
    ("LM-H130", "萤火庭院灯 Firefly Lantern", "Φ220×380", "铁 玻璃 Iron, glass", "哑黑 Matt black", "2.4", "4 件/箱", "268.00", "60"),
    ("LM-H131", "萤火草坪灯 Firefly Bollard", "Φ120×650", "铝 Aluminium", "哑黑 Matt black", "1.9", "6 件/箱", "219.00", "60"),
)  # fmt: skip

TEXTILES: tuple[tuple[str, ...], ...] = (
    ("LM-R201", "羊毛地毯", "1600×2300", "羊毛", "米灰", "1,280.00"),
    ("LM-R202", "羊毛地毯", "2000×2900", "羊毛", "米灰", "1,960.00"),
    ("LM-R210", "黄麻编织毯", "1600×2300", "黄麻", "本色", "690.00"),
    ("LM-R220", "针织盖毯", "1300×1700", "棉", "陶土", "239.00"),
    ("LM-R230", "亚麻窗帘", "1400×2600", "亚麻", "砂白", "359.00"),
    ("LM-R240", "棉质浴巾", "700×1400", "长绒棉", "雾蓝", "68.00"),
)  # fmt: skip

HERO: tuple[tuple[str, str, str], ...] = (
    ("model", "型号 Model", "LM-A1001"),
    ("product_name", "品名 Product", "望云休闲椅 Wangyun Lounge Chair"),
    ("size", "尺寸 Size", "W820 × D860 × H880 mm"),
    ("material", "材质 Material", "羊羔绒、白蜡木 Bouclé, solid ash"),
    ("color", "颜色 Colour", "赤陶 Terracotta"),
    ("weight", "重量 Weight", "18.5 kg"),
    ("packing", "包装 Packing", "1 件/箱 1 pc per carton"),
    ("moq", "起订量 MOQ", "20 件 pcs"),
    ("price", "价格 Price", "¥ 2,380.00"),
)
HERO_LOOK = ("armchair", "#B9603C", "#EAD8C8", "#B98850")
