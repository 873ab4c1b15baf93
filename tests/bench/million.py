"""A database as it is after a busy year: 500 documents of 2000 pages with what belongs to them, made in half a minute.

Written by PostgreSQL itself from generate_series into tables whose indexes and foreign keys come back afterwards. What
is the same in every row is a constant: JSON that is put together row by row costs more than all the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models.expressions import RawSQL
from django.db.models.fields import NOT_PROVIDED

from catalogsku.accounts.models import Merchant
from catalogsku.profiles.services import profile_for, routing_now, schema_for
from ingestion.models import Job, Page
from processing.catalogue.searching import gram_numbers, grams_of
from processing.webhooks.models import WebhookCursor, WebhookEndpoint

JOBS, PAGES_EACH, MERCHANTS = 500, 2000, 5
# A sample has 300 times as many rows; with PostgreSQL's own 100, looking at wide rows takes as long as writing them.
STATISTICS = 25
# In this order, so that what is referred to is there.
FILLED = (
    "ingestion.Job", "ingestion.Page", "processing.Sku", "processing.CatalogueEntry", "processing.Image",
    "processing.SkuImage", "processing.ImportRecord", "processing.PageContent", "annotation.HumanTask",
    "core.Transition", "processing.WebhookDelivery",
)  # fmt: skip
RECEIVER = "https://shop.example.org/hooks"
# Of 100 documents: 87 have ended, 8 wait for people, 1 has stopped pages, 2 are cancelled, 2 are being worked on.
JOB_STATUS = """CASE WHEN j % 100 < 87 THEN 'FULL_IMPORTED' WHEN j % 100 < 95 THEN 'PARTIAL_IMPORTED'
    WHEN j % 100 < 96 THEN 'PARTIAL_FAILED' WHEN j % 100 < 98 THEN 'CANCELLED' ELSE 'PROCESSING' END"""
# Facts about page n of job j, from which every other column follows: how it stands and whether anything is sold there.
# OFFSET 0: they are found once a row, not once for each column that follows from them.
PAGE_FACTS = f"""(SELECT j, n, js, n % 12 = 0 AS blank, n % 12 = 8 AS text,
    js = 'PROCESSING' AND n > 1000 AS waits, js = 'PARTIAL_IMPORTED' AND n % 40 = 1 AS people,
    (j - 1) * {{pages}} + n AS id FROM (SELECT j, {JOB_STATUS} AS js FROM generate_series(1, {{jobs}}) j OFFSET 0) jobs,
    generate_series(1, {{pages}}) n OFFSET 0) f"""
SOLD = "NOT blank AND NOT text AND NOT waits AND js <> 'CANCELLED'"
# 40 products in 25 materials: words of two and three characters that a thousandth, a fortieth or all of them have.
PRODUCTS = "餐椅 书桌 茶几 衣柜 沙发 吊灯 台灯 书架 鞋柜 床头柜 屏风 花架 边几 吧椅 餐桌 电视柜 玄关柜 斗柜 妆台 儿童床"
PRODUCTS += (
    " 办公椅 会议桌 文件柜 折叠凳 户外椅 遮阳伞 储物箱 置物架 脚踏 躺椅 地毯 窗帘 靠垫 镜子 挂钟 花瓶 烛台 托盘 果盘"
)
PRODUCTS += " 水壶"
MATERIALS = (
    "橡木 胡桃木 榉木 松木 柚木 竹 藤 钢 铝 铜 铁艺 玻璃 大理石 岩板 陶瓷 亚麻 棉 羊毛 真皮 绒布 塑料 碳纤维 树脂"
)
MATERIALS += " 混凝土 板材"
MODEL = "'A200-' || lpad(id::text, 7, '0')"
PRODUCT = f"(ARRAY{PRODUCTS.split()})[1 + id % 40]"
MATERIAL = f"(ARRAY{MATERIALS.split()})[1 + id / 40 % 25]"
ATTRIBUTES = f"""'{{"brand": "示例家居", "series": null, "size": "1200×600×750", "color": "原木", "price": "1,299.00",
    "currency": "CNY", "unit": null, "moq": "20", "weight": null, "packing": null, "description": null}}'::jsonb
    || jsonb_build_object('model', {MODEL}, 'product_name', '青禾' || {PRODUCT}, 'material', {MATERIAL})"""
PAYLOAD = r"'\x7b226d6f64656c223a2022413230302d31222c20227072696365223a2022312c3239392e3030227d'::bytea"
PRESCAN = """'{"number": 1, "blank": false, "characters": 800, "images": 0, "drawings": 40, "needs_ocr": false,
    "width_pt": 595, "height_pt": 842}'::jsonb"""
