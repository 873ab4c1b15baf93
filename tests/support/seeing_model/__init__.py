"""A model that answers from the images it was sent and nothing else: what OCR does not see there it does not say.

It knows of drawn pages which of the words make a product (``sheets_of``), so that its answers are right as far as it
can see, and makes mistakes where it is told to::

    model = SeeingModel(sheets_of(drawn.pdf, truth), Mistakes(seed=7, invent=0.1))
    with ModelServer(model) as server: ...
"""

from tests.support.seeing_model.eyes import Eyes, Line
from tests.support.seeing_model.mistakes import Mistakes
from tests.support.seeing_model.model import SeeingModel
from tests.support.seeing_model.sheets import Product, Sheet, sheets_in, sheets_of, sheets_of_sample

__all__ = [
    "Eyes", "Line", "Mistakes", "Product", "SeeingModel", "Sheet", "sheets_in", "sheets_of", "sheets_of_sample",
]  # fmt: skip
