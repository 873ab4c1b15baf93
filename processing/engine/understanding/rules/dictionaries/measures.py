"""Currencies and units as printed, with their ISO or SI name; materials and colours as they stand in captions."""

CURRENCIES: dict[str, str] = {
    "us$": "USD", "usd": "USD", "u.s.$": "USD", "hk$": "HKD", "hkd": "HKD", "nt$": "TWD", "twd": "TWD", "s$": "SGD",
    "sgd": "SGD", "a$": "AUD", "aud": "AUD", "c$": "CAD", "cad": "CAD", "rmb": "CNY", "cny": "CNY", "人民币": "CNY",
    "eur": "EUR", "gbp": "GBP", "jpy": "JPY", "krw": "KRW", "inr": "INR", "rs.": "INR", "chf": "CHF", "thb": "THB",
    "vnd": "VND", "myr": "MYR", "rm": "MYR", "aed": "AED", "$": "USD", "€": "EUR", "£": "GBP", "¥": "CNY", "￥": "CNY",
    "₩": "KRW", "₹": "INR", "฿": "THB", "美元": "USD", "欧元": "EUR", "港币": "HKD", "日元": "JPY", "円": "JPY",
    "元": "CNY", "r$": "BRL", "ar$": "ARS", "mx$": "MXN", "rd$": "DOP", "cl$": "CLP", "nz$": "NZD", "au$": "AUD",
    "ca$": "CAD", "u$s": "USD", "u$d": "USD", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₪": "ILS", "₱": "PHP", "₫": "VND",
    "₦": "NGN", "₸": "KZT", "₡": "CRC", "৳": "BDT",
}  # fmt: skip

# Those that stand behind an amount, or before it with a space: without one their letters begin codes ("SAR500").
CURRENCY_CODES: dict[str, str] = {
    code: code.upper()
    for code in (
        "ars", "brl", "mxn", "clp", "uyu", "pln", "czk", "huf", "ron", "bgn", "sek", "nok", "dkk", "rub", "uah", "kzt",
        "zar", "idr", "pkr", "lkr", "bdt", "sar", "qar", "kwd", "egp", "ils", "nzd", "ngn", "kes", "php", "isk", "rsd",
        "mkd", "azn", "uzs", "kgs", "tjs", "byn", "omr", "bhd", "jod", "lbp", "iqd", "dzd", "tnd", "ghs", "tzs", "ugx",
        "etb", "xof", "xaf", "npr", "mmk", "khr", "crc", "gtq", "hnl", "pyg",
    )
}  # fmt: skip
# Those that stand behind an amount alone.
CURRENCIES_BEHIND: dict[str, str] = {
    "zł": "PLN", "kč": "CZK", "руб": "RUB", "грн": "UAH", "лв": "BGN", "tl": "TRY", "lei": "RON",
    "yen": "JPY", "baht": "THB",
}  # fmt: skip
# Before an amount with thousands or cents alone: before another number their letters begin codes ("RP200").
CURRENCIES_GROUPED: dict[str, str] = {
    "rp": "IDR", "php": "PHP", "ksh": "KES", "tsh": "TZS", "ush": "UGX", "tk": "BDT", "bs": "BOB", "dh": "MAD",
}  # fmt: skip
# Behind an amount and a space: several countries' crowns, so that no ISO name is told by it.
CURRENCIES_APART = ("kr",)
ALL_CURRENCIES = {**CURRENCIES, **CURRENCY_CODES, **CURRENCIES_BEHIND, **CURRENCIES_GROUPED}
# In these a point before three figures parts thousands.
POINTS_PART_THOUSANDS = frozenset(("ARS", "BRL", "CLP", "COP", "UYU", "IDR", "VND", "TRY"))

LENGTHS: dict[str, str] = {
    "mm": "mm", "毫米": "mm", "㎜": "mm", "cm": "cm", "厘米": "cm", "公分": "cm", "㎝": "cm", "m": "m", "米": "m",
    "inch": "in", "inches": "in", "in": "in", "in.": "in", '"': "in", "”": "in", "″": "in", "英寸": "in", "寸": "in",
    "ft": "ft", "英尺": "ft", "мм": "mm", "см": "cm", "м": "m", "дюйм": "in",
}  # fmt: skip

WEIGHTS: dict[str, str] = {
    "kg": "kg", "kgs": "kg", "公斤": "kg", "千克": "kg", "㎏": "kg", "g": "g", "克": "g", "lb": "lb", "lbs": "lb",
    "磅": "lb", "oz": "oz", "t": "t", "吨": "t", "кг": "kg", "г": "g", "гр": "g", "т": "t",
}  # fmt: skip