BOX = "'[40, 104, 555, 134]'::jsonb"


def fill(
    jobs: int = JOBS, pages: int = PAGES_EACH, merchants: int = MERCHANTS, catalogued: Sequence[int] = ()
) -> dict[str, int]:
    """Make them in an empty database; rows by table. ``catalogued``: the numbers of the merchants that have a
    catalogue, all of them where it names none.

    Raises ValueError where there are documents already.
    """
    if Job.objects.exists():
        raise ValueError("The database holds documents: a million pages are put into an empty one only.")
    owners = [Merchant.objects.create(name=f"Merchant {n}").pk for n in range(1, merchants + 1)]
    tables = [apps.get_model(name) for name in FILLED]
    with transaction.atomic(), connection.cursor() as cursor, _bare(tables):
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL synchronous_commit = off")
        _fill_all(PAGE_FACTS.format(jobs=jobs, pages=pages), jobs, pages, owners)
        distinct = jobs * pages * 9 // 10  # a tenth of them is in two documents
        _fill_catalogue(
            PAGE_FACTS.format(jobs=jobs, pages=pages), distinct, owners, catalogued or range(1, merchants + 1)
        )
    with connection.cursor() as cursor:
        cursor.execute(f"SET default_statistics_target = {STATISTICS}")
        for model in tables:
            cursor.execute(f"VACUUM (ANALYZE) {model._meta.db_table}")
            if model._meta.pk.name == "id":
                cursor.execute(f"SELECT setval(pg_get_serial_sequence('{model._meta.db_table}', 'id'), 100000000)")
        cursor.execute("RESET default_statistics_target")
        return {name: _count(cursor, model) for name, model in zip(FILLED, tables, strict=True)}


def _count(cursor: Any, model: type[models.Model]) -> int:
    cursor.execute("SELECT reltuples::bigint FROM pg_class WHERE relname = %s", [model._meta.db_table])
    return int(cursor.fetchone()[0])


