"""Tables of a page under one head have their roles in the same columns."""

from processing.engine.understanding.config import AnalystConfig
from processing.engine.understanding.tables.extractor import extract_tables, read_tables
from tests.unit.understanding.pages import page, table

HEAD = ("Ref.", "Código", "Nombre", "Precio")
NAMES = ("Alfombra", "Balde", "Bolsa", "Cortina", "Embudo", "Felpudo")


def rows(refs: tuple[str, ...], codes: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [HEAD, *((ref, code, name, "$ 4000") for ref, code, name in zip(refs, codes, NAMES, strict=False))]


LONG = rows(("1834", "2022", "1909", "1906", "1907", "1908"), tuple(f"77900002{n}5958" for n in range(6)))
SHORT = rows(("47", "46", "923", "363"), ("7797749002169", "40055281", "7790520995667", "363"))


def models(*tables: list[tuple[str, ...]]) -> list[str]:
    drawn = [table(rows, y=60 + 200 * n, id=f"G{n}") for n, rows in enumerate(tables)]
    one = page(tables=drawn)
    found = extract_tables(one, read_tables(one, (), AnalystConfig()), ())
    return [draft.attributes["model"].text for draft in found.drafts]


def test_the_longest_table_says_which_column_holds_the_codes() -> None:
    assert models(LONG, SHORT) == [row[0] for row in (*LONG[1:], *SHORT[1:])]


def test_tables_under_other_heads_speak_for_themselves() -> None:
    other = [("Modelo", *SHORT[0][1:]), *SHORT[1:]]
    alone = models(other)
    assert models(LONG, other)[len(LONG) - 1 :] == alone