# Units in which things are sold by what is in them, beside weights.
CONTENTS = ("ml", "cl", "dl", "l", "ltr", "gr", "mg", "fl oz", "升", "毫升", "л", "мл")

# Units of a head's row of units that no attribute is converted by.
OTHER_UNITS = (
    "w", "kw", "v", "vac", "vdc", "kv", "a", "ma", "hz", "khz", "mhz", "ghz", "l", "ml", "k", "lm", "lm/w", "cd", "lux",
    "°", "°c", "℃", "°f", "bar", "psi", "pa", "kpa", "mpa", "n", "kn", "nm", "n·m", "n.m", "rpm", "r/min", "ω", "kω",
    "mω", "μf", "uf", "pf", "nf", "μm", "um", "nm", "m/s", "l/min", "m³/h", "m3/h", "m²", "m2", "m³", "m3", "cm³",
    "cbm", "%", "db", "db(a)", "s", "ms", "min", "h", "hrs", "va", "kva", "ah", "mah", "wh", "kwh", "gsm", "g/m²",
    "qt", "gal", "fl oz",
    "瓦", "伏", "安", "升", "毫升", "立方米", "平方米", "度", "转/分", "вт", "квт", "л", "мл", "м2", "м²", "м3", "м³",
)  # fmt: skip

# Those in which rows of units alone print the sections of cables and what is sold by length.
SECTION_UNITS = ("mm²", "mm2", "cm²", "cm2", "awg", "kcmil", "km")

# Of these, the units in which nobody says how large or strong a thing is: shares, noise, time, colours of light.
NO_EXTENTS = ("%", "k", "db", "db(a)", "s", "ms", "min", "h", "hrs", "度")

# Per-what a price or a quantity counts.
COUNT_UNITS = (
    "pc", "pcs", "piece", "pieces", "set", "sets", "pair", "pairs", "box", "ctn", "carton", "roll", "unit", "units",
    "ea", "each", "bag", "dozen", "pkt", "packet", "件", "个", "套", "只", "台", "张", "把", "对",
    "箱", "盒", "支", "条", "卷", "块", "组", "双", "包", "片", "根", "本", "瓶", "袋",
    "шт", "уп", "упак", "компл", "рул", "пар",
)  # fmt: skip

# What else is counted in a product, never the product itself.
COUNTED = ("色", "年", "件套", "件装", "支装", "只装", "个装", "片装", "片套", "months", "years", "colours", "colors")

MATERIALS = (
    "abs", "pvc", "pp", "pe", "pet", "tpe", "tpu", "eva", "pu", "epp", "hdpe", "silicone", "stainless steel", "steel",
    "iron", "aluminum",
    "aluminium", "brass", "copper", "wood", "solid wood", "oak", "walnut", "teak", "pine", "mdf", "plywood", "bamboo",
    "rattan", "glass", "ceramic", "porcelain", "stoneware", "marble", "leather", "pu leather", "fabric", "cotton",
    "linen", "polyester", "nylon", "velvet", "wool", "silk", "plastic", "resin", "rubber", "acrylic", "zinc alloy",
    "stainless", "瓷质", "陶质", "铜质", "木质", "铁质", "钢质", "竹质",
    "不锈钢", "碳钢", "钢", "铁", "铝", "铝合金", "锌合金", "铜", "黄铜", "实木", "橡木", "胡桃木", "松木", "竹",
    "藤", "玻璃",
    "陶瓷", "大理石", "真皮", "皮革", "棉", "亚麻", "涤纶", "尼龙", "绒布", "布艺", "羊毛", "丝绸", "塑料", "树脂",
    "橡胶", "亚克力",
    "硅胶", "密度板", "多层板", "岩板", "骨瓷", "聚氨酯", "锰钢", "铬钒钢", "牛津布", "帆布", "榉木", "白蜡木", "榆木",
)  # fmt: skip

# Ends of Chinese names of materials that are no material alone ("高温白瓷", "相思木"), beside ``MATERIALS``; and things
# that end like one.
MATERIAL_ENDS = ("木", "瓷", "陶", "纯银", "麻", "皮", "革", "绒", "合金", "纤维")
NO_MATERIALS = ("积木", "磁铁")

# What is said of a material before it, beside numbers, colours, other materials and words that end in "ed".
MATERIAL_GRADES = (
    "solid", "cast", "stainless", "carbon", "mild", "genuine", "real", "full-grain", "top-grain", "natural", "pure",
    "organic", "virgin", "borosilicate", "damascus", "high-carbon", "food-grade", "acacia", "beech", "ash", "birch",
    "maple", "cherry", "matt", "matte",
)  # fmt: skip

