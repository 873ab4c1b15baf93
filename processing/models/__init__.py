from processing.models.content import Evaluation, Image, PageContent
from processing.models.delivery import ImportRecord, LocalProduct
from processing.models.quality import EvalReport
from processing.models.sku import Sku, SkuImage
from processing.models.trace import TraceBundle, TraceReason

__all__ = [
    "EvalReport",
    "Evaluation",
    "Image",
    "ImportRecord",
    "LocalProduct",
    "PageContent",
    "Sku",
    "SkuImage",
    "TraceBundle",
    "TraceReason",
]
