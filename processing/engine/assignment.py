"""The best one-to-one assignment between two small groups, whatever the order in which its pairs are given."""

from collections.abc import Iterator, Mapping

Weights = Mapping[tuple[int, int], float]
_INFINITE = float("inf")


def best_assignment(weights: Weights) -> list[tuple[int, int]]:
    """Pairs of the largest summed weight, each index once; pairs without a positive weight are never made.

    The Hungarian method (Kuhn 1955, with the potentials of Jonker and Volgenant) on each group of indices that hang
    together, so that many certain pairs cost nothing.
    """
    pairs: list[tuple[int, int]] = []
    for rows, columns in _components(weights):
        if len(rows) <= len(columns):
            pairs += _assign(rows, columns, weights)
        else:
            turned = {(column, row): weight for (row, column), weight in weights.items()}
            pairs += [(row, column) for column, row in _assign(columns, rows, turned)]
    return sorted(pairs)


def _components(weights: Weights) -> Iterator[tuple[list[int], list[int]]]:
    by_row: dict[int, list[int]] = {}
    by_column: dict[int, list[int]] = {}
    for (row, column), weight in sorted(weights.items()):
        if weight > 0:
            by_row.setdefault(row, []).append(column)
            by_column.setdefault(column, []).append(row)
    unseen = dict.fromkeys(by_row)
    while unseen:
        rows, columns, waiting = set[int](), set[int](), [next(iter(unseen))]
        while waiting:
            row = waiting.pop()
            if row in rows:
                continue
            rows.add(row)
            unseen.pop(row)
            for column in by_row[row]:
                if column not in columns:
                    columns.add(column)
                    waiting += by_column[column]
        yield sorted(rows), sorted(columns)


def _assign(rows: list[int], columns: list[int], weights: Weights) -> list[tuple[int, int]]:
    """``rows`` not more than ``columns``. Cost is the negative weight, 0 for no pair; index 0 is the method's own."""
    cost = [[-max(0.0, weights.get((row, column), 0.0)) for column in columns] for row in rows]
    of_column = [0] * (len(columns) + 1)
    row_potential, column_potential = [0.0] * (len(rows) + 1), [0.0] * (len(columns) + 1)
    for row in range(1, len(rows) + 1):
        _grow(row, cost, of_column, row_potential, column_potential)
    pairs = [(rows[row - 1], columns[column - 1]) for column, row in enumerate(of_column) if column and row]
    return [pair for pair in pairs if weights.get(pair, 0.0) > 0]


def _grow(
    row: int, cost: list[list[float]], of_column: list[int], row_potential: list[float], column_potential: list[float]
) -> None:
    """Give one more row a column, moving rows assigned before along the cheapest alternating path."""
    size = len(of_column)
    previous, least, used = [0] * size, [_INFINITE] * size, [False] * size
    of_column[0], at = row, 0
    while of_column[at]:
        used[at] = True
        here, delta, following = of_column[at], _INFINITE, 0
        for column in range(1, size):
            if used[column]:
                continue
            reduced = cost[here - 1][column - 1] - row_potential[here] - column_potential[column]
            if reduced < least[column]:
                least[column], previous[column] = reduced, at
            if least[column] < delta:
                delta, following = least[column], column
        for column in range(size):
            if used[column]:
                row_potential[of_column[column]] += delta
                column_potential[column] -= delta
            else:
                least[column] -= delta
        at = following
    while at:
        of_column[at], at = of_column[previous[at]], previous[at]
