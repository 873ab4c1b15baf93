"""Pictures that may hold print: a table kept as a picture, a poster."""

from catalogsku.core.box import area, height, width
from processing.engine.page import Picture
from processing.engine.understanding.captions.captioned import captioned_pictures
from processing.engine.understanding.unread import is_of_figures
from processing.engine.understanding.view import PageView

# Variance of the Laplacian (Picture.blur) above which a picture is sharp as print or a drawing is: photographs of the
# corpus and the drawn styles stay below 1600, tables and diagrams kept as pictures lie above 2400.
PRINT_SHARP = 2000.0
# A sharp picture over this share of a page beside few words may be a table or a poster that names products.
_PRINT_AREA = 0.15


def may_hold_print(view: PageView) -> bool:
    """A large picture is as sharp as print, and nothing says that it is a figure: a caption, a section's number."""
    large = any(_is_print(view, picture) and not view.is_repeated(picture) for picture in view.page.pictures)
    return large and not is_of_figures(view)


def holds_print(view: PageView, picture: Picture) -> bool:
    """Beside captioned pictures, one without a caption that is wide and as sharp as print, as a table would be."""
    named = any(captioned.picture is picture for captioned in captioned_pictures(view))
    return _is_print(view, picture) and width(picture.box) > height(picture.box) and not named


def _is_print(view: PageView, picture: Picture) -> bool:
    return picture.blur > PRINT_SHARP and area(picture.box) > _PRINT_AREA * view.page_area
