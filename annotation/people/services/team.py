"""What dispatching knows of a person, and a lead's team."""

from datetime import timedelta

from django.db.models import Q
from django.db.models.functions import Now

from annotation.people import dispatching
from annotation.people.dispatching import Annotator, Rules, Waiting
from annotation.people.models import AnnotatorProfile
from annotation.tasks.lifecycle import OPEN, TaskStatus
from annotation.tasks.models import HumanTask
from catalogsku.accounts.models import Role, User
from catalogsku.profiles.models import WorkRules
from catalogsku.profiles.services import work_rules

KNOWN_DAYS = 7


def rules_of(rules: WorkRules) -> Rules:
    return Rules(float(rules.hard_below), float(rules.hard_accuracy), rules.open_most)


def annotator(actor: User) -> Annotator:
    known = AnnotatorProfile.objects.filter(user=actor).first()
    since = Now() - timedelta(days=KNOWN_DAYS)
    recent = HumanTask.objects.filter(closed_by=actor, closed_at__gte=since).exclude(status__in=OPEN)
    documents = frozenset(recent.order_by("-closed_at").values_list("job_id", flat=True)[:50])
    if known is None:
        return Annotator(documents=documents)
    return Annotator(known.accuracy, known.duration_s, frozenset(known.specialties), documents)


def team_of(actor: User, rules: WorkRules | None = None) -> list[tuple[User, Annotator]]:
    """Annotators and leads of this lead's merchants, those whom a task goes to first on top (TA-T79)."""
    rules = rules or work_rules()
    merchants = actor.merchant_ids()
    people = User.objects.filter(is_active=True, role__in=(Role.ANNOTATOR, Role.LEAD))
    people = people if merchants is None else people.filter(merchants__in=merchants)
    people = people.distinct().order_by("username").select_related("profile")
    load = _load()
    by_name = {user.username: (user, _facts(user, load.get(user.pk, 0))) for user in people}
    anything = Waiting(0, 0, "", "", None, 0.0, 1.0)
    best = dispatching.best_for(anything, [(name, facts) for name, (_, facts) in by_name.items()], rules_of(rules))
    return [by_name[name] for name in [*best, *(name for name in by_name if name not in best)]]


def _load() -> dict[int, int]:
    """Open tasks by person: in hand, or kept for them."""
    reserved = Q(assigned_until__gte=Now()) | Q(status=TaskStatus.PROCESSING)
    load: dict[int, int] = {}
    for owner, holder in HumanTask.objects.filter(reserved, status__in=OPEN).values_list("assigned_to", "locked_by"):
        person = holder or owner
        load[person] = load.get(person, 0) + 1
    return load


def _facts(user: User, open_tasks: int) -> Annotator:
    known: AnnotatorProfile | None = getattr(user, "profile", None)
    if known is None:
        return Annotator(open_tasks=open_tasks)
    return Annotator(known.accuracy, known.duration_s, frozenset(known.specialties), open_tasks=open_tasks)
