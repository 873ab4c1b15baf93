"""Addresses of documents, uploads and their pages."""

from django.urls import path

from ingestion import copies, files, operations, uploads, views
from ingestion.keeping import views as keeping
from ingestion.notices import views as notices

urlpatterns = [
    path("", views.documents, name="documents"),
    path("ops/", operations.operations, name="operations"),
    path("ops/pages/retry/", operations.retry_stopped, name="operations_retry"),
    path("ops/documents/requeue/", operations.requeue_held, name="operations_requeue"),
    path("file-rule/", copies.file_rule, name="file_rule"),
    path("keeping/", keeping.keeping, name="keeping"),
    path("keeping/delete/", keeping.keeping_delete, name="keeping_delete"),
    path("notices/", notices.notices, name="notices"),
    path("notices/unread/", notices.unread, name="notices_unread"),
    path("notices/read/", notices.read_all, name="notices_read"),
    path("notices/mail/", notices.mail, name="notices_mail"),
    path("notices/<int:notice_id>/", notices.notice, name="notice"),
    path("uploads/", uploads.create, name="upload_create"),
    path("uploads/<uuid:upload_id>/", uploads.parts, name="upload"),
    path("jobs/<uuid:job_id>/", views.job, name="job"),
    path("jobs/<uuid:job_id>/region/", views.job_region, name="job_region"),
    path("jobs/<uuid:job_id>/sync/", views.job_sync, name="job_sync"),
    path("jobs/<uuid:job_id>/retry/", views.job_retry, name="job_retry"),
    path("jobs/<uuid:job_id>/models/", views.job_models, name="job_models"),
    path("jobs/<uuid:job_id>/password/", views.job_password, name="job_password"),
    path("jobs/<uuid:job_id>/copy/", copies.job_copy, name="job_copy"),
    path("jobs/<uuid:job_id>/pages/<int:number>/rerun/", views.page_rerun, name="page_rerun"),
    path("jobs/<uuid:job_id>/pages/<int:number>/thumb", files.page_thumb, name="page_thumb"),
    path("jobs/<uuid:job_id>/pages/<int:number>/image", files.page_image, name="page_image"),
]
