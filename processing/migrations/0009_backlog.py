"""What waits for machines, as seconds of their work: workers are scaled by it, from none and back to none.

A view, so that an autoscaler needs nothing but the database. Seconds of a page are those that its document's last pages
took; before any was done, and for what is no page, about what it takes (docs/bench). A page that waits to be read is to
be understood too. A migration that changes a column named here makes the view anew.
"""

from django.db import migrations

# Stage, its unit (ingestion/stages.py), seconds.
_OF_PAGES = """('READ', 'cpu', 0.2), ('UNDERSTAND_RULES', 'cpu', 0.05), ('UNDERSTAND', 'llm', 8.0)"""
_OF_JOBS = """('INSPECT', 'cpu', 0.5), ('PRESCAN', 'cpu', 1.0), ('EVALUATE', 'llm', 2.0)"""
# As in ingestion/lifecycle.py.
_WORKABLE = """'EVALUATING', 'ORPHANED', 'PROCESSING', 'DEGRADED_HUMAN', 'PARTIAL_IMPORTED', 'PARTIAL_FAILED',
    'FULL_IMPORTED', 'AWAITING_GO'"""

CREATE = f"""
CREATE VIEW catalogsku_backlog AS
WITH pages AS (
    SELECT job_id, stage, false AS in_hand, count(*) AS n FROM ingestion_page
    WHERE stage <> 'NONE' AND worker IS NULL AND coalesce(not_before <= statement_timestamp(), true) GROUP BY 1, 2
    UNION ALL
    SELECT job_id, stage, true, count(*) FROM ingestion_page WHERE worker IS NOT NULL GROUP BY 1, 2
), jobs AS (
    SELECT stage, false AS in_hand FROM ingestion_job j
    WHERE stage <> 'NONE' AND worker IS NULL AND held_reason = ''
        AND status = CASE WHEN stage = 'EVALUATE' THEN 'EVALUATING' ELSE 'UPLOADED' END
        AND coalesce(not_before <= statement_timestamp(), true)
        AND (stage <> 'EVALUATE' OR NOT EXISTS (
            SELECT FROM ingestion_page p WHERE p.job_id = j.id AND p.stage = 'READ' AND p.worker IS NULL AND p.sampled))
    UNION ALL
    SELECT stage, true FROM ingestion_job WHERE stage <> 'NONE' AND worker IS NOT NULL
), work (unit, in_hand, n, seconds) AS (
    SELECT s.unit, p.in_hand, p.n, p.n * (coalesce((j.paces ->> s.stage)::float8, s.seconds)
        + CASE WHEN s.stage = 'READ' THEN coalesce((j.paces ->> 'UNDERSTAND_RULES')::float8, 0.05) ELSE 0 END)
    FROM pages p JOIN (VALUES {_OF_PAGES}) AS s (stage, unit, seconds) USING (stage)
    JOIN ingestion_job j ON j.id = p.job_id
    WHERE p.in_hand OR j.held_reason = '' AND j.status IN ({_WORKABLE})
        AND (j.status <> 'EVALUATING' OR p.stage = 'READ')
    UNION ALL
    SELECT s.unit, j.in_hand, 1, s.seconds FROM jobs j JOIN (VALUES {_OF_JOBS}) AS s (stage, unit, seconds) USING (stage)
    UNION ALL
    SELECT 'out', i.worker IS NOT NULL, count(*), 0.05 * count(*)
    FROM processing_importrecord i
    WHERE i.state IN ('PENDING', 'SENDING', 'UNKNOWN') AND (i.worker IS NOT NULL
        OR coalesce(i.not_before <= statement_timestamp(), true)
        AND NOT EXISTS (SELECT FROM processing_targethold h WHERE h.target = i.target))
    GROUP BY 2
)
SELECT u.unit,
    coalesce(sum(w.seconds) FILTER (WHERE NOT w.in_hand), 0)::float8 AS waiting_s,
    coalesce(sum(w.seconds) FILTER (WHERE w.in_hand), 0)::float8 AS in_hand_s,
    coalesce(sum(w.n) FILTER (WHERE NOT w.in_hand), 0)::bigint AS waiting,
    coalesce(sum(w.n) FILTER (WHERE w.in_hand), 0)::bigint AS in_hand
FROM (VALUES ('cpu'), ('llm'), ('out')) AS u (unit) LEFT JOIN work w USING (unit) GROUP BY u.unit
"""


class Migration(migrations.Migration):
    dependencies = [("processing", "0008_times_by_the_database"), ("ingestion", "0009_times_by_the_database")]

    operations = [migrations.RunSQL(CREATE, "DROP VIEW catalogsku_backlog")]
