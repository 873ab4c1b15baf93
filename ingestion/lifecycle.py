"""Where jobs and pages stand: their states, the moves between them, and the sets that code asks for by name."""

from itertools import permutations

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy

from catalogsku.core.moves import Lifecycle, Move, News


class JobStatus(TextChoices):
    UPLOADED = "UPLOADED", pgettext_lazy("job", "Checking")
    REJECTED = "REJECTED", pgettext_lazy("job", "Refused")
    EVALUATING = "EVALUATING", pgettext_lazy("job", "Evaluating")
    EVAL_FAILED = "EVAL_FAILED", pgettext_lazy("job", "Evaluation failed")
    EVALUATED = "EVALUATED", pgettext_lazy("job", "Evaluated")
    PROCESSING = "PROCESSING", pgettext_lazy("job", "In progress")
    AWAITING_GO = "AWAITING_GO", pgettext_lazy("job", "Awaits a go-ahead")
    DEGRADED_HUMAN = "DEGRADED_HUMAN", pgettext_lazy("job", "People only")
    PARTIAL_IMPORTED = "PARTIAL_IMPORTED", pgettext_lazy("job", "Needs people")
    PARTIAL_FAILED = "PARTIAL_FAILED", pgettext_lazy("job", "Partly failed")
    FULL_IMPORTED = "FULL_IMPORTED", pgettext_lazy("job", "Finished")
    ORPHANED = "ORPHANED", pgettext_lazy("job", "Waiting for workers")
    CANCELLED = "CANCELLED", pgettext_lazy("job", "Cancelled")


class JobStage(TextChoices):
    """What a machine does next with the job as a whole."""

    INSPECT = "INSPECT"
    PRESCAN = "PRESCAN"
    EVALUATE = "EVALUATE"
    EXTRACT = "EXTRACT"
    ASK = "ASK"
    NONE = "NONE"


class PageStatus(TextChoices):
    PENDING = "PENDING", pgettext_lazy("page", "Waiting")
    BLANK = "BLANK", pgettext_lazy("page", "Blank")
    AI_QUEUED = "AI_QUEUED", pgettext_lazy("page", "Queued")
    AI_COMPLETED = "AI_COMPLETED", pgettext_lazy("page", "Read")
    AI_FAILED = "AI_FAILED", pgettext_lazy("page", "Retry")
    DEAD_LETTER = "DEAD_LETTER", pgettext_lazy("page", "Stopped")
    SKIPPED = "SKIPPED", pgettext_lazy("page", "Skipped")
    HUMAN_QUEUED = "HUMAN_QUEUED", pgettext_lazy("page", "Needs people")
    HUMAN_PROCESSING = "HUMAN_PROCESSING", pgettext_lazy("page", "In hand")
    HUMAN_COMPLETED = "HUMAN_COMPLETED", pgettext_lazy("page", "Checked")


class PageStage(TextChoices):
    """What a machine does next with the page; beside the status, not audited.

    PRICE: the rules have done with it and models would be asked, once it is known what the whole document costs and
    somebody or the merchant's setting lets it go. BATCH: a question about it waits in a batch, which ends within a day
    or so; until then no machine has anything to do with it.
    """

    READ = "READ"
    UNDERSTAND_RULES = "UNDERSTAND_RULES"
    PRICE = "PRICE"
    UNDERSTAND = "UNDERSTAND"
    BATCH = "BATCH"
    NONE = "NONE"


class Urgency(TextChoices):
    """Whether models are asked about a document at once, or in batches at a part of the price."""

    NOW = "now", pgettext_lazy("urgency", "at once")
    BATCH = "batch", pgettext_lazy("urgency", "in batches")


class ModelsState(TextChoices):
    """Whether models are asked about a document's pages; what a person decided holds for its later pages too.

    ASKING: a person is asked, because of what it would cost.
    """

    NONE = "none"
    ASKING = "asking"
    GO = "go"
    LEFT = "left"


class ImportState(TextChoices):
    NONE = "none"
    PENDING = "pending"
    ASSUMED = "assumed"
    CONFIRMED = "confirmed"
    FAILED = "failed"
    STALE = "stale"


class SkipReason(TextChoices):
    NO_PRODUCT = "no_product"
    PERSON = "person"
    SLA = "sla"
    CANCELLED = "cancelled"


class Route(TextChoices):
    AUTO = "AUTO", pgettext_lazy("route", "Automatic route")
    HYBRID = "HYBRID", pgettext_lazy("route", "Hybrid route")
    HUMAN_ALL = "HUMAN_ALL", pgettext_lazy("route", "People only")


