from annotation.models.task import Annotation, Draft, HumanTask, TaskComment

__all__ = ["Annotation", "Draft", "HumanTask", "TaskComment"]
