"""Addresses of tasks."""

from django.urls import path

import annotation.views as views

urlpatterns = [
    path("tasks/", views.tasks, name="tasks"),
    path("tasks/<uuid:task_id>/", views.task, name="task"),
    path("work/", views.work_command, name="work_command"),
]
