"""Dictionaries of merchants: what their catalogues print beside the words that are built in (TA-DICT)."""

import msgspec
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogsku.accounts.models import Merchant
from catalogsku.profiles import dictionaries
from catalogsku.profiles.models.categories import CategorySchema
from catalogsku.profiles.models.changes import ScopedConfigurationManager
from catalogsku.profiles.models.versioned import VersionedRow


class MerchantDictionary(VersionedRow):
    """A merchant's own words; ``category``: empty for all their documents, else for those of it and of what is below
    it. ``entries``: as in profiles.dictionaries. Documents keep the versions that they began with.
    """

    merchant = models.ForeignKey(Merchant, models.CASCADE, related_name="+", verbose_name=_("merchant"))
    category = models.CharField(_("category"), max_length=60, blank=True)
    entries = models.JSONField(_("words"), default=list, blank=True)
    # With the merchant all versions go, in whatever order.
    previous = models.ForeignKey("self", models.RESTRICT, null=True, blank=True, editable=False, related_name="+")

    objects = ScopedConfigurationManager()  # type: ignore[misc]  # in place of the abstract one

    class Meta:
        verbose_name = _("dictionary")
        verbose_name_plural = _("dictionaries")
        constraints = [
            models.UniqueConstraint(fields=["key", "version"], name="one_dictionary_version"),
            models.UniqueConstraint(fields=["key"], condition=Q(active=True), name="one_active_dictionary"),
            models.UniqueConstraint(
                fields=["merchant", "category"], condition=Q(active=True), name="one_dictionary_of_category"
            ),
        ]

    @staticmethod
    def key_of(merchant_id: int, category: str) -> str:
        return f"m{merchant_id}.{category}" if category else f"m{merchant_id}"

    def full_clean(self, *args: object, **options: object) -> None:
        self.key = self.key_of(self.merchant_id, self.category)
        super().full_clean(*args, **options)  # type: ignore[arg-type]

    def clean(self) -> None:
        """Checks the JSON that a person wrote."""
        attributes: tuple[str, ...] = ()
        schema = CategorySchema.objects.filter(key=self.category or "general", active=True).first()
        if schema is not None:
            attributes = tuple(entry["key"] for entry in schema.resolved_attributes)
        elif self.category:
            words = _("There is no category %(key)s.") % {"key": self.category}
            raise ValidationError({"category": ValidationError(words, code="no_category")})
        try:
            self.entries = msgspec.to_builtins(list(dictionaries.words_of(self.entries, attributes)))
        except dictionaries.DictionaryError as error:
            raise ValidationError({"entries": fault_of(error)}) from error


_IN_PATTERN = _("The pattern of entry %(place)s cannot be used: %(what)s. %(why)s")
_PATTERN_FAULTS = {
    "pattern_too_long": _("It has too many signs."),
    "pattern_too_large": _("Its repetitions make it too large."),
    "pattern_not_closed": _("A bracket is not closed."),
    "pattern_not_opened": _("A bracket is closed that was not opened."),
    "pattern_nothing_to_repeat": _("There is nothing to repeat before the sign."),
    "pattern_bad_repeat": _("A number of repetitions is not possible."),
    "pattern_bad_class": _("What stands in square brackets is not possible."),
    "pattern_not_allowed": _("This sign may not stand there; there is no look-around and no reference back."),
    "pattern_empty": _("It would match a text without any sign."),
}
FAULTS = {
    "not_a_list": _("This must be a list: [ ... ]."),
    "bad_entry": _("Entry %(place)s cannot be read: %(what)s"),
    "too_many": _("A dictionary may have at most %(what)s words."),
    "too_many_patterns": _("A dictionary may have at most %(what)s patterns."),
    "no_word": _("Entry %(place)s has no word."),
    "bad_word": _("Entry %(place)s is no word that a catalogue prints: %(what)s"),
    "word_too_long": _("The word of entry %(place)s is too long: %(what)s"),
    "bad_meaning": _("Entry %(place)s cannot mean %(what)s."),
    "word_twice": _("The word of entry %(place)s stands here twice: %(what)s"),
}


def fault_of(error: dictionaries.DictionaryError) -> ValidationError:
    """In both languages, with its code and place."""
    params = {"place": error.place, "what": error.what}
    if error.code in _PATTERN_FAULTS:
        return ValidationError(_IN_PATTERN, error.code, {**params, "why": _PATTERN_FAULTS[error.code]})
    return ValidationError(FAULTS[error.code], error.code, params)
