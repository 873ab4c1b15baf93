"""Words inside tables and captions that are no values, no rows, or a price that is given on request."""

# Printed where nothing is known: never a value.
NO_VALUE = (
    "undefined", "null", "none", "nan", "n/a", "n.a.", "n.a", "na", "n / a", "/", "//", "\\", "-", "--", "---",
    "----",
    "*", "tbd", "t.b.d.", "tba", "tbc", "unknown", "nil", "无", "暂无", "空", "待定", "未定", "不详", "略", "...",
    "…",
    "?", "未知", "_", "__",
)  # fmt: skip

# In the place of a price: one that exists and is given on demand, a fact and not a missing value (X-NORM). Some of
# these are printed for other attributes too and mean nothing there.
ON_REQUEST = (
    "面议", "价格面议", "电议", "电询", "电联", "致电", "来电", "请来电", "请致电", "来电咨询", "来电询价", "询价",
    "请询价", "请咨询", "咨询客服", "议价", "时价", "待定", "价格待定",
    "tbc", "t.b.c.", "tbd", "t.b.d.", "tba", "to be confirmed", "to be advised",
    "market price", "price on request", "on request", "upon request", "on inquiry", "on enquiry",
    "poa", "p.o.a.", "p.o.r.", "por", "price on application", "call", "call us", "please call", "call for price",
    "contact us", "contact sales", "please inquire", "inquire", "enquire", "ask", "ask for price", "request a quote",
)  # fmt: skip

TOTALS = (
    "total", "totals", "grand total", "sub total", "subtotal", "sub-total", "sum", "total amount", "total qty",
    "合计", "总计", "小计", "共计", "总数", "总金额", "累计", "合计金额",
)  # fmt: skip

# Beginnings of note rows.
NOTES = ("note", "notes", "remark", "remarks", "ps", "n.b.", "注", "备注", "说明", "注意", "备 注", "附注", "*注")

# Captions that name a figure in running text, not a product.
FIGURE_CAPTION = (
    r"^(fig(ure)?s?|table|chart|diagram|photo|plate|图|表|图表|附图|附表|示意图)\s*[.:]?\s*[0-9一二三四五六七八九十]"
)

# Headings that are no product names wherever they stand beside a picture.
NOT_A_NAME = (
    "contents", "catalog", "catalogue", "introduction", "about us", "contact", "contact us", "company profile",
    "certificate", "certificates", "certification", "our team", "team", "factory", "workshop", "showroom",
    "exhibition",
    "thank you", "thanks", "our customers", "customers", "clients", "partners", "application", "applications",
    "features", "specification", "specifications", "note", "warning", "caution", "new", "hot", "index", "tel",
    "included", "not included", "sold separately", "optional", "not applicable", "包含", "不含", "选配", "另购",
    "email", "new arrival", "new arrivals", "best seller", "best sellers", "bestsellers", "new products", "hot sale",
    "hot sales", "hot products", "featured products", "featured", "our selection", "highlights", "新品上市",
    "新品推荐", "新品系列", "热销产品", "热卖产品", "热销推荐", "畅销产品", "畅销款", "经典款", "爆款", "精选产品",
    "主推产品", "推荐产品", "产品推荐", "目录", "前言", "公司简介", "关于我们", "联系我们", "企业简介", "荣誉证书",
    "资质证书", "证书", "团队", "车间", "工厂", "展厅", "展会", "谢谢", "合作伙伴", "客户案例", "应用场景",
    "产品特点", "技术参数", "注意", "警告", "新品",
)  # fmt: skip

# Parts of headings over lists that tell of a company, of what it does or of all its products, not of one thing.
NO_THING = (
    "advantages?", "features?", "services?", "process", "quality", "why", "how to", "our", "about", "company", "ltd",
    "limited", "inc", "gmbh", "history", "mission", "vision", "capacity", "capabilit(y|ies)", "payments?", "delivery",
    "shipping", "warranty", "terms", "orders?", "ordering", "steps?", "faq", "projects?", "solutions?", "parameters?",
    "contact us", "specifications?", "appendix", "chapter", "conditions?", "ratings", "characteristics", "附录",
    "优势", "特点", "特性", "服务(?!器)", "流程", "步骤", "公司", "企业", "工厂", "简介", "介绍", "文化", "历程",
    "实力", "产能", "质量", "品质", "付款", "交货", "售后", "质保", "须知", "说明", "解决方案", "项目", "案例",
    "参数", "配置表", "联系",
)  # fmt: skip

# Labels of addresses.
CONTACTS = (
    "tel", "tel.", "telephone", "phone", "mobile", "mob", "cell", "fax", "email", "e-mail", "mail", "web", "website",
    "site", "url", "address", "add", "addr", "contact", "contact person", "contacts", "whatsapp", "wechat", "skype",
    "qq", "hotline", "facebook", "instagram", "linkedin", "电话", "手机", "传真", "邮箱", "邮件", "网址", "网站",
    "地址", "联系人", "联系电话", "联系方式", "微信", "公众号", "热线", "客服",
)  # fmt: skip

# Heads over the labels of a list of specifications.
SPECIFICATION_HEADS = (
    "item", "items", "parameter", "parameters", "specification", "specifications", "specs", "feature", "features",
    "参数", "核心参数", "技术参数", "产品参数", "规格参数", "基本参数", "项目", "特性", "规格", "名称", "参数名称",
    "参数项",
)  # fmt: skip

