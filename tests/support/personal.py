"""A catalogue page with personal data; all of it is made up."""

from tests.support.catalogues import one_table_pdf

MOBILE, BARE, LANDLINE = "138 1234 5678", "13987654321", "021-55551234"
MAIL, CARD, IDENTITY = "li.wei@mail.example", "4111 1111 1111 1111", "11010519491231002X"
VALUES = (MOBILE, BARE, LANDLINE, MAIL, CARD, IDENTITY)
COUNTS = {"phone": 3, "mail": 1, "identity": 1, "card": 1}
EAN = "6901234567892"


def personal_pdf() -> bytes:
    """Four products, one with a person's number among its values; who sells them stands above and below."""
    rows = [
        ["Model", "Product", "Size", "Barcode", "Price", "Remark"],
        ["A-101", "Oak table", "1200x600x750 mm", EAN, "199.00", "solid oak"],
        ["A-102", "Oak bench", "1200x350x450 mm", "4006381333931", "89.00", f"ask {BARE}"],
        ["A-103", "Oak chair", "450x450x900 mm", "", "59.00", "stackable"],
        ["A-104", "Oak stool", "350x350x450 mm", "", "39.00", MAIL],
        ["", "Tel", LANDLINE, IDENTITY, "", CARD],
    ]
    return one_table_pdf(rows, title=f"Tel: +86 {MOBILE}")


def left_in(text: str) -> list[str]:
    """Which of the values, printed in whatever way, stand in it."""
    signs = str.maketrans("", "", " -.()/+\\n")
    squeezed = text.translate(signs)
    return [value for value in VALUES if value in text or value.translate(signs) in squeezed]
