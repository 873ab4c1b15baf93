"""One table a language: which words play which role in an order to a machine."""

from processing.engine.guard.words.arabic import ARABIC
from processing.engine.guard.words.chinese import CHINESE
from processing.engine.guard.words.czech import CZECH
from processing.engine.guard.words.dutch import DUTCH
from processing.engine.guard.words.english import ENGLISH
from processing.engine.guard.words.french import FRENCH
from processing.engine.guard.words.german import GERMAN
from processing.engine.guard.words.indonesian import INDONESIAN
from processing.engine.guard.words.italian import ITALIAN
from processing.engine.guard.words.japanese import JAPANESE
from processing.engine.guard.words.korean import KOREAN
from processing.engine.guard.words.polish import POLISH
from processing.engine.guard.words.portuguese import PORTUGUESE
from processing.engine.guard.words.romanian import ROMANIAN
from processing.engine.guard.words.russian import RUSSIAN
from processing.engine.guard.words.spanish import SPANISH
from processing.engine.guard.words.swedish import SWEDISH
from processing.engine.guard.words.turkish import TURKISH
from processing.engine.guard.words.ukrainian import UKRAINIAN
from processing.engine.guard.words.vietnamese import VIETNAMESE

# Their words stand by themselves; those of the others run together.
SPACED = (
    ARABIC, CZECH, DUTCH, ENGLISH, FRENCH, GERMAN, INDONESIAN, ITALIAN, KOREAN, POLISH, PORTUGUESE, ROMANIAN, RUSSIAN,
    SPANISH, SWEDISH, TURKISH, UKRAINIAN, VIETNAMESE,
)  # fmt: skip
UNSPACED = (CHINESE, JAPANESE)
