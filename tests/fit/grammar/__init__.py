"""Product catalogues drawn at random, truth beside them: ``python -m tests.fit.grammar OUT --seed 7 --catalogues 200``;
with ``--manuals 70`` also manuals, data sheets and accounts, in which there is no product.

A seed draws a maker (language, trade, codes, prices, words, look), the maker's layouts and its pages; layouts get
products and a maker and know nothing of each other. They stand in ``layouts``, words in ``words``, a file a language.
"""

from tests.fit.grammar.catalogue import catalogue, manual

__all__ = ["catalogue", "manual"]
