"""The categories that a fresh database knows: what their catalogues print beside the base attributes, and under which
labels. Written from the labels of price lists and data sheets in both languages; editable in the admin afterwards."""

from typing import Any


def _attribute(key: str, zh: str, en: str, *synonyms: str, **further: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {"key": key, "label_zh": zh, "label_en": en}
    return {**entry, **({"synonyms": list(synonyms)} if synonyms else {}), **further}


def _measure(key: str, zh: str, en: str, *synonyms: str, unit: str) -> dict[str, Any]:
    return _attribute(key, zh, en, *synonyms, type="measure", unit=unit)


# What traders print on goods of any kind.
TRADE = (
    _attribute("barcode", "条码", "Barcode", "条形码", "国际条码", "EAN", "EAN code", "UPC", "UPC code", "GTIN"),
    _attribute("hs_code", "海关编码", "HS code", "HS编码", "商品编码", "Tariff code"),
    _attribute("certification", "认证", "Certification", "证书", "认证证书", "Certificates", "Approvals", "Standard"),
    _attribute("origin", "产地", "Origin", "原产地", "Country of origin", "Made in"),
    _attribute("lead_time", "交期", "Lead time", "交货期", "货期", "Delivery time", "Production time"),
    _attribute("warranty", "质保", "Warranty", "保修", "保修期", "质保期", "Guarantee"),
)
FURNITURE = (
    _measure("seat_height", "座高", "Seat height", "坐高", "座面高", "SH", unit="mm"),
    _measure("arm_height", "扶手高", "Arm height", "扶手高度", "AH", unit="mm"),
    _attribute("frame", "框架", "Frame", "框架材质", "架体", "Frame material", "Base", "Legs", "脚架", "底架"),
    _attribute("upholstery", "面料", "Upholstery", "布料", "皮革", "饰面材料", "Fabric", "Leather", "Cover", "COM"),
    _attribute("finish", "表面处理", "Finish", "饰面", "涂装", "油漆", "Surface", "Surface finish"),
    _attribute("filling", "填充物", "Filling", "海绵", "填充", "Foam", "Cushion"),
    _measure("volume", "体积", "Volume", "包装体积", "CBM", "立方数", unit="m3"),
    _attribute("assembly", "组装", "Assembly", "安装方式", "KD", "Knock-down"),
    _attribute("loading", "装柜量", "Loading quantity", "装柜数", "40HQ", "40'HQ", "20GP", "Qty/40HQ"),
)
LIGHTING = (
    _measure("power", "功率", "Power", "额定功率", "Wattage", "Rated power", "W", unit="W"),
    _measure("luminous_flux", "光通量", "Luminous flux", "流明", "Lumen", "Lumens", "Lumen output", unit="lm"),
    _measure("color_temperature", "色温", "Colour temperature", "CCT", "Color temperature", "光色", unit="K"),
    _attribute("color_rendering", "显色指数", "CRI", "显指", "Ra", "Color rendering index"),
    _measure("beam_angle", "光束角", "Beam angle", "发光角度", "照射角度", unit="°"),
    _measure("voltage", "电压", "Voltage", "输入电压", "工作电压", "Input voltage", "Input", unit="V"),
    _attribute("socket", "灯头", "Lamp holder", "灯座", "接口", "Socket", "Lamp base", "Cap"),
    _attribute("light_source", "光源", "Light source", "LED芯片", "LED chip", "Chip"),
    _attribute("ip_rating", "防护等级", "IP rating", "IP等级", "防水等级", "IP", "Protection", "Protection class"),
    _measure("cut_out", "开孔尺寸", "Cut-out", "开孔", "Cutout", "Hole size", "Cut out", unit="mm"),
    _measure("lifetime", "寿命", "Lifetime", "使用寿命", "Lifespan", "Life span", unit="h"),
    _attribute("dimming", "调光", "Dimming", "调光方式", "Dimmable", "Driver"),
)
ELECTRONICS = (
    _attribute("package", "封装", "Package", "封装形式", "Package type", "Case", "Footprint"),
    _attribute("pins", "引脚数", "Pins", "管脚数", "脚数", "Pin count", "No. of pins"),
    _measure("supply_voltage", "工作电压", "Supply voltage", "电源电压", "供电电压", "VCC", "VDD", "Vin", unit="V"),
    _measure("current", "电流", "Current", "工作电流", "额定电流", "Rated current", "Io", "Iout", unit="A"),
    _attribute(
        "temperature_range", "工作温度", "Operating temperature", "温度范围", "Temperature range", "Temp. range"
    ),
    _attribute("tolerance", "精度", "Tolerance", "误差", "允许偏差", "Accuracy"),
    _measure("frequency", "频率", "Frequency", "主频", "工作频率", "Max. CPU speed", "Clock", unit="Hz"),
    _attribute("memory", "存储器", "Memory", "RAM", "SRAM"),
    _attribute("flash", "闪存", "Flash", "程序存储", "ROM", "Flash size"),
    _attribute("interface", "通信接口", "Interface", "通讯接口", "Interfaces", "Bus"),
    _measure("capacity", "容量", "Capacity", "额定容量", "Nominal capacity", unit="mAh"),
    _attribute("reel", "盘装数量", "Reel quantity", "卷装数量", "Qty/Reel", "SPQ", "最小包装"),
)
APPAREL = (
    _attribute("sizes", "尺码", "Sizes", "码数", "尺码范围", "Size range", "Size run"),
    _attribute(
        "composition", "成分", "Composition", "面料成分", "成份", "Fabric composition", "Fibre content", "Content"
    ),
    _measure("fabric_weight", "克重", "Fabric weight", "面料克重", "GSM", "g/m2", "g/㎡", unit="g/m2"),
    _attribute("fit", "版型", "Fit", "廓形", "款型", "Silhouette"),
    _attribute("gender", "性别", "Gender", "适用性别", "适用人群", "For"),
    _attribute("season", "季节", "Season", "适用季节", "上市季节"),
    _attribute("lining", "里料", "Lining", "里布", "内里"),
    _attribute("care", "洗涤", "Care", "洗涤方式", "洗护", "Washing", "Care instructions"),
    _attribute("print", "工艺", "Decoration", "印花", "绣花", "Print", "Embroidery"),
)
KITCHENWARE = (
    _measure("diameter", "直径", "Diameter", "口径", "Dia", "Dia.", "Ø", "Φ", unit="cm"),
    _measure("volume", "容积", "Volume", "容量", "Capacity", "Litres", "Ltr", unit="L"),
    _measure("thickness", "厚度", "Thickness", "板厚", "底厚", "Gauge", "Wall thickness", unit="mm"),
    _attribute("coating", "涂层", "Coating", "内涂层", "外涂层", "Non-stick coating", "Inner coating"),
    _attribute("lid", "锅盖", "Lid", "盖子", "Cover", "Lid material"),
    _attribute("handle", "手柄", "Handle", "把手", "手柄材质", "Handles"),
    _attribute("heat_source", "适用炉灶", "Heat source", "适用热源", "炉灶", "Suitable for", "Hob", "Induction"),
    _attribute("dishwasher", "洗碗机", "Dishwasher safe", "可入洗碗机", "Dishwasher"),
    _attribute("set_pieces", "套装件数", "Pieces in set", "件数", "件套", "Set", "Pcs/set"),
)
HARDWARE = (
    _attribute("standard", "标准", "Product standard", "执行标准", "DIN", "ISO", "GB"),
    _attribute("thread", "螺纹", "Thread", "螺纹规格", "牙型", "Thread size"),
    _measure("length", "长度", "Length", "长", "L", "L (mm)", unit="mm"),
    _measure("diameter", "直径", "Diameter", "外径", "内径", "d", "D", "Ø", unit="mm"),
    _attribute("grade", "强度等级", "Strength grade", "性能等级", "等级", "Grade", "Property class"),
    _attribute("surface", "表面处理", "Surface", "镀层", "电镀", "Finish", "Plating", "Coating"),
    _attribute("drive", "槽型", "Drive", "头型", "Head", "Head type", "Recess"),
    _measure("load", "承重", "Load", "载重", "额定载荷", "Load capacity", "Max. load", unit="kg"),
    _attribute("pieces", "每盒数量", "Pieces per box", "数量/盒", "Pcs/box", "PCS/CTN", "箱装数"),
)
REVIEWED = {"severity": "error", "action": "review"}

# key, Chinese and English name, parent, attributes, rules. A parent stands before its children.
CATEGORIES: tuple[tuple[str, str, str, str, tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]], ...] = (
    ("general", "通用", "General", "", (), ()),
    ("home", "家居", "Home", "general", (), ()),
    ("furniture", "家具", "Furniture", "home", (*TRADE, *FURNITURE), (
        {"rule": "range_check", "field": "seat_height", "min": 10, "max": 1200},
        {"rule": "required_field", "field": "size"},
    )),
    ("lighting", "灯具", "Lighting", "home", (*TRADE, *LIGHTING), (
        {"rule": "range_check", "field": "color_temperature", "min": 1000, "max": 20000, **REVIEWED},
        {"rule": "regex_match", "field": "ip_rating", "pattern": r"(IP)?\s*[0-6X]{2}[A-Z]?.*"},
    )),
    ("kitchenware", "厨具", "Kitchenware", "home", (*TRADE, *KITCHENWARE), (
        {"rule": "range_check", "field": "diameter", "min": 1, "max": 2000},
    )),
    ("electronics", "电子元器件", "Electronic components", "general", (*TRADE, *ELECTRONICS), (
        {"rule": "required_field", "field": "model", **REVIEWED},
    )),
    ("apparel", "服装", "Apparel", "general", (*TRADE, *APPAREL), (
        {"rule": "range_check", "field": "fabric_weight", "min": 5, "max": 2000},
    )),
    ("hardware", "五金", "Hardware", "general", (*TRADE, *HARDWARE), ()),
)  # fmt: skip
