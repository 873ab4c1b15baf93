"""Addresses of tasks."""

from django.urls import path

from annotation.at_once import views as at_once
from annotation.calibration import views as calibration
from annotation.figures import views as figures
from annotation.proposals import views as proposals
from annotation.queue import supervision
from annotation.queue import views as queue
from annotation.reports import views as reports
from annotation.workbench import views as workbench

urlpatterns = [
    path("tasks/", queue.tasks, name="tasks"),
    path("tasks/next/", supervision.following, name="tasks_next"),
    path("tasks/closed/", supervision.closed, name="tasks_closed"),
    path("tasks/attributes/", proposals.proposals, name="attribute_proposals"),
    path("tasks/attributes/<int:proposal_id>/", proposals.decide, name="attribute_decide"),
    path("tasks/people/", supervision.people, name="people"),
    path("tasks/supervise/", supervision.supervise, name="tasks_supervise"),
    path("tasks/<uuid:task_id>/comment/", supervision.comment, name="task_comment"),
    path("tasks/sync/", workbench.tasks_sync, name="tasks_sync"),
    path("tasks/<uuid:task_id>/", workbench.task, name="task"),
    path("tasks/<uuid:task_id>/print/", workbench.task_print, name="task_print"),
    path("tasks/<uuid:task_id>/around/", workbench.task_around, name="task_around"),
    path("tasks/<uuid:task_id>/past/", workbench.task_past, name="task_past"),
    path("tasks/<uuid:task_id>/next/", workbench.task_next, name="task_next"),
    path("quality/calibration/", calibration.calibration, name="calibration"),
    path("quality/calibration/run/", calibration.calibration_run, name="calibration_run"),
    path("quality/calibration/<int:proposal_id>/", calibration.calibration_decide, name="calibration_decide"),
    path("ops/figures/", figures.figures, name="figures"),
    path("ops/figures/figures.csv", figures.figures_file, name="figures_file"),
    path("reports/", reports.reports, name="reports"),
    path("jobs/<uuid:job_id>/report/", reports.sku_report, name="sku_report"),
    path("jobs/<uuid:job_id>/skus/<str:sku_id>/correct/", at_once.sku_correct, name="sku_correct"),
    path("jobs/<uuid:job_id>/skus/<str:sku_id>/correct/undo/", at_once.sku_correct_undo, name="sku_correct_undo"),
    path("correction-rule/", at_once.correction_rule, name="correction_rule"),
    path("work/", workbench.work_command, name="work_command"),
]
