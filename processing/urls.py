"""Addresses of results, their pictures and exports, of evaluations and models, of editions, of reports over golden
sets, of prompts tried out, and of receivers of webhooks."""

from django.urls import path

from processing import operations, views
from processing.catalogue import views as catalogue_views
from processing.editions import views as edition_views
from processing.exports import views as downloads
from processing.pages import views as asking_views
from processing.webhooks import views as webhook_pages

urlpatterns = [
    path("catalogue/", catalogue_views.all_skus, name="catalogue"),
    path("results/", views.all_results, name="all_results"),
    path("jobs/<uuid:job_id>/results/", views.results, name="results"),
    path("jobs/<uuid:job_id>/skus/<str:sku_id>/", views.sku, name="sku"),
    path("jobs/<uuid:job_id>/pictures/<str:image_id>", views.picture, name="picture"),
    path("jobs/<uuid:job_id>/export/<str:kind>/", views.export, name="export"),
    path("exports/", downloads.export_panel, name="export_panel"),
    path("exports/make/", downloads.export_make, name="export_make"),
    path("exports/layout/", downloads.layout_save, name="layout_save"),
    path("exports/<uuid:export_id>/link/", downloads.export_link, name="export_link"),
    path("files/<str:token>/", downloads.export_file, name="export_file"),
    path("jobs/<uuid:job_id>/evaluation/", views.evaluation, name="evaluation"),
    path("jobs/<uuid:job_id>/pages/<int:number>/models/", views.page_models, name="page_models"),
    path("jobs/<uuid:job_id>/cancel/", operations.job_cancel, name="job_cancel"),
    path("jobs/<uuid:job_id>/imports/", operations.job_imports, name="job_imports"),
    path("jobs/<uuid:job_id>/imports/hold/", edition_views.imports_hold, name="imports_hold"),
    path("jobs/<uuid:job_id>/edition/", edition_views.edition, name="edition"),
    path("jobs/<uuid:job_id>/edition/declare/", edition_views.edition_declare, name="edition_declare"),
    path("jobs/<uuid:job_id>/edition/undo/", edition_views.edition_undo, name="edition_undo"),
    path("jobs/<uuid:job_id>/edition/choose/", edition_views.edition_choose, name="edition_choose"),
    path("jobs/<uuid:job_id>/edition/approve/", edition_views.edition_approve, name="edition_approve"),
    path("jobs/<uuid:job_id>/edition/changes/<str:key>/", edition_views.edition_change, name="edition_change"),
    path("imports/", operations.imports, name="imports"),
    path("imports/retry/", operations.imports_retry, name="imports_retry"),
    path("imports/try/", operations.imports_try, name="imports_try"),
    path("webhooks/", webhook_pages.webhooks, name="webhooks"),
    path("webhooks/<uuid:endpoint_id>/", webhook_pages.webhook, name="webhook"),
    path("webhooks/<uuid:endpoint_id>/act/", webhook_pages.webhook_act, name="webhook_act"),
    path("webhooks/<uuid:endpoint_id>/secret/", webhook_pages.webhook_secret, name="webhook_secret"),
    path("models/", operations.models, name="models"),
    path("asking/", asking_views.asking, name="asking"),
    path("models/gate/", operations.model_gate, name="model_gate"),
    path("models/probe/", operations.model_probe, name="model_probe"),
    path("prompts/<int:prompt_id>/try/", views.prompt_try, name="prompt_try"),
    path("quality/", views.quality, name="quality"),
    path("quality/<uuid:report_id>/", views.quality_report, name="quality_report"),
    path("quality/<uuid:report_id>/pages/<int:number>", views.quality_picture, name="quality_picture"),
]
