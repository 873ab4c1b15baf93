"""What to look for in the objects of a PDF, one object at a time, from any library (see ``Item``)."""

import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from processing.engine.guard.inspect import REVIEW_FROM, inspect_texts
from processing.engine.inspection.filters import LAYERS_MAX, UNPACKERS, unpacked_size
from processing.engine.inspection.findings import Bounds, Findings
from processing.engine.inspection.raw import coded_px, hides_all_its_text
from processing.engine.inspection.syntax import Name, Ref, TooDeep, Value, parse
from processing.engine.inspection.texts import Texts

KNOWN_FILTERS = frozenset(
    (
        "ASCIIHexDecode",
        "AHx",
        "ASCII85Decode",
        "A85",
        "LZWDecode",
        "LZW",
        "FlateDecode",
        "Fl",
        "RunLengthDecode",
        "RL",
        "CCITTFaxDecode",
        "CCF",
        "JBIG2Decode",
        "DCTDecode",
        "DCT",
        "JPXDecode",
        "Crypt",
    )
)
LEAVE_THE_DOCUMENT = ("URI", "SubmitForm", "ImportData", "GoToR", "GoToE")
INFLATE_FROM_BYTES = 64 << 10  # deflate shrinks at most 1032 times: shorter streams stay below 66 MB
TEXT_LOOK_BYTES = 1 << 20
REFERENCES_MAX = 8
SIDE_MAX_PT = 1e9  # a number of 400 digits is infinite, which JSON cannot say
# Objects that none of the rules can say anything about are not parsed; this keeps 500 000 of them cheap.
_WORTH_PARSING = re.compile(
    rb"/(?:JS|JavaScript|Launch|OpenAction|AA|EF|EmbeddedFile|FileAttachment"
    rb"|XFA|MediaBox|CropBox|RichMedia|First|Next)(?![A-Za-z])|/[^\s/<>\[\]()]*#"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One indirect object: its text without stream data, and how to get that data as stored."""

    number: int
    text: bytes
    raw: Callable[[], bytes] | None = None  # None: not a stream


@dataclass
class Walk:
    """Goes over all objects once; ``finish`` then joins what refers to each other."""

    findings: Findings
    bounds: Bounds
    resolve: Callable[[Ref], bytes]
    scripts: set[int] = field(default_factory=set)  # objects that are a script, and where each is called from
    triggers: list[tuple[Ref, str, bool]] = field(default_factory=list)  # action, place, needs no click
    outline: dict[int, tuple[int | None, int | None]] = field(default_factory=dict)
    places: set[str] = field(default_factory=set)
    automatic: set[str] = field(default_factory=set)
    filters: set[str] = field(default_factory=set)
    parsed_bytes: int = 0
    inflated_bytes: int = 0
    files: int = 0
    file_names: int = 0
    texts: int = 0
    hidden_texts: int = 0
    beside: Texts = field(default_factory=Texts)

    def over(self, items: Iterable[Item]) -> None:
        """Adds to the findings: of a damaged file another library may see other objects."""
        count = 0
        for count, item in enumerate(items, 1):
            if count > self.bounds.objects:
                break
            self._item(item)
        earlier = self.findings.object_count if self.findings.walked_by else 0
        self.findings.object_count = max(earlier, count)
        self._finish()

    def _item(self, item: Item) -> None:
        try:
            self.beside.of_object(item.text, item.raw)
        except Exception as error:  # as in a stream
            self._fail(f"texts:{type(error).__name__}")
        if item.raw is None and not _WORTH_PARSING.search(item.text):
            return
        self.parsed_bytes += len(item.text)
        try:
            value = parse(item.text, self.bounds.depth if self.parsed_bytes <= self.bounds.parsed_bytes else 0)
        except TooDeep:
            self.findings.unseen_objects += 1
            return
        self._value(value, item.number, "document")
        if item.raw and isinstance(value, dict):
            self._stream(value, item.raw)

    def _value(self, top: Value, number: int, place: str) -> None:
        """Every dictionary inside one object, without recursion."""
        todo: list[tuple[Value, str, bool | None]] = [(top, place, None)]
        while todo:
            value, place, unasked = todo.pop()
            if isinstance(value, list):
                todo += [(item, place, unasked) for item in value]
            elif isinstance(value, Ref) and unasked is not None:
                self.triggers.append((value, place, unasked))
            elif isinstance(value, dict):
                place = _place(value) or place
                self._dictionary(value, number, place, unasked)
                for key, inside in value.items():
                    todo.append((inside, place, _unasked(key, value, unasked)))

    def _dictionary(self, value: dict[str, Value], number: int, place: str, unasked: bool | None) -> None:
        kind = _action_kind(value)
        if kind == "JavaScript" and unasked is None:
            self.scripts.add(number)
        elif kind:
            self._action(kind, place, bool(unasked))
        if value.get("Type") == "EmbeddedFile" or value.get("Subtype") in ("FileAttachment", "RichMedia"):
            self.files += 1
        self.file_names += value.get("EF") is not None
        self.findings.has_form_xfa |= value.get("XFA") is not None
        if "Title" in value and ("Next" in value or "First" in value):
            self.outline[number] = (_number_of(value.get("First")), _number_of(value.get("Next")))
        self._page_size(value)

    def _action(self, kind: str, place: str, unasked: bool) -> None:
        if kind == "JavaScript":
            self.places.add(place)
        elif kind == "Launch":
            self.findings.launch_actions += 1
        elif unasked:
            self.automatic.add(kind)

    def _page_size(self, value: dict[str, Value]) -> None:
        box = self._follow(value.get("CropBox") or value.get("MediaBox"))
        if not isinstance(box, list) or len(box) != 4:
            return
        x0, y0, x1, y1 = (float(side) if isinstance(side, int | float) else 0.0 for side in box)
        unit = value.get("UserUnit")
        scale = float(unit) if isinstance(unit, int | float) else 1.0
        sides = sorted(min(abs(side) * scale, SIDE_MAX_PT) for side in (x1 - x0, y1 - y0))
        findings = self.findings
        findings.page_side_max_pt = max(findings.page_side_max_pt, sides[1])
        if sides[0] > 0:
            findings.page_side_min_pt = min(findings.page_side_min_pt or sides[0], sides[0])

    def _stream(self, value: dict[str, Value], raw: Callable[[], bytes]) -> None:
        findings = self.findings
        if value.get("F") is not None or value.get("FFilter") is not None:
            findings.external_streams += 1
        filters = self._filters(value)
        self.filters |= set(filters) - KNOWN_FILTERS
        try:
            if value.get("Subtype") == "Image" or set(filters) & {"JBIG2Decode", "JPXDecode"}:
                self._image(value, filters, raw)
            elif len(filters) > LAYERS_MAX:
                findings.unseen_objects += 1
            elif all(name in UNPACKERS for name in filters):
                self._plain(value, filters, raw())
        except Exception as error:  # what a library raises on broken data is its own affair; the rest goes on
            self._fail(f"stream:{type(error).__name__}")

    def _image(self, value: dict[str, Value], filters: list[str], raw: Callable[[], bytes]) -> None:
        width, height = self._follow(value.get("Width")), self._follow(value.get("Height"))
        declared = width * height if isinstance(width, int) and isinstance(height, int) else 0
        px = max(declared, coded_px(filters, raw()))
        self.findings.image_count += 1
        self.findings.image_px_max = max(self.findings.image_px_max, px)

    def _plain(self, value: dict[str, Value], filters: list[str], data: bytes) -> None:
        if filters and (len(filters) > 1 or len(data) >= INFLATE_FROM_BYTES):
            bound = min(self.bounds.stream_bytes, self.bounds.inflated_bytes - self.inflated_bytes)
            size = unpacked_size(data, filters, bound)
            self.inflated_bytes += size
            if self.inflated_bytes >= self.bounds.inflated_bytes:
                size = self.bounds.stream_bytes
            self.findings.stream_bytes_max = max(self.findings.stream_bytes_max, size)
        if (
            filters in ([], ["FlateDecode"], ["Fl"])
            and not {"Type", "Subtype", "Length1", "N"} & value.keys()
            and self.texts < self.bounds.text_streams
        ):
            self.texts += 1
            self.hidden_texts += hides_all_its_text(_start_of(data, len(filters)))

    def _filters(self, value: dict[str, Value]) -> list[str]:
        named = self._follow(value.get("Filter", value.get("FFilter")))
        names = named if isinstance(named, list) else [named]
        return [str(name) for name in map(self._follow, names) if isinstance(name, Name)]

    def _follow(self, value: Value) -> Value:
        for _ in range(REFERENCES_MAX):
            if not isinstance(value, Ref):
                return value
            try:
                value = parse(self.resolve(value), self.bounds.depth)
            except Exception as error:  # libraries raise several kinds on broken objects
                self._fail(f"reference:{type(error).__name__}")
                return None
        return None

    def _follow_triggers(self) -> None:
        """Actions that are objects of their own: where they are called from, and those that follow them."""
        seen: set[tuple[Ref, str, bool]] = set()
        while self.triggers:
            trigger = self.triggers.pop()
            if trigger in seen:
                continue
            seen.add(trigger)
            ref, place, unasked = trigger
            value = self._follow(ref)
            for action in value if isinstance(value, list) else [value]:
                if not isinstance(action, dict):
                    continue
                kind = _action_kind(action)
                if kind != "Launch":  # counted where it stands
                    self._action(kind, place, unasked)
                self.scripts.discard(ref.number)
                after = action.values() if "S" not in action else [action.get("Next")]
                self.triggers += [(next_ref, place, unasked) for next_ref in _refs(after)]

    def _finish(self) -> None:
        self._follow_triggers()
        if self.scripts:
            self.places.add("document")
        findings = self.findings
        findings.embedded_files = max(findings.embedded_files, self.files, self.file_names)
        findings.script_places = sorted(self.places.union(findings.script_places))
        findings.automatic_actions = sorted(self.automatic.union(findings.automatic_actions))
        findings.unsupported_filters = sorted(self.filters.union(findings.unsupported_filters))
        hits = inspect_texts(self.beside.texts).hits
        findings.instructions = sorted(
            {hit.quote for hit in hits if hit.score >= REVIEW_FROM}.union(findings.instructions)
        )
        # A scan with a recognised text layer hides text too, but under a picture of it.
        findings.has_invisible_text |= bool(self.hidden_texts) and not findings.image_count
        findings.has_loop |= _loops(self.outline)

    def _fail(self, check: str) -> None:
        if check not in self.findings.failed_checks:
            self.findings.failed_checks.append(check)


def _place(value: dict[str, Value]) -> str:
    if value.get("Type") in ("Catalog", "Page"):
        return "document" if value["Type"] == "Catalog" else "page"
    if "FT" in value or value.get("Subtype") == "Widget":
        return "form"
    return "annotation" if "Rect" in value and "Subtype" in value else ""


def _unasked(key: str, holder: dict[str, Value], inherited: bool | None) -> bool | None:
    """Whether what stands under ``key`` is an action, and one that needs no click; None when it is no action."""
    if key in ("OpenAction", "AA"):
        return True
    if key == "A" and "S" not in holder:
        return False
    return inherited if key == "Next" or "S" not in holder else None


def _action_kind(value: dict[str, Value]) -> str:
    """JavaScript, Launch, an action that leaves the document, or nothing."""
    kind = value.get("S")
    if "JS" in value or kind == "JavaScript":
        return "JavaScript"
    return str(kind) if isinstance(kind, Name) and kind in ("Launch", *LEAVE_THE_DOCUMENT) else ""


def _refs(values: Iterable[Value]) -> list[Ref]:
    items = [item for value in values for item in (value if isinstance(value, list) else [value])]
    return [item for item in items if isinstance(item, Ref)]


def _number_of(value: Value) -> int | None:
    return value.number if isinstance(value, Ref) else None


def _start_of(data: bytes, layers: int) -> bytes:
    if not layers:
        return data[:TEXT_LOOK_BYTES]
    try:
        return zlib.decompressobj().decompress(data, TEXT_LOOK_BYTES)
    except zlib.error:
        return b""


def _loops(outline: dict[int, tuple[int | None, int | None]]) -> bool:
    """Whether following First and Next from some entry comes back to an entry of the same way."""
    done: set[int] = set()
    for start in outline:
        path: set[int] = set()
        todo = [(start, False)]
        while todo:
            number, leaving = todo.pop()
            if leaving:
                path.discard(number)
                done.add(number)
            elif number in path:
                return True
            elif number not in done and number in outline:
                path.add(number)
                todo.append((number, True))
                todo += [(after, False) for after in outline[number] if after is not None]
    return False
