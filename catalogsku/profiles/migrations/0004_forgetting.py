"""The log of changes stays append-only, but for names that are forgotten with a person or a merchant."""

from django.db import migrations

FORGETTING = """
CREATE OR REPLACE FUNCTION profiles_keep_what_was_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('catalogsku.forgets', true) = 'on'
        AND (NEW.id, NEW.model, NEW.row, NEW.kind, NEW.at) = (OLD.id, OLD.model, OLD.row, OLD.kind, OLD.at)
        AND (NEW."by" = OLD."by" OR NEW."by" ~ '^person-[0-9]+$')
        AND NEW.name IN (OLD.name, '') AND NEW.why IN (OLD.why, '')
        AND NEW.before IN (OLD.before, '{}') AND NEW.after IN (OLD.after, '{}') THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'profiles_configchange is append-only';
END $$;
"""
REMEMBERING = """
CREATE OR REPLACE FUNCTION profiles_keep_what_was_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'profiles_configchange is append-only';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("profiles", "0003_changes")]

    operations = [migrations.RunSQL(FORGETTING, REMEMBERING)]
