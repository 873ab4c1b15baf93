"""Rules of merchants for asking models, and what a page that waits for them is expected to cost."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0005_failed_tries"),
        ("processing", "0024_one_question"),
    ]

    operations = [
        migrations.AddField(
            model_name="ruleresult",
            name="estimated_micro",
            field=models.BigIntegerField(db_default=0, default=0),
        ),
        migrations.CreateModel(
            name="AskingRule",
            fields=[
                (
                    "merchant",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.merchant",
                        verbose_name="merchant",
                    ),
                ),
                (
                    "ask_models",
                    models.CharField(
                        choices=[
                            ("at_once", "at once, whatever it costs"),
                            ("ask_first", "above an amount only once somebody agrees"),
                            ("never", "never"),
                        ],
                        default="ask_first",
                        max_length=10,
                        verbose_name="models are asked",
                    ),
                ),
                (
                    "ask_first_above_micro_usd",
                    models.BigIntegerField(
                        default=1000000,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="somebody is asked above this many micro-USD a document",
                    ),
                ),
            ],
            options={
                "verbose_name": "rule for asking models",
                "verbose_name_plural": "rules for asking models",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ask_models__in", ["at_once", "ask_first", "never"])),
                        name="asking_rule_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("ask_first_above_micro_usd__gte", 0)), name="asking_limit_not_negative"
                    ),
                ],
            },
        ),
    ]