# Headings over the labelled lines that tell what one thing is like.
SPECIFICATIONS = (
    "specification", "specifications", "specs", "technical specification", "technical specifications",
    "technical data", "technical details", "product details", "規格參數", "规格参数", "技术参数", "产品参数", "规格",
    "характеристики", "технические характеристики", "especificaciones", "especificações", "spécifications",
    "caractéristiques", "technische daten", "specifiche", "specyfikacja",
)  # fmt: skip

# Headings of pages that introduce one product, whose name stands in smaller print.
INTRODUCTIONS = (
    "product introduction", "product description", "product details", "product detail", "product overview",
    "introduction of product", "introduction of products", "product presentation", "产品介绍", "产品简介", "产品详情",
    "产品描述", "产品说明", "产品概述", "商品介绍", "商品详情",
)  # fmt: skip

# Headings of pages that are the sheet of one product.
SPECIFICATION_SHEETS = (
    "product specification", "product specifications", "specification sheet", "product sheet", "product data sheet",
    "product datasheet", "spec sheet", "产品规格书", "产品规格表", "规格书", "产品规格", "产品参数表",
)  # fmt: skip

# Headings of pages that show kinds of products, one picture a kind.
CATEGORY_HEADINGS = (
    "main products", "our products", "product category", "product categories", "categories", "product range",
    "product list", "business scope", "product lines", "what we do", "主营产品", "主要产品", "产品分类", "产品类别",
    "产品系列", "产品目录", "产品范围", "业务范围",
)  # fmt: skip

# What a company shows of itself beside its products.
DOCUMENTS = (
    "certificate", "certificates", "certification", "certified", "patent", "test report", "license", "licence",
    "registration", "iso ?[0-9]{4,5}", "award", "证书", "认证", "专利", "检测报告", "检验报告", "备案", "注册证",
    "登记证", "许可证", "营业执照", "荣誉",
)  # fmt: skip

# How headings end over pictures of a company's own works and people.
WORKS = (
    "production equipment", "manufacturing equipment", "testing equipment", "test equipment", "inspection equipment",
    "production line", "production lines", "production process", "factory", "our factories", "factory tour",
    "factory show", "workshop", "workshops", "laboratory", "our lab", "warehouse", "warehousing", "quality control",
    "showroom", "exhibition", "exhibitions", "our team", "our projects", "our clients",
    "生产设备", "加工设备", "检测设备", "试验设备", "设备展示", "生产线", "流水线", "生产流程", "车间", "厂房", "工厂",
    "工厂展示", "厂区", "厂容厂貌", "实验室", "仓库", "仓储", "质量控制", "品质控制", "展厅", "展会", "团队",
    "企业风采", "工程案例", "合作客户",
)  # fmt: skip

# What a drawing of a product is called.
DRAWINGS = (
    "elevation", "plan view", "side view", "top view", "not to scale", "drawing", "dimensional drawing",
    "尺寸图", "外形图", "安装图", "结构图", "图纸", "立面图", "平面图", "三视图", "侧视图", "俯视图",
)  # fmt: skip

# Headings of pages that show what products are made of or coloured with, one sample a kind.
SAMPLES = (
    "colour chart", "color chart", "colour card", "color card", "colours", "colors", "colourways", "colorways",
    "colour options", "color options", "finishes", "finish options", "swatches", "fabric options", "fabrics",
    "fabric card", "leather card", "swatch card", "fabric samples",
    "leathers", "glazes", "veneers", "stains", "laminates", "upholstery options", "material options",
    "materials and finishes",
    "色卡", "色板", "色样", "色号", "木色", "皮色", "花色", "釉色", "配色", "颜色一览", "颜色可选", "可选颜色",
    "颜色选择", "面料选择", "面料色卡", "面料卡", "布版", "面料一览", "木纹色卡", "饰面", "材质样板", "材质选择",
)  # fmt: skip

# Of these what is goods beside other ones.
GOODS = ("fabrics", "leathers", "laminates", "veneers")

# Before "series" or "collection" they name none.
NO_SERIES = (
    "our", "the", "new", "main", "product", "products", "full", "whole", "more", "other", "all", "this", "these",
    "complete", "wide", "various", "price", "size", "产品", "全", "本", "新品", "新", "主打", "其他", "更多", "各",
    "该", "多", "热销", "同", "全部",
)  # fmt: skip

# Words before a figure that count what is done, and name nothing: "STEP 1".
NOT_CODED = ("step", "stage", "phase", "page", "day", "week")

# Look like codes and are none.
NOT_CODES = (
    "ac-dc",
    "dc-dc",
    "on-off",
    "plug-in",
    "pc-abs",
    "built-in",
    "all-in",
    "co-ltd",
    "e-mail",
    "i-o",
    "ce-rohs",
)

# A line with one of these is the title of a document, not a product's name.
DOCUMENT_WORDS = (
    "manual", "datasheet", "data sheet", "user guide", "instruction", "catalogue", "catalog", "brochure", "price list",
    "pricelist", "price sheet", "价目表", "报价表",
    "white paper", "手册", "说明书", "规格书", "产品目录", "宣传册", "价格表", "报价单", "数据手册",
)  # fmt: skip
