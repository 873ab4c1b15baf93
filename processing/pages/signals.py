"""What features above the stages act on. Receivers run at once, where they are sent; what they raise ends the stage."""

from django.dispatch import Signal

# ``job``, ``prescans``: what the prescan found of each page. Outside of a transaction, before any page is read.
document_prescanned = Signal()
# ``job_id``. In the transaction in which the document gets its route.
document_routed = Signal()
# ``job``, ``looked_at``: (page id, number, PageResult) of pages. In the transaction that records their results.
pages_recorded = Signal()
