from processing.models.catalogue import CatalogueEntry
from processing.models.content import Evaluation, Image, PageContent, RuleResult
from processing.models.delivery import ImportRecord, ImportTarget, LocalProduct
from processing.models.examples import AnnotationExample
from processing.models.llm import Budget, BudgetLimit, LanguageModel, ModelCall, ModelGate
from processing.models.quality import EvalReport
from processing.models.shadow import Shadow, ShadowPage
from processing.models.sku import Sku, SkuImage
from processing.models.trace import TraceBundle, TraceReason

__all__ = [
    "AnnotationExample",
    "Budget",
    "BudgetLimit",
    "CatalogueEntry",
    "EvalReport",
    "Evaluation",
    "Image",
    "ImportRecord",
    "ImportTarget",
    "LanguageModel",
    "LocalProduct",
    "ModelCall",
    "ModelGate",
    "PageContent",
    "RuleResult",
    "Shadow",
    "ShadowPage",
    "Sku",
    "SkuImage",
    "TraceBundle",
    "TraceReason",
]