def _fill_all(pages_of: str, jobs: int, pages: int, merchants: list[int]) -> None:
    merchant = f"(ARRAY{merchants})[1 + (j - 1) % {len(merchants)}]"
    sha = "encode(sha256(('file ' || j)::bytea), 'hex')"
    _insert(Job, f"(SELECT j, {JOB_STATUS} AS js FROM generate_series(1, {jobs}) j) f", {
        "id": "j", "uuid": "gen_random_uuid()", "merchant_id": merchant, "idempotency_key": "'key ' || j",
        "source_name": "'Catalogue ' || j || '.pdf'", "source_key": "'m/' || j || '.pdf'", "source_bytes": "40000000",
        "file_sha256": sha, "hash8": f"left({sha}, 8)", "total_pages": str(pages), "status": "js", "route": "'AUTO'",
        "c_doc": "0.91", "profile_id": str(profile_for("").pk), "schema_id": str(schema_for("").pk),
        "routing_id": str(routing_now().pk),
        "created_at": f"now() - make_interval(hours => {jobs} - j)", "checked_at": "now() - interval '1 hour'",
        "evaluated_at": "now() - interval '1 hour'", "progressed_at": "now()",
        "finished_at": "CASE WHEN js IN ('FULL_IMPORTED', 'CANCELLED') THEN now() END",
        "completion_source": "CASE WHEN js = 'FULL_IMPORTED' THEN 'machine' ELSE '' END",
    })  # fmt: skip
    _insert(Page, pages_of, {
        "id": "id", "job_id": "j", "number": "n",
        "status": """CASE WHEN blank THEN 'BLANK' WHEN text OR js = 'CANCELLED' THEN 'SKIPPED'
            WHEN waits THEN 'AI_QUEUED' WHEN js = 'PARTIAL_FAILED' AND n = 1999 THEN 'DEAD_LETTER'
            WHEN people THEN 'HUMAN_QUEUED' ELSE 'AI_COMPLETED' END""",
        "stage": """CASE WHEN NOT waits OR blank OR text THEN 'NONE' WHEN n <= 1040 THEN 'UNDERSTAND_RULES'
            ELSE 'READ' END""",
        "import_state": f"CASE WHEN {SOLD} THEN 'confirmed' ELSE 'none' END",
        "skip_reason": "CASE WHEN js = 'CANCELLED' THEN 'cancelled' WHEN text THEN 'no_product' ELSE '' END",
        "needs_review": "people", "sku_count": f"({SOLD})::int", "delivered_count": f"({SOLD} AND NOT people)::int",
        "blockers": """CASE WHEN people THEN '[{"code": "binding_ambiguous", "params": {}, "sku": "s"}]'::jsonb
            ELSE '[]' END""",
        "confidence": "0.93", "width_pt": "595", "height_pt": "842", "page_type": "'A'", "layout_type": "'L2'",
        "prescan": PRESCAN,
        "thumbnail_key": "'m/t/' || id || '.jpg'", "screenshot_key": "'m/s/' || id || '.jpg'", "reader": "'pymupdf'",
        "finished_at": "CASE WHEN NOT waits THEN now() - interval '1 hour' END", "version": "4",
    })  # fmt: skip
    sold = f"(SELECT *, 'x' || j || '_p' || n || '_001' AS sku_id FROM {pages_of} WHERE {SOLD}) f"
    pictured = f"(SELECT * FROM {pages_of} WHERE {SOLD} AND n % 3 = 0) f"
    _insert(_model("processing.Sku"), sold, {
        "id": "id", "job_id": "j", "page_id": "id", "sku_id": "sku_id", "validity": "'full'", "confidence": "0.93",
        "status": "CASE WHEN people THEN 'BOUND' ELSE 'IMPORTED' END", "box": BOX, "attributes": ATTRIBUTES,
    })  # fmt: skip
    _insert(_model("processing.Image"), pictured, {
        "id": "id", "job_id": "j", "page_id": "id", "image_id": "'img_' || id", "picture": "'P1'",
        "status": "'DELIVERABLE'", "role": "'PRODUCT_MAIN'", "box": BOX, "width_px": "1000", "height_px": "650",
        "short_edge": "650", "grade": "'good'", "content_hash": "md5(id::text)", "storage_key": "'m/p/' || id",
        "perceptual_hash": "left(md5((id % 72)::text), 16)",
    })  # fmt: skip
    _insert(_model("processing.SkuImage"), pictured, {
        "id": "id", "sku_id": "id", "image_id": "id", "role": "'PRODUCT_MAIN'", "method": "'grid'", "confidence": "0.9",
    })  # fmt: skip
    _insert(_model("processing.ImportRecord"), f"(SELECT * FROM {sold} WHERE NOT people) f", {
        "id": "id", "target": "'local'", "merchant_id": merchant, "job_id": "j", "page_id": "id", "sku_id": "id",
        "sku_key": "sku_id", "generation": "1", "state": "'CONFIRMED'", "attempt": "1", "sent_at": "now()",
        "payload": PAYLOAD, "payload_hash": "id::text",
    })  # fmt: skip
    kept = f"(SELECT * FROM {pages_of} WHERE n % 5 = 2 AND NOT blank AND NOT waits) f"
    _insert(_model("processing.PageContent"), kept, {
        "id": "id", "merchant_id": merchant, "file_sha256": sha, "number": "n", "reading_key": "'0123456789abcdef'",
        "data": PAYLOAD,
    })  # fmt: skip
    newest = f"j > {jobs - len(merchants)} AND j > {len(merchants)}"  # of each merchant, after one of its own
    _insert(_model("processing.Edition"), f"(SELECT j FROM generate_series(1, {jobs}) j WHERE {newest}) f", {
        "job_id": "j", "predecessor_id": f"j - {len(merchants)}", "origin": "'declared'", "compared": "1",
        "tally": f"""jsonb_build_object('changed', {pages // 2}, 'added', {pages // 4}, 'removed', {pages // 4})""",
    })  # fmt: skip
    _insert(_model("processing.EditionChange"), f"(SELECT * FROM {sold} WHERE {newest}) f", {
        "edition_id": "j", "key": "sku_id",
        "kind": "CASE n % 4 WHEN 0 THEN 'added' WHEN 1 THEN 'removed' ELSE 'changed' END",
        "later_id": "CASE WHEN n % 4 <> 1 THEN id END", "earlier_id": "CASE WHEN n % 4 = 1 THEN id END",
        "rank": "CASE n % 4 WHEN 0 THEN 2 WHEN 1 THEN 3 ELSE n % 2 END", "weight": "-n",
        "fields": "'[[\"price\", \"100\", \"105\"]]'::jsonb", "price_change": "0.05",
    })  # fmt: skip
    _insert(_model("annotation.HumanTask"), f"(SELECT * FROM {pages_of} WHERE people OR n % 100 = 7) f", {
        "id": "id", "uuid": "gen_random_uuid()", "job_id": "j", "page_id": "id", "type": "'BINDING_REVIEW'",
        "subject": "'s'", "status": "CASE WHEN people THEN 'CREATED' ELSE 'COMPLETED' END", "created_at": "now()",
    })  # fmt: skip
    _insert(_model("core.Transition"), f"(SELECT * FROM {pages_of} WHERE NOT blank) f", {
        "entity": "'page'", "entity_id": "id", "job_id": "j", "source": "'AI_QUEUED'", "target": "'AI_COMPLETED'",
        "trigger": "'understood'", "actor": "'system'",
    })  # fmt: skip
    if len(merchants) > 1:
        _fill_webhooks(pages_of, merchants)


