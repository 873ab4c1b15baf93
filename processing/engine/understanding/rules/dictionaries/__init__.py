"""Words the rule analyst knows, in Chinese and English: data only, versioned together (TA-FREEZE, TA-DICT)."""

# Raised whenever a word list changes what is found on a page.
DICTIONARY_VERSION = 20