J, P = JobStatus, PageStatus

# The states that are a function of the pages (settle_job), movable both ways.
SETTLED = (J.PROCESSING, J.DEGRADED_HUMAN, J.PARTIAL_IMPORTED, J.PARTIAL_FAILED, J.FULL_IMPORTED, J.AWAITING_GO)
# States in which nothing moves by itself any more.
CLOSED = frozenset({J.FULL_IMPORTED, J.CANCELLED, J.REJECTED})
CANCELLABLE = tuple(s for s in JobStatus if s not in CLOSED)
# States whose pages machines may work on; while EVALUATING they are only read, the sampled ones first.
WORKABLE = frozenset({*SETTLED, J.EVALUATING, J.ORPHANED})
# States whose next move is a machine's, once there is one.
MOVED_BY_MACHINES = (J.UPLOADED, J.EVALUATING, J.EVALUATED, J.PROCESSING, J.ORPHANED)
ORPHANABLE = (J.UPLOADED, J.EVALUATING, J.PROCESSING, J.DEGRADED_HUMAN)

# Pages that machines still have, that people have, that went wrong, and that nothing more will happen to.
PAGES_WITH_MACHINES = frozenset({P.PENDING, P.AI_QUEUED, P.AI_FAILED})
PAGES_WITH_PEOPLE = frozenset({P.HUMAN_QUEUED, P.HUMAN_PROCESSING})
# Stages before it is known which pages models would be asked about.
STAGES_OF_RULES = (PageStage.READ, PageStage.UNDERSTAND_RULES)
PAGES_TAKEN_UP_AGAIN = (P.BLANK, P.SKIPPED, P.DEAD_LETTER, P.HUMAN_COMPLETED, P.HUMAN_QUEUED, P.AI_COMPLETED)

_DISPATCH = News("dispatch_job", per="job")
_SETTLE = News("settle_job", per="job")
_TASKS = News("open_tasks", per="job")

JOB = Lifecycle(
    "job",
    [
        Move(J.UPLOADED, "accepted", J.EVALUATING, _DISPATCH),
        Move(J.UPLOADED, "accepted", J.PROCESSING, _DISPATCH),  # of a kind that is not evaluated
        Move(J.UPLOADED, "refused", J.REJECTED),
        Move(J.UPLOADED, "all_blank", J.DEGRADED_HUMAN, _TASKS),
        Move(J.REJECTED, "password_given", J.UPLOADED, _DISPATCH),
        Move(J.REJECTED, "copy_wanted", J.UPLOADED, _DISPATCH),
        Move(J.EVALUATING, "evaluated", J.EVALUATED),
        Move(J.EVALUATING, "evaluation_failed", J.EVAL_FAILED),
        Move(J.EVAL_FAILED, "evaluation_failed", J.DEGRADED_HUMAN, _TASKS),
        Move(J.EVAL_FAILED, "evaluate_again", J.EVALUATING, _DISPATCH),
        Move(J.EVALUATED, "routed", J.PROCESSING, _DISPATCH),
        Move(J.EVALUATED, "routed", J.DEGRADED_HUMAN, _TASKS),
        *(Move(a, "settled", b) for a, b in permutations(SETTLED, 2)),
        *(Move(a, "orphaned", J.ORPHANED) for a in ORPHANABLE),
        *(Move(J.ORPHANED, "resumed", b, _DISPATCH) for b in (*SETTLED, J.UPLOADED, J.EVALUATING)),
        *(Move(a, "cancelled", J.CANCELLED) for a in CANCELLABLE),
    ],
    job_column="id",
)

