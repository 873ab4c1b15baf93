"""Printed column heads of price lists in further languages, by the kind they stand for; written with accents.

German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Hungarian, Romanian, Turkish, Russian, Ukrainian,
the Nordic languages, Japanese, Korean, Vietnamese, Indonesian. Words that mean something else in English ("typ",
"mal") are left out.
"""

EXACT: dict[str, tuple[str, ...]] = {
    "model": (
        "artikelnummer", "artikelnr", "artikel-nr", "artikel nr", "art.-nr", "art-nr", "artnr", "bestellnummer",
        "bestell-nr", "bestellnr", "best.-nr", "best-nr", "modell", "modellnummer", "modell-nr", "sachnummer",
        "art.nr", "artikel-nummer", "art.-nummer", "bestell-nummer", "best.nr", "bestellcode", "bestellzeichen", "edv",
        "edv-nr", "edv nr", "edvnr", "edv-nummer", "katalognummer", "katalog-nr", "kat.-nr", "produkt-nr", "produktnr",
        "produktcode", "identnummer", "ident-nr", "materialnummer", "mat.-nr", "teilenummer", "teile-nr", "typ-nr",
        "typenbezeichnung", "typennummer",
        "référence", "réf", "code article", "code produit", "référence produit", "modèle", "n° article", "n° art",
        "n° de référence", "referencia", "código de producto",
        "código producto", "código artículo", "modelo", "codice articolo", "código de artículo", "código del producto",
        "código del artículo", "cod. artículo", "cód. producto", "cod. producto", "número de artículo", "n° artículo",
        "nº artículo", "número de parte", "no. de parte", "n° de parte", "nº de parte", "núm. de parte", "modelos",
        "código de referencia", "clave de producto", "clave producto", "número de catálogo",
        "réf. article", "référence article", "n° de commande", "référence fabricant", "codice art", "cod. art",
        "codice prodotto", "cód. do produto", "código do item", "código do artigo",
        "cod articolo", "cod. articolo", "codice prodotto",
        "modello", "referência", "código do produto", "artikelcode",
        "bestelnummer", "numer katalogowy", "nr katalogowy", "nr kat", "indeks", "kod produktu", "katalogové číslo",
        "obj. číslo", "objednací číslo", "cikkszám",
        "termékkód", "rendelési szám", "rendelési kód", "modell megnevezése", "típusszám", "típusjel",
        "árukód", "cod produs", "codul produsului", "cod comandă", "cod de comandă", "referință",
        "cod articol", "ürün kodu", "stok kodu", "malzeme kodu", "артикул", "арт", "модель", "код товара",
        "код товару", "код изделия", "код продукции", "артикул товара", "арт. №", "№ артикула",
        "№ модели", "номер модели", "номер артикула",
        "varenummer", "varenr", "produktnummer", "品番", "型番", "商品コード", "製品番号", "모델명", "품번",
        "모델", "제품코드", "mã hàng", "mã sp", "mã sản phẩm", "kode barang", "kode produk",
        "pzn", "aic", "codice aic", "cod. aic", "minsan", "codice minsan", "code cip", "code acl", "código nacional",
    ),
    "product_name": (
        "bezeichnung", "artikelbezeichnung", "artikelname", "produkt", "produktname", "produktbezeichnung",
        "benennung", "artikeltext", "modellbezeichnung",
        "warenbezeichnung", "désignation", "désignation article", "dénomination", "produit", "produits",
        "nom du produit", "intitulé", "nombre de producto", "nombre producto",
        "nombre del artículo", "descripción del producto", "descripción de producto", "descripción del artículo",
        "mercancía", "mercadería", "descrizione articolo", "descrizione prodotto", "descrição do produto", "producto",
        "productos", "artículo", "denominación", "nombre del producto",
        "prodotto", "prodotti", "denominazione", "nome prodotto", "produto", "designação", "nome do produto",
        "productnaam", "artikelomschrijving", "nazwa", "nazwa produktu", "nazwa towaru", "název", "název výrobku",
        "výrobek", "název produktu", "megnevezés", "termék", "terméknév", "termék neve", "termék megnevezése",
        "cikk megnevezése", "áru megnevezése", "árucikk", "termékek",
        "denumire", "denumire produs", "denumirea produsului", "denumire articol", "denumirea articolului",
        "nume produs", "numele produsului", "produs", "produse", "articol", "ürün", "ürün adı", "malzeme adı",
        "наименование", "наименование товара", "название", "товар", "изделие", "продукция", "produktnavn",
        "наименование товаров", "наименование продукции", "наименование изделия", "название товара", "номенклатура",
        "найменування", "найменування товару", "найменування продукції", "назва", "назва товару", "виріб",
        "benämning", "produktnamn", "betegnelse", "商品名", "製品名", "제품명", "상품명", "품명", "tên sản phẩm",
        "tên hàng", "tên hàng hóa", "nama barang", "nama produk",
    ),
    "brand": ("marke", "hersteller", "marque", "fabricant", "fabricante", "marchio", "marka", "značka", "márka",
              "gyártó", "producător", "бренд", "производитель", "メーカー", "브랜드", "제조사", "merek",
              "торговая марка", "торгова марка", "виробник"),
    "series": ("serie", "gamme", "gama", "línea", "seria", "sorozat", "серия", "серія", "коллекция", "シリーズ"),
    "size": (
        "talla", "tallas", "talle", "talles", "diámetro", "durchmesser", "diamètre", "diametro", "tamaños", "tailles",
        "taglia", "taglie",
        "maße", "abmessung", "abmessungen", "größe", "taille", "dimension", "medida", "medidas", "dimensiones",
        "tamaño", "misura", "misure", "dimensioni", "dimensões", "tamanho", "afmeting", "afmetingen", "maat",
        "wymiar", "wymiary", "rozmiar", "rozměr", "rozměry", "méret", "méretek", "dimensiune", "dimensiuni", "mărime",
        "ölçü", "ölçüler", "boyut", "boyutlar", "ebat", "ebatlar", "размер", "размеры", "габариты", "mått", "mål",
        "габаритные размеры", "розмір", "розміри", "габарити",
        "størrelse", "サイズ", "寸法", "사이즈", "크기", "kích thước", "ukuran",
    ),
    "material": (
        "werkstoff", "werkstoffe", "materialien", "materiales", "composición", "composizione", "composição",
        "matière", "matériau", "matériaux", "materiale", "materiali", "materiaal", "materiał",
        "materiál", "anyag", "anyaga", "malzeme", "материал", "素材", "材質", "재질", "소재", "chất liệu", "bahan",
        "матеріал",
    ),
    "color": (
        "farbton", "farbtöne", "oberfläche", "finition", "finitions", "finitura", "finiture", "acabado", "acabados",
        "acab", "acabamento", "cor", "afwerking",
        "farbe", "farben", "verfügbare farben", "couleur", "couleurs", "coloris", "coloris disponibles", "colore",
        "colori", "colori disponibili", "cores", "cores disponíveis", "colores", "colores disponibles", "kleur",
        "kleuren", "kolor", "barva", "szín", "színek", "culoare", "culori", "renk", "цвет", "färg", "farve", "カラー",
        "цвета", "колір", "кольори",
        "색상", "màu", "màu sắc", "warna",
    ),
    "price": (
        "preis", "preise", "listenpreis", "einzelpreis", "stückpreis", "nettopreis", "bruttopreis", "verkaufspreis",
        "katalogpreis", "vk-preis", "vk", "ek-preis", "p. unit", "p. unitario", "valor unitario", "vr. unitario",
        "vlr. unitario", "costo", "costo unitario", "mayoreo", "menudeo", "valor unitário", "custo unitário",
        "uvp", "preis netto", "preis brutto", "prix", "prix unitaire", "prix ht", "prix ttc", "prix public", "tarif",
        "p.u", "pu ht", "p.u. ht", "precio", "precios", "precio unitario", "pvp", "p.v.p", "tarifa", "prezzo",
        "prezzi", "prezzo unitario", "prezzo listino", "listino", "preço", "preços", "preço unitário", "prijs",
        "prijzen", "stukprijs", "adviesprijs", "cena", "ceny", "cena netto", "cena brutto", "cena katalogowa",
        "cena jednostkowa", "cena bez dph", "cena s dph", "ár", "egységár", "listaár", "nettó ár", "bruttó ár",
        "preț", "preț unitar", "preț lei", "preț cu tva", "preț fără tva", "fiyat", "fiyatı", "birim fiyat",
        "liste fiyatı", "цена", "цены", "розничная цена", "оптовая цена", "опт", "розница", "цена опт",
        "цены опт", "цена розница", "цены розница", "стоимость", "pris", "価格", "定価",
        "ррц", "ціна", "ціни", "вартість",
        "単価", "上代", "税込価格", "税抜価格", "本体価格", "希望小売価格", "가격", "단가", "판매가", "đơn giá", "giá",
        "giá bán", "giá niêm yết", "harga", "harga satuan",
    ),
    "currency": ("währung", "devise", "moneda", "valuta", "moeda", "waluta", "měna", "pénznem", "monedă", "валюта"),
    "unit": (
        "unid", "und", "u/m", "unidades", "unidad de medida", "unidad medida", "unidade de medida",
        "einheit", "mengeneinheit", "unité", "unidad", "unità", "unidade", "eenheid", "jednostka", "j.m", "jm",
        "jednotka", "egység", "me.egys", "u.m", "birim", "ед.изм", "ед. изм", "единица измерения", "enhet", "単位",
        "од.вим", "од. вим", "одиниця виміру",
        "단위", "đvt", "đơn vị", "satuan",
    ),
    "moq": ("mindestmenge", "mindestbestellmenge", "minimum de commande", "pedido mínimo", "ordine minimo",
            "cantidad mínima", "compra mínima", "quantidade mínima", "quantité minimum", "quantità minima"),
    "weight": (
        "gewicht", "nettogewicht", "poids", "poids net", "peso", "peso netto", "peso neto", "waga", "hmotnost",
        "tömeg", "súly", "greutate", "ağırlık", "вес", "масса", "vikt", "vægt", "vekt", "중량", "무게",
        "вес нетто", "вес брутто", "масса нетто", "масса брутто", "примерный вес", "вага", "маса",
        "trọng lượng", "khối lượng", "berat",
    ),
    "packing": (
        "ve", "verp.-einheit", "gebinde", "gebindegröße", "empaque", "empaques", "presentación", "presentaciones",
        "unidades por caja", "unid/caja", "unid. por caja", "und/caja", "piezas por caja", "apresentação",
        "unidades/caja", "uds./caja", "uds/caja", "uds. caja", "uds. por caja", "u./caja", "pzas/caja", "pz/caja",
        "vpe", "verpackung", "verpackungseinheit", "conditionnement", "colisage", "emballage", "embalaje", "imballo",
        "confezione", "embalagem", "verpakking", "opakowanie", "balení", "csomagolás", "kiszerelés", "ambalare",
        "ambalaj", "упаковка", "förpackning", "入数", "包装単位", "đóng gói", "quy cách đóng gói", "kemasan",
        "фасовка", "фасування", "кол-во в упаковке", "количество в упаковке",
    ),
    "description": ("leistungsmerkmale", "caractéristiques", "características", "caratteristiche", "vlastnosti"),
}  # fmt: skip

