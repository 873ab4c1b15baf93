from processing.catalogue.models import CatalogueEntry
from processing.corrections.models import CorrectionRule
from processing.editions.models import ChangeKind, Edition, EditionChange, EditionRenaming, EditionState, Origin
from processing.exports.models import Export, ExportLayout
from processing.imports.models import ImportRecord, ImportTarget, LocalProduct, TargetHold
from processing.lists.models import ShownColumns
from processing.llm.models.batches import BatchStage, ModelBatch
from processing.llm.models.calls import Budget, BudgetLimit, LanguageModel, ModelCall, ModelGate
from processing.llm.models.told_price import ToldPrice
from processing.pages.models.asking import AskingRule, AskModels
from processing.pages.models.content import Evaluation, PageAlternatives, PageContent, RuleResult
from processing.pages.models.examples import AnnotationExample
from processing.pages.models.trace import TraceBundle, TraceReason
from processing.products.models import Image, Sku, SkuImage
from processing.quality.models import EvalReport, EvalRun
from processing.shadows.models import Shadow, ShadowPage
from processing.studies.models import Decision, Record, Template, TemplateVersion
from processing.webhooks.models import WebhookCursor, WebhookDelivery, WebhookEndpoint

__all__ = [
    "AnnotationExample",
    "AskModels",
    "AskingRule",
    "BatchStage",
    "Budget",
    "BudgetLimit",
    "CatalogueEntry",
    "ChangeKind",
    "CorrectionRule",
    "Decision",
    "Edition",
    "EditionChange",
    "EditionRenaming",
    "EditionState",
    "EvalReport",
    "EvalRun",
    "Evaluation",
    "Export",
    "ExportLayout",
    "Image",
    "ImportRecord",
    "ImportTarget",
    "LanguageModel",
    "LocalProduct",
    "ModelBatch",
    "ModelCall",
    "ModelGate",
    "Origin",
    "PageAlternatives",
    "PageContent",
    "Record",
    "RuleResult",
    "Shadow",
    "ShadowPage",
    "ShownColumns",
    "Sku",
    "SkuImage",
    "TargetHold",
    "Template",
    "TemplateVersion",
    "ToldPrice",
    "TraceBundle",
    "TraceReason",
    "WebhookCursor",
    "WebhookDelivery",
    "WebhookEndpoint",
]
