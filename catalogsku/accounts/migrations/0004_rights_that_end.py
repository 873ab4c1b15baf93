"""Whatever takes a right from a person ends everything that was given to them before: the count of it, by triggers, so
that it holds for every way in which a row is changed."""

from django.db import migrations

FORWARD = """
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
BACKWARD = """
DROP TRIGGER rights_of_a_person_changed ON accounts_user;
DROP TRIGGER merchant_of_a_person_lost ON accounts_user_merchants;
DROP TRIGGER merchant_closed ON accounts_merchant;
DROP FUNCTION accounts_end_what_was_given, accounts_end_with_a_merchant_lost, accounts_end_with_a_merchant_closed;
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_api_window")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
