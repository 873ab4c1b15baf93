"""What machines do with documents and pages, by stage: in which unit, and how much of it at once."""

from dataclasses import dataclass

from ingestion.lifecycle import JobStage, PageStage

LOOK_BACK_PAGES = 10
# A chunk costs the same for one page as for thirty (a forked child alone some 40 ms, until it has opened the document
# and its fonts): pages go together until they take two seconds of a core, so that SKUs still appear every second.
CHUNK_S, CHUNK_PAGES_MAX = 2.0, 32


@dataclass(frozen=True)
class StageWork:
    """Who does a stage: its unit, and how many neighbouring pages are one turn at least.

    ``finest``: what is left of a job is not cut finer than this, as long as every thread has as many chunks.
    """

    unit: str
    chunk: int = 1
    finest: int = 1

    def chunk_at(self, page_s: float | None) -> int:
        """Pages a turn where one takes a core that long; None: not known."""
        if page_s is None:
            return self.chunk
        return max(self.chunk, min(int(CHUNK_S / max(page_s, 0.001)), CHUNK_PAGES_MAX))


JOB_STAGES = {
    JobStage.INSPECT: StageWork("cpu"),
    JobStage.PRESCAN: StageWork("cpu"),
    JobStage.EVALUATE: StageWork("llm"),
    JobStage.EXTRACT: StageWork("cpu"),
    JobStage.ASK: StageWork("llm"),
}
# Understanding first: what has been read becomes visible before more is read.
PAGE_STAGES = {
    PageStage.UNDERSTAND: StageWork("llm"),
    # Thirty-two pages are half a second: less costs more to take, to record and to deliver than it saves in waiting.
    PageStage.UNDERSTAND_RULES: StageWork("cpu", CHUNK_PAGES_MAX, finest=CHUNK_PAGES_MAX),
    PageStage.READ: StageWork("cpu", 8),
}
UNITS = tuple(sorted({doing.unit for doing in (*JOB_STAGES.values(), *PAGE_STAGES.values())}))
