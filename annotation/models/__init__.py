from annotation.models.people import AnnotatorProfile, GoldenPage, Judgement
from annotation.models.task import Annotation, Draft, HumanTask, TaskComment

__all__ = [
    "Annotation",
    "AnnotatorProfile",
    "Draft",
    "GoldenPage",
    "HumanTask",
    "Judgement",
    "TaskComment",
]
