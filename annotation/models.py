from annotation.calibration.models import CalibrationProposal, CalibrationRecord
from annotation.figures.models import DayFigures
from annotation.people.models import AnnotatorProfile, GoldenPage, Judgement
from annotation.proposals.models import AttributeProposal
from annotation.reports.models import SkuReport
from annotation.tasks.models import Annotation, AuditPass, Draft, HumanTask, Presence, TaskComment

__all__ = [
    "Annotation",
    "AnnotatorProfile",
    "AttributeProposal",
    "AuditPass",
    "CalibrationProposal",
    "CalibrationRecord",
    "DayFigures",
    "Draft",
    "GoldenPage",
    "HumanTask",
    "Judgement",
    "Presence",
    "SkuReport",
    "TaskComment",
]