PAGE = Lifecycle(
    "page",
    [
        Move(P.PENDING, "prescanned", P.BLANK),
        Move(P.PENDING, "routed", P.AI_QUEUED),
        Move(P.PENDING, "routed", P.HUMAN_QUEUED),
        Move(P.PENDING, "all_blank", P.HUMAN_QUEUED),
        Move(P.BLANK, "all_blank", P.HUMAN_QUEUED),
        Move(P.PENDING, "cancelled", P.SKIPPED),
        Move(P.AI_QUEUED, "understood", P.AI_COMPLETED),
        Move(P.AI_QUEUED, "no_product", P.SKIPPED, _SETTLE),
        Move(P.AI_QUEUED, "failed", P.AI_FAILED),
        Move(P.AI_QUEUED, "given_up", P.HUMAN_QUEUED, _TASKS),
        Move(P.AI_FAILED, "retried", P.AI_QUEUED),
        Move(P.AI_FAILED, "understood", P.AI_COMPLETED),
        Move(P.AI_FAILED, "no_product", P.SKIPPED, _SETTLE),
        Move(P.AI_FAILED, "given_up", P.HUMAN_QUEUED, _TASKS),
        Move(P.AI_FAILED, "exhausted", P.DEAD_LETTER, _SETTLE),
        Move(P.AI_QUEUED, "exhausted", P.DEAD_LETTER, _SETTLE),
        Move(P.AI_QUEUED, "carried", P.AI_COMPLETED),  # the page of an earlier edition has not changed
        *(
            Move(s, "carried", b, _SETTLE)
            for s in (P.AI_QUEUED, P.HUMAN_QUEUED)
            for b in (P.HUMAN_COMPLETED, P.SKIPPED)
        ),
        Move(P.AI_COMPLETED, "settled", P.HUMAN_QUEUED, _SETTLE),
        Move(P.HUMAN_QUEUED, "settled", P.AI_COMPLETED, _SETTLE),
        *(Move(s, "settled", P.HUMAN_PROCESSING) for s in (P.AI_COMPLETED, P.HUMAN_QUEUED)),
        *(Move(P.HUMAN_COMPLETED, "settled", s, _SETTLE) for s in (P.HUMAN_QUEUED, P.HUMAN_PROCESSING)),
        Move(P.HUMAN_PROCESSING, "settled", P.HUMAN_QUEUED),
        Move(P.HUMAN_QUEUED, "settled", P.HUMAN_COMPLETED, _SETTLE),
        Move(P.HUMAN_PROCESSING, "settled", P.HUMAN_COMPLETED, _SETTLE),
        Move(P.HUMAN_QUEUED, "settled", P.SKIPPED, _SETTLE),
        Move(P.HUMAN_PROCESSING, "settled", P.SKIPPED, _SETTLE),
        Move(P.HUMAN_QUEUED, "skipped", P.SKIPPED, _SETTLE),
        Move(P.HUMAN_PROCESSING, "skipped", P.SKIPPED, _SETTLE),
        Move(P.DEAD_LETTER, "skipped", P.SKIPPED, _SETTLE),
        *(Move(s, "rerun", P.AI_QUEUED, _DISPATCH) for s in PAGES_TAKEN_UP_AGAIN),
        Move(P.SKIPPED, "reverted", P.HUMAN_QUEUED, _SETTLE),
        Move(P.SKIPPED, "doubted", P.HUMAN_QUEUED),
        *(Move(s, "reported", P.HUMAN_QUEUED) for s in (P.BLANK, P.SKIPPED, P.DEAD_LETTER)),
        *(
            Move(s, "cancelled", P.SKIPPED)
            for s in (P.AI_QUEUED, P.AI_FAILED, P.HUMAN_QUEUED, P.HUMAN_PROCESSING, P.DEAD_LETTER)
        ),
    ],
)

# What was decided about models, beside the document's own state.
M = ModelsState
JOB_MODELS = Lifecycle(
    "job_models",
    [
        Move(M.NONE, "priced", M.ASKING),
        Move(M.NONE, "allowed", M.GO, _DISPATCH),
        Move(M.ASKING, "allowed", M.GO, _DISPATCH),
        Move(M.ASKING, "left", M.LEFT, _DISPATCH),
        Move(M.ASKING, "cancelled", M.LEFT),
        Move(M.ASKING, "withdrawn", M.NONE),  # no page waits any more
        Move(M.GO, "priced", M.ASKING),  # the setting let few pages go, and many more came
    ],
    field="models_state",
    job_column="id",
)

# Derived from the import ledger by settle_pages; a state of its own beside the work.
_IMPORT_PAIRS = [
    *(("none", b) for b in ("pending", "assumed", "confirmed", "failed", "stale")),
    *(("pending", b) for b in ("assumed", "confirmed", "failed", "stale", "none")),
    *(("assumed", b) for b in ("confirmed", "failed", "pending", "stale", "none")),
    *(("confirmed", b) for b in ("pending", "assumed", "failed", "stale", "none")),
    *(("failed", b) for b in ("pending", "assumed", "confirmed", "stale", "none")),
    *(("stale", b) for b in ("pending", "assumed", "confirmed", "failed", "none")),
]
PAGE_IMPORT = Lifecycle("page_import", [Move(a, "settled", b, _SETTLE) for a, b in _IMPORT_PAIRS], field="import_state")
