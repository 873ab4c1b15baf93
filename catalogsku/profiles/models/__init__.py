"""Thresholds, category schemas, prompts and routes: versions are added, and jobs freeze the exact one (TA-FREEZE)."""

from catalogsku.profiles.models.categories import CategorySchema
from catalogsku.profiles.models.changes import (
    ChangeKind,
    ConfigChange,
    Configuration,
    ScopedConfigurationManager,
    record,
)
from catalogsku.profiles.models.prompts import PromptActivation, PromptExperiment, PromptVerdict, PromptVersion
from catalogsku.profiles.models.routing import RoutingTable
from catalogsku.profiles.models.thresholds import (
    DEFAULT_WEIGHTS,
    Activation,
    GoldenVerdict,
    ThresholdProfile,
    default_classification,
    default_prescan_rules,
    default_weights,
)
from catalogsku.profiles.models.versioned import VersionedRow
from catalogsku.profiles.models.words import MerchantDictionary
from catalogsku.profiles.models.work import WorkRules

__all__ = [
    "DEFAULT_WEIGHTS",
    "Activation",
    "CategorySchema",
    "ChangeKind",
    "ConfigChange",
    "Configuration",
    "GoldenVerdict",
    "MerchantDictionary",
    "PromptActivation",
    "PromptExperiment",
    "PromptVerdict",
    "PromptVersion",
    "RoutingTable",
    "ThresholdProfile",
    "VersionedRow",
    "WorkRules",
    "ScopedConfigurationManager",
    "default_classification",
    "default_prescan_rules",
    "default_weights",
    "record",
]
