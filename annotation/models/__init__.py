from annotation.models.task import Draft, HumanTask

__all__ = ["Draft", "HumanTask"]
