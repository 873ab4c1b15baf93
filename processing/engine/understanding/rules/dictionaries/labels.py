"""Printed column heads and field labels, by the attribute key they stand for.

``EXACT``: the whole label (folded, without unit and punctuation). ``HEADS``: the last word of a longer label decides
("net weight", "外形尺寸"). Labels of identities have no heads: "file name" and "register name" name no product.
"""

EXACT: dict[str, tuple[str, ...]] = {
    "model": (
        "商品型号", "机器型号", "产品机型", "型号名称", "产品规格型号", "model/item",
        "model", "models", "model no", "model number", "model name", "model code", "item no", "item number",
        "item code", "item id", "item #", "item ref", "article", "article no", "article number", "article code",
        "art no", "art", "art nr", "part no", "part number", "part code", "part #", "p/n", "pn", "mpn",
        "product code", "product no",
        "product number", "product id", "product ref", "sku", "sku no", "sku code", "style no", "style number",
        "cat ref", "catalogue ref", "catalog ref",
        "stock no", "stock code", "order code", "order no", "order number", "ordering code", "orderable part number",
        "ordering part number", "catalog no", "catalogue no", "catalog number", "cat no", "ref", "ref no",
        "reference no", "product model", "type no", "model/type", "device", "part",
        "型号", "产品型号", "规格型号", "型号规格", "型号/规格", "规格/型号", "货号", "产品货号", "款号", "产品编号",
        "产品编码", "产品代码", "商品编号", "商品编码", "商品货号", "物料编码", "物料编号", "物料号", "订货号",
        "订货型号",
        "订货编号", "订货代码", "订购代码", "订购型号", "订单型号", "订购零件号", "订货零件号", "订购料号", "订购编号",
        "图号", "料号", "品号", "机型", "芯片型号", "设备型号", "零件号",
        "存货编码", "货品编号", "货品编码", "货品型号",
        "pro code", "prod code", "prod no", "prod id", "prd code", "pdt code", "itm code", "itemcode", "p.code",
    ),
    "product_name": (
        "product", "products", "product name", "products name", "name of the product", "name of products",
        "item name", "item description", "name of product", "product title",
        "name of item", "name of article", "name of goods",
        "name of commodity", "commodity", "commodity name", "goods", "goods name", "article name",
        "product description", "description of goods", "product/description", "item/description",
        "品名", "产品名称", "商品名称", "货品名称", "物品名称", "货物名称", "产品品名", "品名称", "产品", "商品",
        "品种", "商品名", "製品名", "品项", "货名",
        "intermediate", "intermediates", "chemical name", "name of chemical", "compound name", "化学名", "化学名称",
        "中间体", "中间体名称", "化合物名称", "通用名", "通用名称",
        "garment", "furniture", "灯具名称", "家具", "工具名称", "器具名称", "款名", "款式名称",
        "物料名称", "设备名称", "中文品名", "英文品名", "存货名称", "家具名称", "菜品", "产品类别名称",
    ),
    "brand": ("brand", "brand name", "make", "manufacturer", "trademark", "品牌", "商标", "牌子", "厂牌"),
    "series": (
        "series", "collection", "range", "family", "product line", "product family", "product series", "系列",
        "产品系列", "所属系列",
    ),
    "size": (
        "整机尺寸", "外观尺寸", "body size", "成品尺寸", "产品外形尺寸", "整体尺寸", "机器尺寸", "设备尺寸", "主机尺寸",
        "封装尺寸", "塑体尺寸", "家具尺寸", "模组尺寸", "模块尺寸",
        "external dimensions", "boundary dimensions", "main dimensions", "principal dimensions", "主要尺寸",
        "assembled dimensions", "item size", "item dimensions", "overall dimension",
        "dimensions overall",
        "overall dimensions", "overall size", "product dimensions", "product size", "outer dimensions",
        "outside dimensions",
        "size", "sizes", "dimension", "dimensions", "dim", "dims", "measurement", "measurements", "l x w x h",
        "length x width x height", "width x depth x height", "depth x width x height",
        "lxwxh", "w x d x h", "wxdxh", "l*w*h", "w*d*h", "w x h x d", "wxhxd", "h x w x d", "hxwxd", "l x w", "lxw",
        "l.w.h",
        "尺寸", "规格尺寸", "外形尺寸", "产品尺寸", "外型尺寸", "长宽高", "长*宽*高", "长x宽x高", "规格mm", "尺码",
        "直径", "inside size", "inside dimensions", "internal dimensions", "inner size", "内尺寸", "内径尺寸",
        "diameter", "nominal diameter", "nominal size", "口径", "通径", "公称通径", "公称直径",
        "长×宽×高", "产品规格尺寸",
    ),
    "material": (
        "product material", "main material", "产品材质", "主体材质", "主材", "材质/颜色", "产品材料", "主要材料",
        "material", "materials", "fabric", "composition", "材质", "材料", "面料", "材质说明", "主要材质", "用料",
        "质地",
        "成分", "成份", "面料成分", "材质成分", "面料材质", "fabric content", "fabric composition", "housing",
        "housing material",
        "construction", "shell material", "外壳材质", "壳体材质", "灯体材质", "机身材质",
        "阀体材质", "阀体材料", "箱体材质", "柜体材质", "杯身材质",
        "body material", "frame material", "质料", "板材", "板材材质",
    ),
    "color": (
        "product color", "product colour", "available colors", "产品颜色", "颜色/花色", "可选颜色",
        "color", "colour", "colors", "colours", "finish", "color/finish", "颜色", "色彩", "花色", "色号", "颜色分类",
        "饰面", "釉色", "外观颜色", "colorway", "colourway",
    ),
    "price": (
        "price", "unit price", "unit cost", "list price", "list", "retail price", "net price", "price/unit",
        "price each",
        "whsl", "whsl price",
        "fob price", "fob", "exw", "exw price", "cif price", "msrp", "rrp", "wholesale price", "selling price",
        "価格", "単価", "wsp", "wholesale", "trade", "retail", "net price each", "price ex vat", "ex vat", "inc vat",
        "mrp", "m.r.p", "maximum retail price", "reserve",
        "bill amount", "rate", "cost", "unit rate", "价格", "单价", "售价", "零售价", "批发价", "出厂价", "含税单价",
        "未税单价", "含税价", "不含税价", "建议零售价", "市场价", "优惠价", "报价", "参考价", "定价", "标价",
        "会员价",
        "现价", "特价", "促销价", "活动价", "折后价", "到手价",
        "指导价", "供货价", "结算价", "面价", "经销价", "代理价", "一口价",
    ),
    "currency": ("currency", "curr", "币种", "货币"),
    "unit": ("unit", "units", "uom", "unit of measure", "单位", "计量单位", "销售单位"),
    "moq": (
        "moq", "m.o.q", "minimum order", "min order", "minimum order quantity", "minimum order qty", "min order qty",
        "起订", "起订量", "最小起订", "最小起订量", "起批量", "最低起订量", "最小订购量", "最小订单量",
    ),
    "weight": (
        "产品净重", "单件重量", "机器重量", "设备重量", "整机净重", "单件净重", "product weight", "item weight",
        "weight", "net weight", "gross weight", "n.w", "g.w", "nw", "gw", "shipping weight", "unit weight",
        "wt", "wgt", "net wt", "gross wt", "n.wt", "g.wt", "ship wt", "shipping wt", "unit wt", "重量",
        "mass", "净重", "毛重", "毛净重", "净毛重", "毛/净重", "净/毛重", "克重", "单重", "整机重量", "产品重量",
    ),
    "packing": (
        "packing", "package", "packaging", "packing qty", "pack", "pack size", "carton", "carton qty", "qty/ctn",
        "pcs/ctn", "pcs/carton", "case pack", "inner pack", "packing size", "carton size", "box", "box qty", "qty/box",
        "pcs/box", "per box", "box quantity", "packing unit", "pack qty", "packed", "master carton", "outer carton",
        "carton quantity", "case qty", "case quantity",
        "包装", "包装方式", "装箱数", "装箱数量", "每箱装", "装箱量", "箱规", "包装规格", "外箱尺寸", "包装尺寸",
        "外箱", "内箱", "内盒", "外箱规格", "纸箱尺寸", "装箱尺寸", "carton dimensions", "carton dimension", "ctn size",
        "outer carton size", "master carton size",
        "件/箱", "每箱数量", "装箱", "箱装",
        "包装数量", "内包装", "外包装",
    ),
    "description": (
        "features", "feature", "function", "details", "specification", "specifications", "spec", "specs",
        "产品描述", "产品说明", "特点", "产品特点", "参数", "技术参数", "产品参数", "产品简介", "详细说明",
        "产品介绍",
        "应用场景", "用途", "适用范围",
    ),
}  # fmt: skip

