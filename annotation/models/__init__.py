from annotation.models.task import HumanTask

__all__ = ["HumanTask"]