def _fill_webhooks(pages_of: str, merchants: list[int]) -> None:
    """A receiver of each merchant but the last: it was told of every tenth of its pages, and some wait for it."""
    addresses = {len(merchants) - 2: RECEIVER}
    endpoints = [
        WebhookEndpoint.objects.create(
            merchant_id=owner, url=addresses.get(n, f"{RECEIVER}/{n}"), events=["page.completed"]
        ).pk
        for n, owner in enumerate(merchants[:-1])
    ]
    own = f"(j - 1) % {len(merchants)}"
    told = f"(SELECT *, {own} AS own FROM {pages_of} WHERE {own} < {len(endpoints)} AND n % 10 = 1) f"
    _insert(_model("processing.WebhookDelivery"), told, {
        "id": "id", "uuid": "gen_random_uuid()", "endpoint_id": f"(ARRAY{endpoints})[1 + own]", "event": "id",
        "job_id": "j", "type": "'page.completed'", "body": "'{}'", "due_until": "now() + interval '1 day'",
        "state": "CASE WHEN js = 'PROCESSING' THEN 'WAITING' WHEN n % 100 = 1 THEN 'FAILED' ELSE 'DELIVERED' END",
    })  # fmt: skip
    WebhookCursor.objects.update(position=RawSQL("pg_current_xact_id()::text::bigint + 1", ()))