# First words that make a longer label a price: "Prix d'un verre", "Egységár adott telephelyi kiadással".
PRICE_LEADS = (
    "preis", "preise", "listenpreis", "prix", "tarif", "tarifs", "precio", "precios", "prezzo", "prezzi", "preços",
    "prijzen", "ceny", "preço", "prijs", "cena", "ár", "egységár", "preț",
    "fiyat", "цена", "ціна", "pris", "harga", "đơn giá", "giá",
)  # fmt: skip

CODE_OR_NUMBER = (
    "artikel", "codice", "código", "códigos", "clave", "ítem", "cód", "cod", "kod", "kód", "kode", "nr", "nummer",
    "numéro", "tipo",
    "tip", "típus", "код", "тип", "コード", "mã", "mẫu",
)  # fmt: skip

NAME_OR_TEXT = (
    "nombre", "detalle", "detalles", "concepto", "descrip", "nom", "nome", "dettaglio", "kurzbeschreibung", "kurztext",
    "beschreibung", "artikelbeschreibung", "produktbeschreibung", "libellé", "descriptif", "descripción",
    "descrizione", "descrição", "omschrijving", "beschrijving", "opis", "popis", "leírás", "descriere", "açıklama",
    "описание", "опис", "beskrivning", "beskrivelse", "mô tả", "deskripsi", "keterangan",
)  # fmt: skip