# Heads: whatever stands before them only narrows the same thing. Sizes, materials and colours have none: "leg
# material", "安装尺寸" and "适用型号" are facts about a part or about another product.
HEADS: dict[str, tuple[str, ...]] = {
    "brand": ("品牌",),
    "price": ("price", "价格", "单价", "价"),
    "moq": ("moq", "起订量"),
}

# Words that end as labels of prices do, and name none.
NO_PRICES = ("评价", "差价", "造价", "物价", "议价", "询价", "总价", "加价", "估价", "计价", "廉价", "运价")

# Words at one of several prices: it holds now, it held before, or it is what others take.
PRICE_NOW = (
    "now", "now only", "sale", "sale price", "special", "special price", "special offer", "offer", "offer price",
    "our price", "your price", "promo", "promo price", "promotion price", "promotional price", "new price",
    "discount price", "discounted price", "deal", "deal price", "现价", "特价", "促销价", "活动价", "优惠价", "折后价",
    "折扣价", "到手价", "秒杀价", "抢购价", "限时价", "券后价", "惊喜价", "新价",
)  # fmt: skip
PRICE_BEFORE = (
    "was", "before", "old price", "original price", "regular price", "reg", "regular", "previous price",
    "previously", "原价", "原售价", "划线价", "旧价", "日常价",
)  # fmt: skip
PRICE_LISTED = (
    "rrp", "msrp", "srp", "list price", "list", "retail", "retail price", "compare at", "市场价", "吊牌价", "门市价",
    "专柜价", "建议零售价", "零售价",
)  # fmt: skip

