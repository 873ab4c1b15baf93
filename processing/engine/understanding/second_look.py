"""Whether what a crop of the page reads like is the value that was said to stand in it. Pure."""

from processing.engine.understanding.quotes import Printed


def agrees(value: str, read: str) -> bool:
    return Printed((read,)).match(value).kind == "exact"
