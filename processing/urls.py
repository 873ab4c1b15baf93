"""Addresses of results, their pictures and exports, of evaluations and models, of editions, of reports over golden
sets, of prompts tried out, of merchants' words, of studies and their templates, and of receivers of webhooks."""

from django.urls import path

from processing.catalogue import views as catalogue
from processing.dictionaries import views as dictionaries
from processing.editions import views as editions
from processing.exports import views as exports
from processing.imports import views as imports
from processing.operations import views as operations
from processing.pages import views as pages
from processing.quality import views as quality
from processing.results import views as results
from processing.studies import compare_views as comparing
from processing.studies import review_views as reviewing
from processing.studies import views as studies
from processing.studies.receivers import enter_files, enter_trials
from processing.webhooks import views as webhooks

enter_files()
enter_trials()

urlpatterns = [
    path("catalogue/", catalogue.all_skus, name="catalogue"),
    path("results/", results.all_results, name="all_results"),
    path("results/columns/", results.list_columns, name="list_columns"),
    path("jobs/<uuid:job_id>/results/", results.results, name="results"),
    path("jobs/<uuid:job_id>/skus/<str:sku_id>/", results.sku, name="sku"),
    path("jobs/<uuid:job_id>/skus/<str:sku_id>/also-in/", results.sku_also_in, name="sku_also_in"),
    path("jobs/<uuid:job_id>/pictures/<str:image_id>", results.picture, name="picture"),
    path("jobs/<uuid:job_id>/export/<str:kind>/", results.export, name="export"),
    path("exports/", exports.export_panel, name="export_panel"),
    path("exports/make/", exports.export_make, name="export_make"),
    path("exports/layout/", exports.layout_save, name="layout_save"),
    path("exports/<uuid:export_id>/link/", exports.export_link, name="export_link"),
    path("files/<str:token>/", exports.export_file, name="export_file"),
    path("jobs/<uuid:job_id>/evaluation/", pages.evaluation, name="evaluation"),
    path("jobs/<uuid:job_id>/pages/<int:number>/models/", pages.page_models, name="page_models"),
    path("jobs/<uuid:job_id>/cancel/", operations.job_cancel, name="job_cancel"),
    path("jobs/<uuid:job_id>/imports/", imports.job_imports, name="job_imports"),
    path("jobs/<uuid:job_id>/imports/hold/", editions.imports_hold, name="imports_hold"),
    path("jobs/<uuid:job_id>/edition/", editions.edition, name="edition"),
    path("jobs/<uuid:job_id>/edition/declare/", editions.edition_declare, name="edition_declare"),
    path("jobs/<uuid:job_id>/edition/undo/", editions.edition_undo, name="edition_undo"),
    path("jobs/<uuid:job_id>/edition/choose/", editions.edition_choose, name="edition_choose"),
    path("jobs/<uuid:job_id>/edition/choose/undo/", editions.edition_choose_undo, name="edition_choose_undo"),
    path("jobs/<uuid:job_id>/edition/rename/", editions.edition_rename, name="edition_rename"),
    path("jobs/<uuid:job_id>/edition/approve/", editions.edition_approve, name="edition_approve"),
    path("jobs/<uuid:job_id>/edition/changes/<str:key>/", editions.edition_change, name="edition_change"),
    path("imports/", imports.imports, name="imports"),
    path("imports/retry/", imports.imports_retry, name="imports_retry"),
    path("imports/try/", imports.imports_try, name="imports_try"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<uuid:endpoint_id>/", webhooks.webhook, name="webhook"),
    path("webhooks/<uuid:endpoint_id>/act/", webhooks.webhook_act, name="webhook_act"),
    path("webhooks/<uuid:endpoint_id>/secret/", webhooks.webhook_secret, name="webhook_secret"),
    path("models/", operations.models, name="models"),
    path("asking/", pages.asking, name="asking"),
    path("keeping/people/", pages.personal_data, name="personal_data"),
    path("words/", dictionaries.dictionary, name="dictionary"),
    path("words/file/", dictionaries.dictionary_file, name="dictionary_file"),
    path("templates/", studies.study_templates, name="study_templates"),
    path("templates/<uuid:template_id>/", studies.study_template, name="study_template"),
    path("templates/<uuid:template_id>/clone/", studies.study_template_clone, name="study_template_clone"),
    path("templates/<uuid:template_id>/archive/", studies.study_template_archive, name="study_template_archive"),
    path("templates/<uuid:template_id>/file/", studies.study_template_file, name="study_template_file"),
    path("studies/", reviewing.studies, name="studies"),
    path("studies/<uuid:job_id>/", reviewing.study, name="study"),
    path("studies/<uuid:job_id>/sync/", reviewing.study_sync, name="study_sync"),
    path("studies/<uuid:job_id>/fields/", reviewing.study_fields, name="study_fields"),
    path("studies/<uuid:job_id>/decide/", reviewing.study_decide, name="study_decide"),
    path("studies/<uuid:job_id>/compare/", comparing.study_compare, name="study_compare"),
    path("studies/<uuid:job_id>/parts/", reviewing.study_part, name="study_part"),
    path("studies/<uuid:job_id>/approve/", reviewing.study_approve, name="study_approve"),
    path("studies/<uuid:job_id>/pages/<int:number>/", reviewing.study_page, name="study_page"),
    path("models/gate/", operations.model_gate, name="model_gate"),
    path("models/probe/", operations.model_probe, name="model_probe"),
    path("prompts/<int:prompt_id>/try/", pages.prompt_try, name="prompt_try"),
    path("quality/", quality.quality, name="quality"),
    path("quality/run/", quality.quality_run, name="quality_run"),
    path("quality/effects/profiles/<int:profile_id>/", quality.profile_effect, name="profile_effect"),
    path("quality/effects/routes/<int:routing_id>/", quality.routing_effect, name="routing_effect"),
    path("quality/<uuid:report_id>/", quality.quality_report, name="quality_report"),
    path("quality/<uuid:report_id>/pages/<int:number>", quality.quality_picture, name="quality_picture"),
]
