#!/bin/sh
# Puts the schemas of Kubernetes' own objects (kubernetes-validate, Apache-2.0) beside the Python of the tests, which hold
# the manifests of deploy/ against them. Where they cannot be had, that test is skipped.
set -u

folder=${1:-.venv/manifests}
version=1.37.0
[ -d "$folder/kubernetes_validate" ] && exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --only-binary :all: --retries 2 \
    --timeout 20 --target "$folder" "kubernetes-validate==$version" importlib-resources==7.1.0 >"$log" 2>&1 || tail -n 1 "$log"
exit 0
