"""Words for what pages are."""

from django.utils.translation import pgettext_lazy

PAGE_TYPES = {
    "A": pgettext_lazy("page type", "table"),
    "B": pgettext_lazy("page type", "mixed"),
    "C": pgettext_lazy("page type", "photos"),
    "P": pgettext_lazy("page type", "products"),
    "D": pgettext_lazy("page type", "no product"),
    "none": pgettext_lazy("page type", "not understood"),
}
