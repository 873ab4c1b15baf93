"""A page has one open task: open ones of the same page become one, which asks for all that they asked.

What is in hand stays in hand. There is no way back to several: backwards, the merged tasks stay merged.
"""

from typing import Any

from django.db import migrations, models

MERGE = """
CREATE TEMPORARY TABLE merged ON COMMIT DROP AS
SELECT id, page_id, status, purpose, first_value(id) OVER (
    PARTITION BY page_id ORDER BY purpose NOT IN ('work', 'document'), status <> 'PROCESSING', status <> 'ESCALATED',
        assigned_until IS NULL OR assigned_until < now(), id
) AS kept FROM annotation_humantask
WHERE status IN ('CREATED', 'ESCALATED', 'PROCESSING') AND purpose <> 'honeypot';
DELETE FROM merged m WHERE NOT EXISTS (SELECT FROM merged o WHERE o.page_id = m.page_id AND o.id <> m.id);

WITH asked AS (
    SELECT m.kept, t.id, t.priority, t.type, t.status, t.came_from, t.clock_from, t.subject, t.reasons
    FROM merged m JOIN annotation_humantask t ON t.id = m.id WHERE m.purpose IN ('work', 'document')
), reasons AS (
    SELECT DISTINCT ON (kept, reason) kept, id, place, reason FROM (
        SELECT kept, id, place, CASE WHEN subject <> '' THEN reason || jsonb_build_object('sku', subject) ELSE reason END
            AS reason
        FROM asked, jsonb_array_elements(reasons) WITH ORDINALITY AS each(reason, place)
    ) said ORDER BY kept, reason, id, place
), together AS (
    SELECT kept, min(clock_from) AS clock_from, bool_or('ESCALATED' IN (status, came_from)) AS escalated,
        max(array_position(ARRAY['NORMAL', 'HIGH', 'CRITICAL', 'AUTO_RESOLVE'], priority::text)) AS priority,
        max(array_position(ARRAY['BINDING_REVIEW', 'CUSTOM_ATTR_CONFIRM', 'SKU_CONFIRM', 'PAGE_REVIEW',
            'FULL_PAGE_ANNOTATION'], type::text)) AS type,
        count(DISTINCT subject) = 1 AS about_one, min(subject) AS subject,
        (SELECT jsonb_agg(r.reason ORDER BY r.id, r.place) FROM reasons r WHERE r.kept = asked.kept) AS reasons
    FROM asked GROUP BY kept HAVING count(*) > 1
)
UPDATE annotation_humantask t SET
    reasons = coalesce(g.reasons, '[]'), clock_from = g.clock_from,
    priority = (ARRAY['NORMAL', 'HIGH', 'CRITICAL', 'AUTO_RESOLVE'])[g.priority],
    type = (ARRAY['BINDING_REVIEW', 'CUSTOM_ATTR_CONFIRM', 'SKU_CONFIRM', 'PAGE_REVIEW', 'FULL_PAGE_ANNOTATION'])[g.type],
    subject = CASE WHEN g.about_one AND g.type <= 3 THEN g.subject ELSE '' END,
    came_from = CASE WHEN t.status = 'PROCESSING' AND g.escalated THEN 'ESCALATED' ELSE t.came_from END,
    version = t.version + 1, changed = pg_current_xact_id()
FROM together g WHERE t.id = g.kept;

INSERT INTO core_transition (entity, entity_id, job_id, source, target, trigger, actor, reason, at)
SELECT 'task', t.id, t.job_id, t.status, 'SKIPPED',
    CASE WHEN m.purpose IN ('work', 'document') THEN 'joined' ELSE 'superseded' END,
    'system', jsonb_build_object('with', m.kept), now()
FROM merged m JOIN annotation_humantask t ON t.id = m.id WHERE m.id <> m.kept;

UPDATE annotation_humantask t SET status = 'SKIPPED', closed_at = now(), locked_by_id = NULL, lock_session = NULL,
    lease_until = NULL, locked_at = NULL, lock_token = t.lock_token + 1, assigned_to_id = NULL, assigned_until = NULL,
    result = jsonb_build_object('with', m.kept), version = t.version + 1, changed = pg_current_xact_id()
FROM merged m WHERE t.id = m.id AND m.id <> m.kept;

UPDATE annotation_skureport r SET task_id = m.kept FROM merged m WHERE r.task_id = m.id AND m.id <> m.kept;

UPDATE annotation_draft d SET task_id = chosen.kept FROM (
    SELECT DISTINCT ON (m.kept, d.user_id) d.id, m.kept FROM annotation_draft d JOIN merged m ON m.id = d.task_id
    WHERE m.purpose IN ('work', 'document') AND NOT EXISTS (
        SELECT FROM annotation_draft own WHERE own.task_id = m.kept AND own.user_id = d.user_id
    ) ORDER BY m.kept, d.user_id, d.saved_at DESC
) chosen WHERE d.id = chosen.id;

SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial"), ("core", "0001_initial")]

    operations: list[Any] = [
        migrations.RunSQL(MERGE, migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="humantask", name="one_open_task"),
        migrations.AddConstraint(
            model_name="humantask",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("status__in", ("CREATED", "ESCALATED", "PROCESSING")),
                    models.Q(("purpose", "honeypot"), _negated=True),
                ),
                fields=("page",),
                name="one_open_task",
            ),
        ),
        migrations.AddConstraint(
            model_name="humantask",
            constraint=models.UniqueConstraint(
                condition=models.Q(("purpose", "honeypot"), ("status__in", ("CREATED", "ESCALATED", "PROCESSING"))),
                fields=("page", "subject"),
                name="one_golden_page_a_person",
            ),
        ),
    ]