SIZE_PARTS = (
    "länge", "breite", "höhe", "tiefe", "dicke", "longueur", "largeur", "hauteur", "profondeur", "épaisseur",
    "largo", "ancho", "alto", "fondo", "grosor", "altura", "profundidad", "espesor", "lunghezza", "larghezza",
    "altezza",
    "profondità", "spessore", "comprimento", "largura", "profundidade", "espessura", "lengte", "breedte", "hoogte",
    "diepte", "dikte", "długość", "szerokość", "wysokość", "głębokość", "grubość", "délka", "šířka", "výška",
    "hloubka", "tloušťka", "hosszúság", "hossz", "szélesség", "magasság", "mélység", "vastagság", "lungime", "lățime",
    "înălțime", "adâncime", "grosime", "uzunluk", "genişlik", "yükseklik", "derinlik", "kalınlık", "длина", "ширина",
    "довжина", "висота", "глибина", "товщина",
    "высота", "глубина", "толщина", "längd", "bredd", "höjd", "djup", "bredde", "høyde", "dybde",
)  # fmt: skip

ROW_NUMBER = (
    "n°",
    "nº",
    "pos",
    "lfd. nr",
    "lfd nr",
    "lfd.-nr",
    "lp",
    "l.p",
    "sorszám",
    "nr crt",
    "nr. crt",
    "№ п/п",
    "п/п",
    "poz",
    "stt",
    "sıra no",
    "번호",
)
PICTURE = (
    "fotos", "imágenes", "fotografía", "ilustración", "foto del producto", "foto producto", "imagen del producto",
    "foto del ítem", "imagen del ítem", "foto del artículo", "foto do produto", "imagem do produto", "foto prodotto",
    "bilder", "abb", "produktfoto", "artikelbild", "photos", "visuels", "immagini",
    "bild", "abbildung", "produktbild", "photo produit", "visuel", "imagen", "foto", "immagine", "imagem",
    "afbeelding", "zdjęcie", "obrázek", "kép", "imagine", "resim", "görsel", "фото", "изображение", "写真", "画像",
    "эскиз", "зображення",
    "사진", "이미지", "hình ảnh", "hình", "gambar",
)  # fmt: skip
QUANTITY = (
    "menge", "anzahl", "stückzahl", "quantité", "qté", "cantidad", "cant", "quantità", "quantidade", "aantal", "ilość",
    "množství", "mennyiség", "cantitate", "adet", "miktar", "кол-во", "количество", "antal", "수량", "số lượng",
    "кількість", "к-сть",
    "jumlah", "bestellmenge", "bestellte menge", "quantité commandée", "qté commandée", "qté cde", "cantidad pedida",
    "cantidad solicitada", "pedido", "quantità ordinata", "q.tà", "q.tà ordinata", "qtà", "ordine", "quantidade pedida",
    "bestelaantal", "zamawiana ilość", "заказ", "ваш заказ",
)  # fmt: skip
EXTRA = (
    "anmerkung", "anmerkungen", "hinweis", "hinweise", "rabatt", "warengruppe", "lieferzeit", "lagerbestand", "nota",
    "notas", "existencia", "existencias", "garantía", "procedencia", "ubicación", "remise", "sconto", "desconto",
    "descuento", "observación", "observação", "observações",
    "bemerkung", "bemerkungen", "remarque", "remarques", "observations", "observaciones", "uwagi", "poznámka",
    "megjegyzés", "observații", "примечание", "примітка", "備考", "비고", "ghi chú", "gesamt", "gesamtpreis", "summe",
    "montant", "total ht", "importe", "importo", "wartość netto", "összesen", "сумма", "kategorie", "catégorie",
    "categoría", "categoria", "kategoria", "kategória", "categorie", "категория",
)  # fmt: skip
NOT_PRODUCTS = (
    "wert", "werte", "valeur", "valeurs", "valor", "valore", "waarde", "wartość", "hodnota",
    "érték", "valoare", "değer", "значение", "datum", "fecha", "dátum", "дата", "soll", "haben", "saldo", "solde",
    "débit", "crédit", "konto", "compte", "jahr", "année", "año", "anno", "seite", "página", "adresse",
)  # fmt: skip

# Currencies that heads of price columns name; before or behind an amount some of them ("ft", "kr") mean other things.
CURRENCIES = (
    "ft", "huf", "forint", "lei", "ron", "zł", "pln", "kč", "czk", "sek", "nok", "dkk", "kr", "rub", "руб", "₽",
    "try", "tl", "₺", "brl", "r$", "mxn", "clp", "cop", "ars", "fcfa", "f.cfa", "cfa", "xof", "xaf", "mad", "dh", "dhs",
    "tnd", "dzd", "bgn", "лв", "uah", "грн", "₴", "php", "₱", "idr", "rp", "zar", "ngn", "₦", "kes", "ksh", "bdt",
    "pkr", "lkr", "sar", "qar", "egp", "ils", "₪", "kzt", "₸", "円", "원", "đ", "vnđ", "nzd",
)  # fmt: skip

# What a price or a weight is for, in heads: "Ft/db", "kg/Stk".
COUNT_UNITS = (
    "stk", "st", "stück", "pce", "pièce", "unité", "u", "ud", "uds", "pz", "pezzo", "szt", "ks", "db", "buc", "adet",
    "шт", "cái", "pcs", "buah",
)  # fmt: skip
