"""What a catalogue may say, a file a language: ``key: text | text``. Products stand in the same order in every file, so
that a name can be printed in two languages and a picture fits its name."""

from tests.fit.grammar.words.language import LANGUAGES, Language, spoken

__all__ = ["LANGUAGES", "Language", "spoken"]
