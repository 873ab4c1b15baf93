"""The base attributes in the reader's words; a category's own carry theirs."""

from django.utils.translation import pgettext_lazy

ATTRIBUTES = {
    "model": pgettext_lazy("attribute", "Model"),
    "product_name": pgettext_lazy("attribute", "Name"),
    "brand": pgettext_lazy("attribute", "Brand"),
    "series": pgettext_lazy("attribute", "Series"),
    "size": pgettext_lazy("attribute", "Size"),
    "material": pgettext_lazy("attribute", "Material"),
    "color": pgettext_lazy("attribute", "Colour"),
    "price": pgettext_lazy("attribute", "Price"),
    "currency": pgettext_lazy("attribute", "Currency"),
    "unit": pgettext_lazy("attribute", "Unit"),
    "moq": pgettext_lazy("attribute", "MOQ"),
    "weight": pgettext_lazy("attribute", "Weight"),
    "packing": pgettext_lazy("attribute", "Packing"),
    "description": pgettext_lazy("attribute", "Description"),
}
# What measures are given in, where that is printed elsewhere.
UNIT_WORDS = {
    "size_unit": pgettext_lazy("attribute", "Unit of size"),
    "weight_unit": pgettext_lazy("attribute", "Unit of weight"),
}