def _fill_catalogue(pages_of: str, distinct: int, merchants: list[int], catalogued: Sequence[int]) -> None:
    """The grams of each of the thousand names are made once; those of a model follow from its seven digits."""
    digits = "lpad(id::text, 7, '0')"
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE named (merchant_id bigint, kind int, words text, grams int[]) ON COMMIT DROP")
        cursor.executemany(
            "INSERT INTO named VALUES (%s, %s, %s, %s)", _named([merchants[number - 1] for number in catalogued])
        )
    own = [f"'a200-' || {digits}", f"'a200' || {digits}"]
    grams = [f"substr(d, {at}, 3)" for at in range(1, 6)] + ["'^' || left(d, 1)", "'^' || left(d, 2)"]
    grams += ["'00' || left(d, 1)", "'0' || left(d, 2)"]
    signed = "(crc32(convert_to(merchant_id || ':' || gram, 'UTF8')) # 2147483648) - 2147483648"
    source = f"""(SELECT f.*, named.*, own.model FROM (SELECT * FROM {pages_of} WHERE {SOLD}) f
        JOIN named ON named.kind = id % 1000 AND named.merchant_id = (ARRAY{merchants})[1 + (j - 1) % {len(merchants)}],
        LATERAL (SELECT array_agg(({signed})::int) AS model
                 FROM (SELECT {digits} AS d) d, unnest(ARRAY[{", ".join(grams)}]) gram) own) f"""
    _insert(_model("processing.CatalogueEntry"), source, {
        "sku_id": "id", "merchant_id": "merchant_id", "job_id": "j", "page_id": "id", "brand_key": "'示例家居'",
        "model_key": f"'a200' || lpad((id % {distinct})::text, 7, '0')", "price": "1 + id % 5000", "currency": "'CNY'",
        "complete_percent": "80 + id % 2 * 20", "picture_hash": "CASE WHEN n % 3 = 0 THEN md5(id::text) ELSE '' END",
        "waits": "people", "words": f"{own[0]} || words || {own[1]}", "grams": "grams || model",
    })  # fmt: skip


def _named(merchants: list[int]) -> list[tuple[int, int, str, list[int]]]:
    """(merchant, id modulo 1000, words between the two models, grams but those of the digits)."""
    products, materials, found = PRODUCTS.split(), MATERIALS.split(), []
    for kind in range(1000):
        words = f"\n青禾{products[kind % 40]}\n示例家居\n{materials[kind // 40]}\n原木\n"
        grams = grams_of(f"{words}a200")
        found += [(merchant, kind, words, gram_numbers(merchant, grams)) for merchant in merchants]
    return found


def _model(name: str) -> type[models.Model]:
    """By name: the tasks belong to an app above this one."""
    return apps.get_model(name)


def _insert(model: type[models.Model], source: str, columns: Mapping[str, str]) -> None:
    """One row for each of ``source``; ``columns`` are SQL, every other one gets its model's default."""
    names, expressions, values = [], [], []
    for field in model._meta.concrete_fields:
        column = field.column or field.name
        if column in columns:
            expression = columns[column].replace("%", "%%")
        elif field.primary_key or field.db_default is not NOT_PROVIDED:
            continue
        elif getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False):
            expression = "now()"
        else:
            expression = "%s"
            values.append(field.get_db_prep_save(field.get_default(), connection))
        names.append(connection.ops.quote_name(column))
        expressions.append(expression)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(expressions)}"
            f" FROM {source.replace('%', '%%')}",
            values,
        )


@contextmanager
def _bare(tables: list[type[models.Model]]) -> Iterator[None]:
    """The tables without indexes and foreign keys, which are made again at the end: a tenth of the time."""
    names = [model._meta.db_table for model in tables]
    with connection.cursor() as cursor:
        cursor.execute(
            """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
               WHERE contype IN ('f', 'u', 'p') AND %(names)s::text[] @> ARRAY[conrelid::regclass::text]
                  OR contype = 'f' AND %(names)s::text[] @> ARRAY[confrelid::regclass::text]
               ORDER BY position(contype::text IN 'puf')""",
            {"names": names},
        )
        constraints = cursor.fetchall()
        cursor.execute(
            """SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
               WHERE indrelid::regclass::text = ANY(%s)
                 AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))""",
            [names],
        )
        indexes = cursor.fetchall()
        for table, name, _ in reversed(constraints):
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        for name, _ in indexes:
            cursor.execute(f"DROP INDEX {name}")
        cursor.execute(f"TRUNCATE {', '.join(names)}")  # a new file: what is written to it is not logged too
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # those of other tables, which were not dropped, wait else
        for _, definition in indexes:
            cursor.execute(definition)
        for table, name, definition in constraints:
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