# Words that name colours beside others alone.
COLOURS_IN_ROWS = (
    "rose", "copper", "brass", "bronze", "nickel", "chrome", "ivory", "sand", "sage", "rust", "mint", "blush",
)  # fmt: skip
# Names of colours in further languages, in the forms that stand beside things; words that mean something else in
# another language ("or", "vit", "sort") are left out.
COLOURS_ABROAD = (
    "schwarz", "weiß", "weiss", "rot", "grün", "blau", "gelb", "grau", "braun", "silber", "anthrazit", "türkis",
    "noir", "noire", "blanc", "blanche", "rouge", "vert", "verte", "bleu", "bleue", "jaune", "gris", "grise", "marron",
    "argent", "doré", "dorée", "anthracite", "ivoire",
    "negro", "negra", "blanco", "blanca", "rojo", "roja", "verde", "azul", "amarillo", "amarilla", "marrón",
    "plateado", "plateada", "dorado", "dorada", "morado", "morada", "naranja", "celeste", "transparente",
    "preto", "preta", "branco", "branca", "vermelho", "vermelha", "amarelo", "amarela", "cinza", "prata", "dourado",
    "dourada", "roxo", "roxa", "laranja",
    "nero", "nera", "bianco", "bianca", "rosso", "rossa", "giallo", "gialla", "grigio", "grigia", "marrone", "argento",
    "avorio", "arancione", "trasparente",
    "zwart", "rood", "groen", "blauw", "geel", "grijs", "bruin", "zilver",
    "czarny", "czarna", "czarne", "biały", "biała", "białe", "czerwony", "czerwona", "zielony", "zielona", "niebieski",
    "niebieska", "żółty", "żółta", "szary", "szara", "brązowy", "brązowa", "srebrny", "srebrna", "złoty", "złota",
    "černá", "bílá", "červená", "zelená", "modrá", "žlutá", "šedá", "hnědá", "fekete", "fehér", "piros", "zöld", "kék",
    "sárga", "szürke", "barna", "negru", "neagră", "roșu", "roșie", "albastru", "albastră", "galben", "galbenă",
    "siyah", "beyaz", "kırmızı", "yeşil", "mavi", "sarı", "kahverengi", "gümüş",
    "чёрный", "черный", "чёрная", "черная", "чёрное", "черное", "белый", "белая", "белое", "красный", "красная",
    "красное", "зелёный", "зеленый", "зелёная", "зеленая", "синий", "синяя", "синее", "голубой", "голубая", "жёлтый",
    "желтый", "жёлтая", "желтая", "серый", "серая", "серое", "коричневый", "коричневая", "бежевый", "бежевая",
    "оранжевый", "оранжевая", "розовый", "розовая", "фиолетовый", "фиолетовая", "серебристый", "золотистый",
    "прозрачный", "прозрачная", "чорний", "чорна", "білий", "біла", "червоний", "червона", "зелений", "зелена",
    "синій", "синя", "жовтий", "жовта", "сірий", "сіра", "коричневий", "коричнева", "прозорий", "прозора",
    "svart", "hvid", "hvit", "grå", "grön", "grønn", "grøn", "blå", "brun",
    "黒", "赤", "茶", "ブラック", "ホワイト", "レッド", "グリーン", "ブルー", "グレー", "シルバー", "ゴールド",
    "ブラウン", "ベージュ", "ピンク", "イエロー", "オレンジ", "블랙", "화이트", "레드", "그린", "블루", "그레이",
    "실버", "골드", "브라운", "베이지", "핑크", "검정", "흰색", "빨강", "파랑", "회색", "đen", "trắng", "xám", "nâu",
    "hitam", "putih", "merah", "hijau", "biru", "kuning",
)  # fmt: skip

COLOURS = (
    "black", "white", "red", "green", "blue", "yellow", "grey", "gray", "brown", "beige", "ivory", "cream", "pink",
    "purple", "orange", "gold", "silver", "rose gold", "natural", "transparent", "navy", "khaki",
    "黑", "白", "红", "绿", "蓝", "黄", "灰", "棕", "米", "粉", "紫", "橙", "金", "银", "咖", "黑色", "白色",
    "红色", "绿色",
    "蓝色", "黄色", "灰色", "棕色", "米色", "米白", "粉色", "紫色", "橙色", "金色", "银色", "咖啡色", "玫瑰金",
    "原木色", "透明",
    "藏青", "军绿", "卡其", "驼色", "酒红", "墨绿", "深灰", "浅灰", "天蓝", "湖蓝", "米黄", "杏色", "奶白",
    "奶油白", "雾蓝",
    "本色", "香槟色", "胡桃色", "橄榄绿", "炭黑", "炭灰", "荧光橙", "荧光黄", "荧光绿", "宝蓝", "深蓝", "浅蓝", "深绿",
    "浅绿", "粉红", "玫红", "砖红",
    *COLOURS_ABROAD,
)  # fmt: skip
