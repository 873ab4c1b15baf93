import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

# Whatever takes a right from a person ends everything that was given to them before: the count of it, by triggers, so
# that it holds for every way in which a row is changed.
RIGHTS_THAT_END = """
CREATE FUNCTION accounts_end_what_was_given() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.sessions_ended := greatest(OLD.sessions_ended, NEW.sessions_ended);
    IF (OLD.password, OLD.role, OLD.is_active) IS DISTINCT FROM (NEW.password, NEW.role, NEW.is_active) THEN
        NEW.sessions_ended := NEW.sessions_ended + 1;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER rights_of_a_person_changed BEFORE UPDATE ON accounts_user
    FOR EACH ROW EXECUTE FUNCTION accounts_end_what_was_given();

CREATE FUNCTION accounts_end_with_a_merchant_lost() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts_user SET sessions_ended = sessions_ended + 1 WHERE id = OLD.user_id;
    RETURN NULL;
END $$;
CREATE TRIGGER merchant_of_a_person_lost AFTER DELETE OR UPDATE ON accounts_user_merchants
    FOR EACH ROW EXECUTE FUNCTION accounts_end_with_a_merchant_lost();

CREATE FUNCTION accounts_end_with_a_merchant_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE accounts_user SET sessions_ended = sessions_ended + 1
    WHERE id IN (SELECT user_id FROM accounts_user_merchants WHERE merchant_id = NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER merchant_closed AFTER UPDATE OF is_active ON accounts_merchant
    FOR EACH ROW WHEN (OLD.is_active AND NOT NEW.is_active)
    EXECUTE FUNCTION accounts_end_with_a_merchant_closed();
"""
NO_RIGHTS_END = """
DROP TRIGGER rights_of_a_person_changed ON accounts_user;
DROP TRIGGER merchant_of_a_person_lost ON accounts_user_merchants;
DROP TRIGGER merchant_closed ON accounts_merchant;
DROP FUNCTION accounts_end_what_was_given, accounts_end_with_a_merchant_lost, accounts_end_with_a_merchant_closed;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("uploader", "uploader"),
                            ("annotator", "annotator"),
                            ("lead", "lead"),
                            ("admin", "admin"),
                        ],
                        default="uploader",
                        max_length=12,
                        verbose_name="role",
                    ),
                ),
                ("display_name", models.CharField(blank=True, max_length=60, verbose_name="display name")),
                ("language", models.CharField(default="zh-hans", max_length=10, verbose_name="language")),
                ("sessions_ended", models.PositiveIntegerField(default=0, editable=False)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="FailedTries",
            fields=[
                ("key", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("level", models.FloatField()),
                ("at", models.DateTimeField()),
                ("refused", models.BooleanField()),
            ],
        ),
        migrations.CreateModel(
            name="Merchant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=120, unique=True, verbose_name="name")),
                ("is_active", models.BooleanField(default=True, verbose_name="active")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "merchant",
                "verbose_name_plural": "merchants",
            },
        ),
        migrations.CreateModel(
            name="ApiWindow",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("began_at", models.DateTimeField()),
                ("requests", models.IntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="user",
            name="merchants",
            field=models.ManyToManyField(
                blank=True, related_name="users", to="accounts.merchant", verbose_name="merchants"
            ),
        ),
        migrations.CreateModel(
            name="KnownPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.GenericIPAddressField()),
                ("seen_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "address"), name="one_row_a_place")],
            },
        ),
        migrations.RunSQL(RIGHTS_THAT_END, NO_RIGHTS_END),
    ]
