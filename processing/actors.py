"""Messages about what is on the pages. The heavy ones wait for sandboxed children; each begins with a claim."""

import dramatiq

from catalogsku.core.periodic import cron, sweep
from ingestion.services.disk import makes_room
from processing.batches import services
from processing.editions.services import approving, comparing
from processing.exports.services import exporting
from processing.imports.services import delivering, reconciling
from processing.llm import abandoned, calls
from processing.llm.services import warning
from processing.pages.services import offering, screenshots, taking_turns, tracing
from processing.quality.services import runs
from processing.sandboxed import sandboxes
from processing.shadows.services import pages, shadowing
from processing.studies.receivers import enter_files, enter_stages
from processing.webhooks.services import endpoints, outbox, sending

# Above the longest work of a message: another's wall limit in the sandbox, for its turn, its own, and the storing.
SANDBOX_MS = 660_000
# Six calls of a page, or the five batches of a document, each with its model's own time limit and two repeats at worst.
MODELS_MS = 1_200_000
# A golden set of some hundred pages on a machine that is busy with documents.
GOLDEN_MS = 7_200_000
# A package of a hundred thousand pictures.
EXPORT_MS = 3_600_000


enter_stages()
enter_files()


@dramatiq.actor(queue_name="cpu", max_retries=3, min_backoff=1_000, time_limit=SANDBOX_MS)
def take_cpu_turn() -> None:
    taking_turns.take_turn("cpu")


@dramatiq.actor(queue_name="llm", max_retries=3, min_backoff=1_000, time_limit=MODELS_MS)
def take_llm_turn() -> None:
    taking_turns.take_turn("llm")


@dramatiq.actor(queue_name="llm", max_retries=0, min_backoff=1_000, time_limit=MODELS_MS)
def shadow_models(shadow_page_id: int) -> None:
    shadowing.look_at(shadow_page_id)


@dramatiq.actor(queue_name="cpu", max_retries=0, min_backoff=1_000, time_limit=2 * SANDBOX_MS)
def shadow_reader(shadow_page_id: int) -> None:
    shadowing.look_at(shadow_page_id)


@dramatiq.actor(queue_name="cpu", max_retries=1, min_backoff=1_000, time_limit=SANDBOX_MS)
def draw_screenshots(page_ids: list[int]) -> None:
    screenshots.draw_pages(page_ids)


@sweep("shadows", every_s=10)
def sweep_shadows() -> dict[str, int]:
    return pages.send_waiting()


@dramatiq.actor(queue_name="out", max_retries=3, min_backoff=1_000, time_limit=60_000)
def deliver_pages(page_ids: list[int]) -> None:
    delivering.deliver_pages(page_ids)


@dramatiq.actor(queue_name="out", max_retries=0, min_backoff=1_000, time_limit=60_000)
def settle_imports() -> None:
    reconciling.settle_unknown()


@dramatiq.actor(queue_name="out", max_retries=0, min_backoff=1_000, time_limit=600_000)
def reconcile_imports(first: int, last: int) -> None:
    delivering.reconcile(first, last)


@cron("reconcile", "*/30 * * * *")
def reconcile_every_half_hour() -> dict[str, int]:
    return delivering.reconcile_soon()


@dramatiq.actor(queue_name="cpu", max_retries=0, min_backoff=1_000, time_limit=GOLDEN_MS)
def evaluate_golden(run_id: int) -> None:
    runs.do_run(run_id)


@sweep("evaluations", every_s=30)
def sweep_evaluations() -> dict[str, int]:
    return runs.send_waiting()


@sweep("prices", every_s=5)
def sweep_prices() -> dict[str, int]:
    return offering.price_waiting()


@sweep("imports", every_s=5)
def sweep_imports() -> dict[str, int]:
    return delivering.sweep_ledger()


@dramatiq.actor(queue_name="out", max_retries=3, min_backoff=1_000, time_limit=600_000)
def release_imports(job_id: int) -> None:
    approving.release(job_id)


@dramatiq.actor(queue_name="out", max_retries=3, min_backoff=1_000, time_limit=600_000)
def carry_out_edition(job_id: int) -> None:
    approving.carry_out(job_id)


@dramatiq.actor(queue_name="quick", max_retries=3, min_backoff=1_000, time_limit=120_000)
def compare_edition(job_id: int) -> None:
    comparing.compare_edition(job_id)


@sweep("editions", every_s=5)
def sweep_editions() -> dict[str, int]:
    """Approvals and imports whose message was lost; editions of which pages have changed."""
    rung = approving.send_approved()
    return {"rung": rung, "released": approving.release_all(), "compared": comparing.compare_moved_on()}


@dramatiq.actor(queue_name="out", max_retries=0, min_backoff=1_000, time_limit=60_000)
def send_webhooks(endpoint_id: int) -> None:
    sending.send_webhooks(endpoint_id)


@sweep("webhooks", every_s=2)
def sweep_webhooks() -> dict[str, int]:
    return {"written": outbox.write_deliveries(), **sending.send_waiting()}


@cron("webhooks", "*/10 * * * *")
def tidy_up_webhooks() -> dict[str, int]:
    return endpoints.tidy_up()


@sweep("work_folders", every_s=3600)
def clear_work_folders_every_hour() -> dict[str, int]:
    return sandboxes.clear_work_folders()


@makes_room(20, "work_folders")
def make_room_of_work_folders() -> int:
    return sandboxes.clear_work_folders()["folders"]


@makes_room(30, "exports")
def make_room_of_fetched_exports() -> int:
    return exporting.clear_fetched()


@makes_room(40, "traces")
def make_room_of_old_traces() -> int:
    return tracing.clean_traces()["traces"]


@cron("traces", "23 3 * * *")
def clean_traces_every_night() -> dict[str, int]:
    return tracing.clean_traces()


@sweep("budgets", every_s=60)
def warn_of_budgets_every_minute() -> int:
    return warning.warn_of_budgets()


@sweep("model_calls", every_s=30)
def sweep_model_calls() -> dict[str, int]:
    return abandoned.lose_abandoned()


@cron("model_answers", "41 3 * * *")
def forget_model_answers_every_night() -> dict[str, int]:
    return calls.forget_old_answers()


@dramatiq.actor(queue_name="llm", max_retries=0, min_backoff=1_000, time_limit=MODELS_MS)
def tend_batch(batch_id: int) -> None:
    services.tend(batch_id)


@sweep("batches", every_s=20)
def sweep_batches() -> dict[str, int]:
    return services.sweep_batches()


@dramatiq.actor(queue_name="out", max_retries=0, min_backoff=1_000, time_limit=EXPORT_MS)
def make_export(export_id: int) -> None:
    exporting.make_export(export_id)


@sweep("exports", every_s=10)
def sweep_exports() -> dict[str, int]:
    return exporting.sweep_exports()


@cron("export_files", "11 4 * * *")
def clean_exports_every_night() -> dict[str, int]:
    return exporting.clean_exports()