# First words that make the whole label a price ("FOB Lenoir", "EXW Ningbo").
PRICE_LEADS = (
    "fob", "exw", "cif", "ddp", "cfr", "fca", "mrp", "m.r.p.", "unit price",
    "list price", "net price", "trade price", "price by",
    "prices by", "price per", "prices per", "price in", "prices in", "price ex", "price fob", "price incl",
)  # fmt: skip

# One dimension of a product each; neighbouring columns of this kind together are its size.
SIZE_PARTS = (
    "length", "width", "height", "depth", "w", "d", "h", "l", "长", "宽", "高", "深", "长度", "宽度", "高度", "深度",
    "厚", "厚度", "thickness", "lenght", "widht", "heigth", "hight", "hieght",
)  # fmt: skip

# Labels of a material, or of how a thing is made: "Construction: solid oak", "Construction: cold-cement".
MATERIAL_OR_MAKE = ("construction",)

# Labels whose meaning only the values below them tell.
NAME_OR_TEXT = (
    "description", "descriptions", "name", "名称", "描述", "desc", "title", "item & description",
    "particulars",
    # Over a column of them; in the list of one product they say what it takes: "Lamp: E27, max 40 W".
    "lamp", "luminaire", "light fitting", "fixture", "bulb", "tool", "machine", "灯具", "工具", "机器", "器具",
)  # fmt: skip
CODE_OR_NUMBER = (
    "code", "codes", "item", "items", "no", "number", "id", "编号", "编码", "代码", "代号", "号码", "#", "type",
    "part id",
    "item/ref", "style", "design", "pattern", "款式",
    "lot #", "lot no", "lot number",
)  # fmt: skip
SIZE_OR_TEXT = ("规格", "規格", "spec/size", "规格参数", "产品规格", "型式")

