"""Collecting, checking and compiling translations without gettext."""

import gettext
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from catalogsku.core.management.commands import messages


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "ingestion").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "ingestion" / "views.py").write_text(
        'title = _("Documents")\n'
        'lazy = gettext_lazy("In " "parts")\n'
        'verb = pgettext_lazy("verb", "Open")\n'
        'pages = ngettext("%(n)s page", "%(n)s pages", n)\n'
        "none = _(title)\n"
    )
    (tmp_path / "templates" / "page.html").write_text(
        '{% load i18n %}<p title="{% translate \'Close\' %}">It\'s (not) a "{{ name|default:_("nameless") }}\n'
        "  {% blocktranslate trimmed count n=n %}\n  {{ n }} job\n"
        "  {% plural %}\n  {{ n }} jobs\n  {% endblocktranslate %}\n"
        "{# not this: {% translate 'Hidden' %} #} {% translate 'Open' context 'state' %}</p>\n"
    )
    return tmp_path


def po(project: Path) -> Path:
    return project / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"


def translate(file: Path, words: dict[tuple[str | None, str], str]) -> None:
    text = file.read_text()
    for (context, text_id), translated in words.items():
        head = f'msgctxt "{context}"\n' if context else ""
        for tail in (f'msgid "{text_id}"\nmsgstr ', f'msgid "{text_id}"\nmsgid_plural "{text_id}s"\nmsgstr[0] '):
            text = text.replace(f'{head}{tail}""', f'{head}{tail}"{translated}"')
    file.write_text(text)


CHINESE = {
    (None, "Documents"): "文档",
    (None, "In parts"): "分段",
    ("verb", "Open"): "打开",
    (None, "%(n)s page"): "%(n)s 页",
    (None, "Close"): "关闭",
    (None, "nameless"): "无名",
    (None, "%(n)s job"): "%(n)s 个任务",
    ("state", "Open"): "待办",
}


def test_finds_every_message_of_code_and_templates(project: Path) -> None:
    found = {(message.context, messages._first(message)) for message in messages.collect(project) if message.id}

    assert found == set(CHINESE)


def test_a_complete_file_has_no_complaints_and_compiles(project: Path) -> None:
    found = messages.collect(project)
    messages.renew(po(project), found)
    assert len(list(messages.complain(found, messages.read(po(project))))) == len(CHINESE)

    translate(po(project), CHINESE)

    assert list(messages.complain(found, messages.read(po(project)))) == []
    assert messages.compile_file(po(project))
    assert not messages.compile_file(po(project))
    with po(project).with_suffix(".mo").open("rb") as compiled:
        chinese = gettext.GNUTranslations(compiled)
    assert chinese.gettext("Documents") == "文档"
    assert chinese.pgettext("state", "Open") == "待办"
    assert chinese.ngettext("%(n)s page", "%(n)s pages", 3) == "%(n)s 页"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('msgstr "文档"', 'msgstr ""', "not translated: 'Documents'"),
        ("%(n)s 页", "%(m)s 页", "other placeholders: '%(n)s page'"),
        ('msgid "Close"', 'msgid "Shut"', "missing: 'Close'"),
        ('msgid "Close"', 'msgid "Shut"', "unused: 'Shut'"),
        ('msgid "Close"', '#, fuzzy\nmsgid "Close"', "unsure (fuzzy): 'Close'"),
    ],
)
def test_complains_of_each_fault(project: Path, old: str, new: str, complaint: str) -> None:
    found = messages.collect(project)
    messages.renew(po(project), found)
    translate(po(project), CHINESE)
    text = po(project).read_text()
    assert old in text
    po(project).write_text(text.replace(old, new))

    assert any(line.startswith(complaint) for line in messages.complain(found, messages.read(po(project))))


def test_renewing_keeps_translations_and_drops_what_is_gone(project: Path) -> None:
    messages.renew(po(project), messages.collect(project))
    translate(po(project), CHINESE)
    (project / "ingestion" / "views.py").write_text('title = _("Documents")\nnew = _("New one")\n')

    assert messages.renew(po(project), messages.collect(project)) == "1 new, 3 gone"

    renewed = messages.read(po(project))
    kept = renewed.get("Documents")
    assert kept is not None and kept.string == "文档"
    assert list(messages.complain(messages.collect(project), renewed)) == ["not translated: 'New one'"]
    assert not renewed.obsolete


def test_an_unchanged_source_leaves_the_file_alone(project: Path) -> None:
    messages.renew(po(project), messages.collect(project))
    before = po(project).read_bytes()

    messages.renew(po(project), messages.collect(project))

    assert po(project).read_bytes() == before


def test_a_missing_file_is_a_complaint_for_each_message(project: Path) -> None:
    found = messages.collect(project)
    missing: Catalog = messages.read(po(project))

    assert len([line for line in messages.complain(found, missing) if line.startswith("missing")]) == len(CHINESE)
