"""A document is judged once for its merchant, file and profile, however many jobs ask at once."""

import pytest

from ingestion.models import Job
from processing.models import Evaluation
from processing.pages.services.evaluating import _evaluation, prescan_facts
from tests.support.people import People
from tests.support.rows import in_threads, make_job, make_page

FILE = "ef" * 32
PRESCAN = {"blank": False, "chars": 200, "images": 1}


def document(people: People, *, merchant: object = None) -> Job:
    job = make_job(merchant or people.merchant, status="EVALUATING", file_sha256=FILE)
    make_page(job, 1, "PENDING", prescan=PRESCAN, sampled=True)
    return job


@pytest.mark.req("TA-ADR04")
def test_jobs_that_ask_at_once_get_one_judgement(committed: None, people: People) -> None:
    jobs = [document(people) for _ in range(8)]
    found = in_threads([lambda job=job: _evaluation(job) for job in jobs])
    assert len({judged.row.pk for judged in found}) == Evaluation.objects.count() == 1
    assert _evaluation(document(people)).reused, "and who asks later gets the same"


@pytest.mark.django_db
@pytest.mark.req("TA-ADR04", "TA-FHASH")
def test_another_merchant_or_profile_is_judged_anew(people: People) -> None:
    from catalogsku.profiles.models import ThresholdProfile

    first = _evaluation(document(people)).row
    theirs, reused, _ = _evaluation(document(people, merchant=people.other))
    assert not reused and theirs.pk != first.pk
    profile = ThresholdProfile.objects.get(pk=first.profile_id)
    profile.add_version()
    job = document(people)
    Job.objects.filter(pk=job.pk).update(profile=ThresholdProfile.objects.order_by("-pk")[0])
    again, reused, _ = _evaluation(Job.objects.get(pk=job.pk))
    assert not reused and again.pk not in (first.pk, theirs.pk)


@pytest.mark.django_db
@pytest.mark.req("TA-EVAL")
def test_what_was_read_beyond_the_sample_changes_no_judgement(people: People) -> None:
    """Pages without a text layer: recognising finds text. How many of them are read by then is chance."""
    job = document(people)
    bare = {**PRESCAN, "chars": 0}
    make_page(job, 2, "PENDING", prescan=bare, sampled=True, features={"chars": 90})
    make_page(job, 3, "PENDING", prescan=bare)
    before = prescan_facts(job)
    assert (before.non_blank_pages, before.text_pages) == (3, 2)
    job.pages.filter(number=3).update(features={"chars": 90})
    assert prescan_facts(job) == before