ROW_NUMBER = ("s/n", "sn", "s no", "sr no", "sl no", "line", "line no", "no", "序号", "序", "项次", "行号", "项号", "#")
PICTURE = (
    "picture", "pictures", "photo", "photos", "image", "images", "pic", "product photo", "product picture",
    "product image", "图片", "图", "产品图片", "产品图", "实物图", "照片", "图样", "示意图", "效果图", "缩略图",
    "图例", "图示", "商品图", "商品图片", "产品照片", "商品照片", "照片图",
)  # fmt: skip
BARCODE = (
    "upc", "upc code", "ean", "ean code", "ean13", "gtin", "barcode", "bar code", "条码", "条形码", "商品条码",
    "国际条码",
)  # fmt: skip
SUBSTANCE = ("cas", "cas no", "cas number", "cas rn", "cas registry number", "cas号", "cas编号", "cas登记号")
QUANTITY = (
    "qty", "quantity", "total qty", "total quantity", "item quantity", "pcs", "order qty", "数量", "总数量", "件数",
    "采购数量", "数量(件)", "注文数", "注文数量", "order quantity", "ordered qty", "ordered quantity", "qty ordered",
    "quantity ordered", "ordered", "your order", "订货数量", "订购数量",
)  # fmt: skip
EXTRA = (
    "remark", "remarks", "note", "notes", "comment", "comments", "备注", "说明", "amount", "total", "total amount",
    "金额", "合计", "小计", "总价", "discount", "category", "类别", "分类", "产地", "origin", "barcode", "cbm",
    "volume",
    "体积", "warranty", "power", "voltage", "功率", "电压", "封装", "capacity", "容量", "库存", "stock", "location",
    "hs code", "handling rate", "color box", "colour box", "carton box", "gift box", "彩盒", "彩盒尺寸",
    "产品类别", "lead time", "交期", "cubic feet",
)  # fmt: skip

# Ends of longer labels of such tables ("采样引脚").
NOT_PRODUCTS_ENDS = ("引脚", "管脚", "寄存器", " pin", " pins", " register")

# Heads of tables that describe one device, an account or a document, never a list of products.
NOT_PRODUCTS = (
    "bit", "bits", "bit field", "field", "register", "address", "addr", "offset", "reset", "reset value", "r/w", "rw",
    "access", "default", "default value", "min", "typ", "max", "min.", "typ.", "max.", "minimum", "typical",
    "maximum", "symbol", "parameter", "parameters", "test condition", "test conditions", "condition", "conditions",
    "pin", "pin no", "pin name", "pin number", "signal", "function description", "balance", "debit", "credit",
    "dr.amt", "cr.amt", "dr amt", "cr amt", "voucher", "vr.no", "vr.date", "vr no", "vr date", "date",
    "year", "revision", "rev", "version", "author", "page", "chapter", "section", "contents", "claim id",
    "action taken", "document name", "document type", "question", "answer", "step", "interrupt",
    "limits", "limit", "rating", "value",
    "位", "位域", "寄存器", "寄存器名称", "地址", "偏移", "偏移地址", "复位值", "读写", "读/写", "访问", "默认值",
    "默认",
    "最小值", "典型值", "最大值", "最小", "典型", "最大", "符号", "参数说明", "测试条件", "条件", "引脚", "引脚号",
    "引脚名称",
    "引脚说明", "管脚", "管脚号", "管脚名称", "管脚名", "脚位", "信号", "功能描述", "余额", "借方", "贷方", "日期",
    "年份",
    "年度", "版本", "版本号", "修订", "修订内容", "修改内容", "修订日期", "作者", "页码", "章节", "目录", "项目",
    "本期金额",
    "上期金额", "本期", "上期", "期末余额", "年初余额", "本报告期", "比例", "持股比例", "股东名称", "期末", "期初",
    "步骤",
    "中断", "中断号", "复用功能", "极限值", "数值", "检测项目", "检验项目", "试验项目", "测试项目", "要求", "标准",
    "姓名",
    "部门", "职务", "电话", "审批", "编制", "审核", "批准", "指令", "操作码", "助记符", "字节", "命令",
)  # fmt: skip
