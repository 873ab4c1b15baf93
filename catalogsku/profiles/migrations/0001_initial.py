from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import catalogsku.profiles.models.thresholds
import catalogsku.profiles.routes

DIMENSIONS = (
    "text_readability", "layout_quality", "table_structure", "image_quality", "image_text_relation", "product_density",
)  # fmt: skip
SUM = " + ".join(f"(weights->>'{name}')::numeric" for name in DIMENSIONS)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="PromptVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("version", models.PositiveIntegerField(editable=False, verbose_name="version")),
                ("active", models.BooleanField(default=True, editable=False, verbose_name="active")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("text_zh", models.TextField(verbose_name="Chinese text")),
                ("text_en", models.TextField(verbose_name="English text")),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.promptversion",
                    ),
                ),
            ],
            options={
                "verbose_name": "prompt",
                "verbose_name_plural": "prompts",
            },
        ),
        migrations.CreateModel(
            name="PromptVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("report", models.UUIDField(null=True)),
                ("passed", models.BooleanField()),
                ("failed", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "prompt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="profiles.promptversion",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="PromptExperiment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(editable=False, max_length=60, verbose_name="key")),
                (
                    "share",
                    models.PositiveSmallIntegerField(
                        default=10,
                        validators=[django.core.validators.MaxValueValidator(100)],
                        verbose_name="share of jobs in per cent",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("running", "running"),
                            ("stopped", "stopped"),
                            ("promoted", "promoted"),
                        ],
                        default="planned",
                        editable=False,
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("started_at", models.DateTimeField(editable=False, null=True, verbose_name="started")),
                ("ended_at", models.DateTimeField(editable=False, null=True, verbose_name="ended")),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "control",
                    models.ForeignKey(
                        editable=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.promptversion",
                        verbose_name="control",
                    ),
                ),
                (
                    "trial",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.promptversion",
                        verbose_name="trial",
                    ),
                ),
            ],
            options={
                "verbose_name": "trial of a prompt",
                "verbose_name_plural": "trials of prompts",
            },
        ),
        migrations.CreateModel(
            name="PromptActivation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("refusal", models.CharField(blank=True, max_length=40, verbose_name="the gate's refusal")),
                ("override", models.CharField(blank=True, max_length=200, verbose_name="reason to override the gate")),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "prompt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="activations",
                        to="profiles.promptversion",
                    ),
                ),
            ],
            options={
                "verbose_name": "activation of a prompt",
                "verbose_name_plural": "activations of prompts",
            },
        ),
        migrations.CreateModel(
            name="RoutingTable",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("version", models.PositiveIntegerField(editable=False, verbose_name="version")),
                ("active", models.BooleanField(default=True, editable=False, verbose_name="active")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("prefer_always", models.BooleanField(default=False, verbose_name="always the strong model")),
                ("rows", models.JSONField(default=catalogsku.profiles.routes.default_rows, verbose_name="rows")),
                (
                    "points",
                    models.JSONField(
                        default=catalogsku.profiles.routes.default_points, verbose_name="points of complexity"
                    ),
                ),
                (
                    "rules_from",
                    models.FloatField(
                        default=1.1,
                        validators=[django.core.validators.MinValueValidator(0.5)],
                        verbose_name="rules alone from this confidence on",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.routingtable",
                    ),
                ),
            ],
            options={
                "verbose_name": "routing table",
                "verbose_name_plural": "routing tables",
            },
        ),
        migrations.CreateModel(
            name="ThresholdProfile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("version", models.PositiveIntegerField(editable=False, verbose_name="version")),
                ("active", models.BooleanField(default=True, editable=False, verbose_name="active")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("category", models.CharField(blank=True, max_length=60, verbose_name="category")),
                (
                    "threshold_a",
                    models.DecimalField(
                        decimal_places=3, default=Decimal("0.900"), max_digits=4, verbose_name="A: automatic from"
                    ),
                ),
                (
                    "threshold_pv",
                    models.DecimalField(
                        decimal_places=3, default=Decimal("0.700"), max_digits=4, verbose_name="PV: page passes from"
                    ),
                ),
                (
                    "threshold_b",
                    models.DecimalField(
                        decimal_places=3, default=Decimal("0.400"), max_digits=4, verbose_name="B: people only below"
                    ),
                ),
                (
                    "weights",
                    models.JSONField(
                        default=catalogsku.profiles.models.thresholds.default_weights, verbose_name="weights"
                    ),
                ),
                (
                    "prescan_rules",
                    models.JSONField(
                        default=catalogsku.profiles.models.thresholds.default_prescan_rules,
                        verbose_name="prescan rules",
                    ),
                ),
                (
                    "classification",
                    models.JSONField(
                        default=catalogsku.profiles.models.thresholds.default_classification,
                        verbose_name="classification thresholds",
                    ),
                ),
                (
                    "validity_mode",
                    models.CharField(
                        choices=[
                            ("strict", "strict: partial SKUs go to a person"),
                            ("lenient", "lenient: partial SKUs are delivered with a warning"),
                        ],
                        default="strict",
                        max_length=8,
                        verbose_name="validity",
                    ),
                ),
                (
                    "sla_acceptance",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="After the time that the rules of human work give, and only where all is printed and complete.",
                        verbose_name="what no person came to is accepted",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.thresholdprofile",
                    ),
                ),
            ],
            options={
                "verbose_name": "threshold profile",
                "verbose_name_plural": "threshold profiles",
            },
        ),
        migrations.CreateModel(
            name="GoldenVerdict",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("report", models.UUIDField(null=True)),
                ("passed", models.BooleanField()),
                ("failed", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "profile",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="verdicts",
                        to="profiles.thresholdprofile",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Activation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("refusal", models.CharField(blank=True, max_length=40, verbose_name="the gate's refusal")),
                ("override", models.CharField(blank=True, max_length=200, verbose_name="reason to override the gate")),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="activations",
                        to="profiles.thresholdprofile",
                    ),
                ),
            ],
            options={
                "verbose_name": "activation",
                "verbose_name_plural": "activations",
            },
        ),
        migrations.CreateModel(
            name="WorkRules",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("version", models.PositiveIntegerField(editable=False, verbose_name="version")),
                ("active", models.BooleanField(default=True, editable=False, verbose_name="active")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "high_after_min",
                    models.PositiveIntegerField(
                        default=15,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="minutes until a task is pressing",
                    ),
                ),
                (
                    "escalate_after_min",
                    models.PositiveIntegerField(
                        default=30,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="minutes until it goes to a lead",
                    ),
                ),
                (
                    "accept_after_min",
                    models.PositiveIntegerField(
                        default=120,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="minutes until the machine's result is looked at for acceptance",
                    ),
                ),
                (
                    "skip_after_min",
                    models.PositiveIntegerField(
                        default=180,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="minutes until the page is closed without a person",
                    ),
                ),
                (
                    "accept_above",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.60"),
                        max_digits=3,
                        verbose_name="accept only above this confidence",
                    ),
                ),
                (
                    "audit_ratio",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.20"),
                        max_digits=3,
                        verbose_name="share of what was accepted automatically that a person looks at",
                    ),
                ),
                (
                    "reserved_min",
                    models.PositiveIntegerField(
                        default=10,
                        validators=[django.core.validators.MinValueValidator(1)],
                        verbose_name="minutes for which an assigned task is kept",
                    ),
                ),
                ("open_most", models.PositiveSmallIntegerField(default=10, verbose_name="most open tasks a person")),
                (
                    "hard_below",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.50"),
                        max_digits=3,
                        verbose_name="a page below this confidence is hard",
                    ),
                ),
                (
                    "hard_accuracy",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.85"),
                        max_digits=3,
                        verbose_name="accuracy that hard pages ask for",
                    ),
                ),
                (
                    "verdict_least",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.05"),
                        max_digits=3,
                        verbose_name="smallest share of a person's tasks that a second one looks at",
                    ),
                ),
                (
                    "verdict_most",
                    models.DecimalField(
                        decimal_places=2, default=Decimal("0.50"), max_digits=3, verbose_name="largest share"
                    ),
                ),
                (
                    "honeypot_ratio",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("0.10"),
                        max_digits=3,
                        verbose_name="share of golden pages in the queue",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.workrules",
                    ),
                ),
            ],
            options={
                "verbose_name": "rules of human work",
                "verbose_name_plural": "rules of human work",
            },
        ),
        migrations.CreateModel(
            name="CategorySchema",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, verbose_name="key")),
                ("version", models.PositiveIntegerField(editable=False, verbose_name="version")),
                ("active", models.BooleanField(default=True, editable=False, verbose_name="active")),
                ("reason", models.CharField(blank=True, max_length=200, verbose_name="reason")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("label_zh", models.CharField(max_length=60, verbose_name="Chinese name")),
                ("label_en", models.CharField(max_length=60, verbose_name="English name")),
                ("parent_key", models.CharField(blank=True, max_length=60, verbose_name="parent")),
                ("attributes", models.JSONField(blank=True, default=list, verbose_name="attributes")),
                ("rules", models.JSONField(blank=True, default=list, verbose_name="rules")),
                ("resolved_attributes", models.JSONField(default=list, editable=False)),
                ("resolved_rules", models.JSONField(default=list, editable=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="profiles.categoryschema",
                    ),
                ),
            ],
            options={
                "verbose_name": "category schema",
                "verbose_name_plural": "category schemas",
                "constraints": [
                    models.UniqueConstraint(fields=("key", "version"), name="one_schema_version"),
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)), fields=("key",), name="one_active_schema"
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="promptversion",
            constraint=models.UniqueConstraint(fields=("key", "version"), name="one_prompt_version"),
        ),
        migrations.AddConstraint(
            model_name="promptversion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("key",), name="one_active_prompt"
            ),
        ),
        migrations.AddConstraint(
            model_name="promptexperiment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "running")), fields=("key",), name="one_running_trial"
            ),
        ),
        migrations.AddConstraint(
            model_name="promptexperiment",
            constraint=models.CheckConstraint(condition=models.Q(("share__lte", 100)), name="trial_share_in_per_cent"),
        ),
        migrations.AddConstraint(
            model_name="promptexperiment",
            constraint=models.CheckConstraint(
                condition=models.Q(("control", models.F("trial")), _negated=True), name="trial_is_not_its_control"
            ),
        ),
        migrations.AddConstraint(
            model_name="promptactivation",
            constraint=models.CheckConstraint(
                condition=models.Q(("refusal", ""), models.Q(("override", ""), _negated=True), _connector="OR"),
                name="prompt_override_has_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="routingtable",
            constraint=models.UniqueConstraint(fields=("key", "version"), name="one_routing_version"),
        ),
        migrations.AddConstraint(
            model_name="routingtable",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("key",), name="one_active_routing"
            ),
        ),
        migrations.AddConstraint(
            model_name="thresholdprofile",
            constraint=models.UniqueConstraint(fields=("key", "version"), name="one_profile_version"),
        ),
        migrations.AddConstraint(
            model_name="thresholdprofile",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("key",), name="one_active_profile"
            ),
        ),
        migrations.AddConstraint(
            model_name="thresholdprofile",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("threshold_b__lt", models.F("threshold_pv")),
                    ("threshold_pv__lt", models.F("threshold_a")),
                    ("threshold_a__lte", 1),
                    ("threshold_b__gte", 0),
                ),
                name="inv_01_b_lt_pv_lt_a",
            ),
        ),
        migrations.AddConstraint(
            model_name="activation",
            constraint=models.CheckConstraint(
                condition=models.Q(("refusal", ""), models.Q(("override", ""), _negated=True), _connector="OR"),
                name="override_has_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="workrules",
            constraint=models.UniqueConstraint(fields=("key", "version"), name="one_work_rules_version"),
        ),
        migrations.AddConstraint(
            model_name="workrules",
            constraint=models.UniqueConstraint(
                condition=models.Q(("active", True)), fields=("key",), name="one_active_work_rules"
            ),
        ),
        migrations.AddConstraint(
            model_name="workrules",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("accept_after_min__lt", models.F("skip_after_min")),
                    ("escalate_after_min__lt", models.F("accept_after_min")),
                    ("high_after_min__gte", 1),
                    ("high_after_min__lt", models.F("escalate_after_min")),
                ),
                name="sla_levels_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="workrules",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("accept_above__gte", 0),
                    ("accept_above__lt", 1),
                    ("audit_ratio__gte", 0),
                    ("audit_ratio__lte", 1),
                    ("verdict_least__gte", 0),
                    ("verdict_least__lte", models.F("verdict_most")),
                    ("verdict_most__lte", 1),
                    ("hard_accuracy__lte", 1),
                    ("hard_below__lte", 1),
                ),
                name="work_ratios_in_range",
            ),
        ),
        migrations.AddConstraint(
            model_name="workrules",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("honeypot_ratio", 0),
                    ("honeypot_ratio__range", (Decimal("0.05"), Decimal("0.15"))),
                    _connector="OR",
                ),
                name="honeypots_5_to_15_percent",
            ),
        ),
        # The weights sum to 1; a missing one makes the sum null, which is refused too.
        migrations.RunSQL(
            f"ALTER TABLE profiles_thresholdprofile ADD CONSTRAINT inv_02_weights_sum_to_1"
            f" CHECK (coalesce({SUM}, 0) = 1)",
            "ALTER TABLE profiles_thresholdprofile DROP CONSTRAINT inv_02_weights_sum_to_1",
        ),
    ]
