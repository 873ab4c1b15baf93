"""Small drawn parts of every screen: icons, key caps, avatars, bars, and how figures are written."""

from datetime import datetime, timedelta
from functools import cache, lru_cache
from zlib import crc32

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from catalogsku.core import clock, moments

register = template.Library()

NO_DATA = "—"
AVATAR_COLOURS = 6


# A screen of 50 rows draws some 250 of a few dozen. ``typed``: safe text is escaped otherwise than other text.
@register.simple_tag
@lru_cache(1024, typed=True)
def icon(name: str, size: int = 16, tone: str = "", label: str = "", css: str = "") -> SafeString:
    """One icon of the sprite; silent to a screen reader unless `label` names it."""
    classes = " ".join(filter(None, ["icon", f"icon-{size}" if size != 16 else "", tone and f"tone-{tone}", css]))
    said = format_html(' role="img" aria-label="{}"', label) if label else mark_safe(' aria-hidden="true"')
    return format_html(
        '<svg class="{}"{} focusable="false"><use href="{}#{}"></use></svg>', classes, said, sprite(), name
    )


@register.simple_tag
@cache
def sprite() -> str:
    return static("img/icons.svg")


@register.simple_tag
def zone() -> str:
    """Of every time that a screen shows."""
    return str(settings.TIME_ZONE)


@register.simple_tag
def offset() -> str:
    return moments.offset(clock.now())


@register.simple_tag
@cache
def script_modules() -> SafeString:
    """All that app.js imports, by and by: named in the head, they come at once. Under their own names, as imported."""
    files = sorted((settings.BASE_DIR / "static" / "js").glob("*.js"))
    return format_html_join(
        "\n  ",
        '<link rel="modulepreload" href="{}js/{}">',
        ((settings.STATIC_URL, file.name) for file in files if file.name not in ("app.js", "early.js")),
    )


@register.simple_tag
def key(*caps: str) -> SafeString:
    """Key caps as printed on buttons and in hint lines."""
    return format_html_join(mark_safe(" "), '<kbd class="key">{}</kbd>', ((cap,) for cap in caps))


@register.simple_tag
def hint(words: str, *caps: str) -> SafeString:
    return format_html('<span class="hint">{} <span>{}</span></span>', key(*caps), words)


@register.simple_tag
def sep() -> SafeString:
    """The drawn dot between two facts; read aloud as a pause."""
    return mark_safe('<span class="sr">, </span><span class="sep" aria-hidden="true"></span>')


@register.simple_tag
def crop_marks() -> SafeString:
    return mark_safe("".join(f'<i class="crop crop-{n}" aria-hidden="true"></i>' for n in range(1, 5)))


@register.simple_tag
def avatar(name: str, size: int = 24) -> SafeString:
    """A person's initials on a colour that stays theirs."""
    if not name:
        return SafeString("")
    small = f" avatar-{size}" if size != 24 else ""
    return format_html(
        '<span class="avatar avatar-{}{}" title="{}">'
        '<span aria-hidden="true">{}</span><span class="sr">{}</span></span>',
        avatar_colour(name),
        small,
        name,
        initials(name),
        name,
    )


def avatar_colour(name: str) -> int:
    """1 to AVATAR_COLOURS."""
    return crc32(name.encode()) % AVATAR_COLOURS + 1


def initials(name: str) -> str:
    """First sign of a Chinese name, first letters of two words of any other."""
    words = name.replace(".", " ").replace("_", " ").split()
    if not words:
        return ""
    if ord(words[0][0]) > 0x2E7F:
        return words[0][0]
    return "".join(word[0] for word in words[:2]).upper()


@register.filter
def dash(value: object) -> object:
    """No data is a dash, never zero."""
    return NO_DATA if value is None or value == "" else value


@register.filter
def megabytes(size_bytes: int | None) -> str:
    """Bytes as people compare them: 41.2 MB, 812 KB."""
    if size_bytes is None:
        return NO_DATA
    if size_bytes < 1_000_000:
        return f"{max(1, round(size_bytes / 1000))} KB"
    whole = size_bytes % 1_000_000 == 0
    return f"{formats.number_format(size_bytes / 1_000_000, 0 if whole else 1)} MB"


@register.filter
def ratio(value: float | None) -> str:
    return NO_DATA if value is None else f"{value:.2f}"


@register.simple_tag
def moment(at: datetime | None, style: str = "ago", css: str = "") -> SafeString | str:
    """A time as people read it, in a `style` of catalogsku/core/moments.py; its title says the whole, with the zone."""
    if not at:
        return NO_DATA
    kind = format_html(' class="{}"', css) if css else ""
    return format_html(
        '<time{} datetime="{}" title="{}">{}</time>', kind, iso(at), moments.whole(at), moments.STYLES[style](at)
    )


@register.simple_tag
def at_once(style: str = "seconds") -> SafeString | str:
    """The moment at which this is written."""
    return moment(clock.now(), style)


@register.filter
def iso(at: datetime) -> str:
    """For programs, whatever the zone."""
    return timezone.localtime(at).isoformat()


register.filter("day", moments.day)
register.filter("whole", moments.whole)


@register.filter
def duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 60:
        return _("%(s)s s") % {"s": whole}
    if whole < 3600:
        return _("%(m)s min %(s)s s") % {"m": whole // 60, "s": whole % 60}
    return _("%(h)s h %(m)s min") % {"h": whole // 3600, "m": whole % 3600 // 60}


@register.filter
def minutes(span: timedelta) -> int:
    """Whole minutes, the last one counted as begun."""
    return -int(-span.total_seconds() // 60)
