from annotation.models.task import Annotation, Draft, HumanTask

__all__ = ["Annotation", "Draft", "HumanTask"]
