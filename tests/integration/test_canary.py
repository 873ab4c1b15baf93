"""A trial of a prompt whose arm is worse is rolled back by itself, by what people corrected and what had no answer."""

import uuid
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Annotation, HumanTask
from annotation.people.services.trials import corrections, judge_trials
from catalogsku.core.models import Transition
from catalogsku.core.periodic import CRON_TASKS
from catalogsku.profiles.models import PromptExperiment, PromptVersion
from catalogsku.profiles.services import prompts_for
from catalogsku.profiles.trials import Checked
from ingestion.kinds import CATALOGUE
from ingestion.models import Job
from tests.support.people import People
from tests.support.rows import make_job, make_page, make_pages, make_sku

pytestmark = [pytest.mark.django_db, pytest.mark.req("X-CANARY")]
VALUES = {f"key {n}": "x" for n in range(19)}  # twenty with the model


@pytest.fixture
def trial() -> PromptExperiment:
    control = PromptVersion.objects.get(key="read_page", active=True)
    second = PromptVersion.objects.create(
        key=control.key, version=2, text_zh=control.text_zh, text_en=control.text_en, active=False
    )
    return PromptExperiment.objects.create(
        key=control.key, control=control, trial=second, share=50, state="running", started_at=timezone.now()
    )


def job(people: People, trial: PromptExperiment, arm: str, corrected: int = 0, unanswered: int = 0) -> Job:
    """With one page of 20 values that a person has completed, and so many corrected; and one of ten questions."""
    made = make_job(people.merchant, bucket=f"1{trial.pk}:trial,{trial.pk}:{arm}")
    page = make_page(made, 1, "HUMAN_COMPLETED")
    make_sku(page, 1, attributes=VALUES)
    task = HumanTask.objects.create(job=made, page=page, type="PAGE_REVIEW", status="COMPLETED")
    Annotation.objects.bulk_create(
        Annotation(task=task, page=page, annotator=people.annotator, type="SKU_ATTRIBUTE", field="size", after="9")
        for _ in range(corrected)
    )

    def asked(number: int) -> dict[str, Any]:
        return {"asked": [{"operation": "read_page", "model": "" if number - 2 < unanswered else "m", "code": ""}]}

    make_pages(made, range(2, 12), "AI_COMPLETED", validation=asked, finished_at=timezone.now())
    return made


def jobs(people: People, trial: PromptExperiment, arm: str, of: int = 10, **columns: Any) -> None:
    for n in range(of):
        job(people, trial, arm, **{name: value + n % 2 for name, value in columns.items()})


def state(trial: PromptExperiment) -> str:
    trial.refresh_from_db()
    return str(trial.state)


@pytest.mark.parametrize(
    ("control", "worse", "measure"),
    [
        ({"corrected": 1}, {"corrected": 5}, "corrections"),
        ({"unanswered": 0}, {"unanswered": 3}, "failures"),
    ],
)
def test_a_worse_arm_is_rolled_back_with_an_audit_row_and_new_jobs_get_the_control(
    people: People, trial: PromptExperiment, control: dict[str, int], worse: dict[str, int], measure: str
) -> None:
    jobs(people, trial, "control", **control)
    jobs(people, trial, "trial", **worse)
    assert judge_trials() == {"trials": 1, "rolled_back": 1}
    assert state(trial) == "stopped" and trial.ended_at and trial.reason.startswith(f"rolled back: {measure} ")
    row = Transition.objects.get(entity="prompt_trial")
    assert (row.entity_id, row.target, row.trigger, row.actor) == (trial.pk, "stopped", "worse", "system")
    assert row.reason and row.reason["measure"] == measure and row.reason["trial"] > row.reason["control"]
    chosen = {prompts_for(uuid.uuid4(), CATALOGUE.questions)[0]["read_page"] for _ in range(20)}
    assert chosen == {trial.control_id}
    assert judge_trials() == {"trials": 0, "rolled_back": 0}


@pytest.mark.parametrize(
    ("control", "trial_arm", "of"),
    [
        ({"corrected": 3}, {"corrected": 3}, 10),
        ({"corrected": 5}, {"corrected": 1}, 10),
        ({"corrected": 1}, {"corrected": 9}, 9),
        ({"unanswered": 3}, {"unanswered": 0}, 10),
    ],
    ids=["alike", "better", "too few jobs", "fewer failures"],
)
def test_one_that_is_not_worse_goes_on(
    people: People, trial: PromptExperiment, control: dict[str, int], trial_arm: dict[str, int], of: int
) -> None:
    jobs(people, trial, "control", of, **control)
    jobs(people, trial, "trial", of, **trial_arm)
    assert judge_trials() == {"trials": 1, "rolled_back": 0}
    assert state(trial) == "running" and not Transition.objects.filter(entity="prompt_trial").exists()


def test_only_jobs_that_were_dealt_out_since_it_began_count(people: People, trial: PromptExperiment) -> None:
    jobs(people, trial, "control", corrected=1)
    jobs(people, trial, "trial", corrected=9)
    Job.objects.update(created_at="2000-01-01T00:00Z")
    assert judge_trials()["rolled_back"] == 0


def test_values_are_counted_as_people_saw_them(people: People, trial: PromptExperiment) -> None:
    made = job(people, trial, "trial", corrected=2)
    assert list(corrections([made.pk])) == [Checked(2, 20)]
    row = Annotation.objects.filter(page__job=made).latest("pk")
    Annotation.objects.create(
        task=row.task, page=row.page, annotator=row.annotator, type="SKU_ATTRIBUTE", field="moq", before="5"
    )
    assert list(corrections([made.pk])) == [Checked(3, 21)], "what was taken away was looked at too"
    Annotation.objects.create(task=row.task, page=row.page, annotator=row.annotator, type="LAYOUT", field="layout_type")
    HumanTask.objects.create(job=made, page=make_page(made, 50), type="PAGE_REVIEW")
    assert list(corrections([made.pk])) == [Checked(3, 21)], "of values, on completed pages"


def test_it_is_looked_at_every_day(people: People, trial: PromptExperiment) -> None:
    jobs(people, trial, "control", corrected=1)
    jobs(people, trial, "trial", corrected=7)
    assert CRON_TASKS["trials"].run() == {"trials": 1, "rolled_back": 1}
