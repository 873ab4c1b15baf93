"""Messages about people's work: tasks are opened, pages settled."""

from typing import Any

import dramatiq

from annotation.calibration.services import auditing, recording
from annotation.figures.services import gathering
from annotation.people.services import annotators, learning, trials
from annotation.proposals import services
from annotation.queue.services import sla
from annotation.tasks.services import locks, settle, tasks, tidying
from annotation.tasks.services.audit import audit, audit_further
from annotation.workbench.services import presence
from catalogsku.core.periodic import cron, sweep

AUDITING_S = 10.0  # a turn, of ten minutes


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def settle_pages(page_ids: list[int]) -> None:
    settle.settle_pages(page_ids)


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=300_000)
def open_tasks(job_id: int) -> None:
    settle.settle_pages_of_job(job_id)


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=500, time_limit=30_000)
def close_tasks(job_id: int) -> None:
    tasks.close_tasks(job_id)


@sweep("pages", every_s=5)
def sweep_pages() -> int:
    page_ids = settle.unsettled_pages()
    settle.settle_pages(page_ids)
    return len(page_ids)


@sweep("locks", every_s=3)
def sweep_locks() -> int:
    return locks.free_expired()


@sweep("presence", every_s=10)
def sweep_presence() -> int:
    return presence.forget_absent()


@sweep("sla", every_s=15)
def sweep_waiting_tasks() -> dict[str, int]:
    return sla.escalate()


@cron("annotators", "0 17 * * *")  # 01:00 in Shanghai
def update_annotators_every_night() -> dict[str, Any]:
    return annotators.update_profiles()


@cron("examples", "17 * * * *")
def offer_examples_every_hour() -> dict[str, int]:
    return learning.offer_corrected_pages()


@cron("attributes", "20 18 * * *")
def propose_attributes_every_night() -> dict[str, int]:
    return services.propose_attributes()


@cron("calibrate", "0 19 * * *")  # 03:00 in Shanghai
def calibrate_every_night() -> dict[str, Any]:
    return recording.calibrate_daily()


@dramatiq.actor(queue_name="quick", max_retries=0, min_backoff=500, time_limit=300_000)
def calibrate_now() -> None:
    recording.calibrate()


@cron("blind_looks", "50 18 * * *")
def open_blind_looks_every_night() -> dict[str, int]:
    return auditing.open_blind_looks()


@cron("trials", "40 18 * * *")
def judge_trials_every_day() -> dict[str, int]:
    return trials.judge_trials()


@cron("audit", "30 19 * * *")
def audit_every_night() -> dict[str, Any]:
    return audit()


@cron("audit_further", "*/10 * * * *")
def audit_further_every_ten_minutes() -> dict[str, int]:
    return audit_further(AUDITING_S)


@cron("figures", "*/10 * * * *")
def count_days_every_ten_minutes() -> dict[str, int]:
    return gathering.gather_due()


@cron("drafts", "51 3 * * *")
def clear_old_drafts_every_night() -> dict[str, int]:
    return tidying.clear_old_drafts()
