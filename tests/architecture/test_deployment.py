"""The manifests of deploy/ run what the product consists of, confined, and are what Kubernetes takes."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from catalogsku import __version__
from catalogsku.units import UNITS
from tests.support.container import OF_ENGINE, WORDS, instructions, unignored

PROJECT = Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"
BASE, KEDA = DEPLOY / "kubernetes" / "base", DEPLOY / "kubernetes" / "overlays" / "keda"
IMAGE = f"catalogsku:{__version__}"
SCHEMAS = Path(sys.executable).parent.parent / "manifests"
OBJECTS = [
    pytest.param(made, id=f"{made['kind']}-{made['metadata']['name']}")
    for file in sorted(BASE.glob("*.yaml"))
    if file.name != "kustomization.yaml"
    for made in yaml.safe_load_all(file.read_text())
]


def compose() -> dict[str, dict[str, Any]]:
    services: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    return services


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for (made,) in (parameter.values for parameter in OBJECTS):
        if made["kind"] in ("Deployment", "Job"):
            yield made["metadata"]["name"], made["spec"]["template"]["spec"]


def own(command: list[str]) -> list[str]:
    """What a unit runs, without its niceness, its Python, where it listens and how many threads it has."""
    tokens = command[command.index("python") + 1 :]
    stops = [n for n, token in enumerate(tokens) if token in ("--threads", "--fd", "-b")]
    return tokens[: stops[0]] if stops else tokens


def units() -> dict[str, list[str]]:
    return {unit.name: own(["python", *unit.arguments]) for unit in UNITS}


def of_image() -> list[str]:
    said = re.findall(r"^CMD (\[.*\])$", (DEPLOY / "Containerfile").read_text(), re.M)
    (command,) = (yaml.safe_load(text) for text in said)
    assert isinstance(command, list)
    return command


def test_what_is_of_one_checkout_alone_does_not_go_into_the_image(tmp_path: Path) -> None:
    goes = {"manage.py", "catalogsku/units.py", "requirements/base.txt", "scripts/bootstrap.sh", "static/vendor/a.js"}
    stays = {".env", "var/log/web.log", "tests/conftest.py", "scripts/js/node_modules/a/index.js", ".git/config",
             "catalogsku/__pycache__/units.cpython-311.pyc", "deploy/catalogsku.env"}  # fmt: skip
    for name in goes | stays:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert set(unignored(DEPLOY / "Containerfile", tmp_path)) == goes


def test_the_image_can_be_built_without_an_engine() -> None:
    """As functional/test_image.py does, which takes minutes and a network: no line that it does not know."""
    assert {word for word, _ in instructions(DEPLOY / "Containerfile")} <= OF_ENGINE | WORDS.keys()


def test_each_unit_is_a_service_and_a_container_with_its_command() -> None:
    containers = {c["name"]: c.get("command", of_image()) for _, pod in pods() for c in pod["containers"]}
    services = {name: s.get("command", of_image()) for name, s in compose().items() if s["image"] == IMAGE}
    for commands in (containers, services):
        assert own(commands.pop("migrate")) == ["manage.py", "migrate"]
        assert {name: own(command) for name, command in commands.items()} == units()


@pytest.mark.parametrize("place", ["compose", "kubernetes"])
def test_who_needs_to_be_told_its_name_is(place: str) -> None:
    if place == "compose":
        told = {n: s["environment"].get("CATALOGSKU_UNIT") for n, s in compose().items() if s["image"] == IMAGE}
    else:
        told = {
            c["name"]: next((e["value"] for e in c.get("env", ()) if e["name"] == "CATALOGSKU_UNIT"), None)
            for _, pod in pods()
            for c in pod["containers"]
        }
    assert {name: value for name, value in told.items() if value} == {n: n for n in ("web", "live", "scheduler")}


def test_no_container_may_do_more_than_it_must() -> None:
    for name, pod in pods():
        assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] >= 10_000, name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert not pod["automountServiceAccountToken"], name
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert container["image"] == IMAGE
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }, (name, container["name"])
            assert {"requests", "limits"} <= container["resources"].keys()
    for name, service in compose().items():
        if service["image"] == IMAGE:
            assert service["read_only"] and service["cap_drop"] == ["ALL"], name
            assert service["security_opt"] == ["no-new-privileges:true"], name


def test_live_shares_its_folder_with_web_and_has_the_descriptors_that_it_wants() -> None:
    (web,) = (pod for name, pod in pods() if name == "catalogsku-web")
    assert [container["name"] for container in web["containers"]] == ["web", "live"]
    assert len({str(container["volumeMounts"]) for container in web["containers"]}) == 1
    services = compose()
    assert services["web"]["volumes"] == services["live"]["volumes"]
    assert services["live"]["ulimits"]["nofile"]["hard"] == 16_384


def test_what_is_set_are_settings_that_there_are() -> None:
    known = set(re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=", (PROJECT / ".env.example").read_text(), re.M))
    (config,) = (p.values[0]["data"] for p in OBJECTS if p.values[0]["kind"] == "ConfigMap")
    example = re.findall(r"^([A-Z_]+)=", (DEPLOY / "catalogsku.env.example").read_text(), re.M)
    of_services = {
        name
        for s in compose().values()
        if s["image"] == IMAGE
        for name in s["environment"]
        if name != "CATALOGSKU_UNIT"
    }
    assert {*config, *example, *of_services} <= known
    assert "localhost" in config["ALLOWED_HOSTS"].split(",")  # the probes ask for it


def test_keda_scales_units_by_the_query_of_the_papers() -> None:
    papers = (PROJECT / "docs" / "deployment.md").read_text()
    scaled = [o for o in yaml.safe_load_all((KEDA / "scaling.yaml").read_text()) if o["kind"] == "ScaledObject"]
    assert sorted(o["spec"]["scaleTargetRef"]["name"] for o in scaled) == [
        f"catalogsku-{unit}" for unit in ("cpu", "llm", "out")
    ]
    for made in scaled:
        unit = made["metadata"]["labels"]["app.kubernetes.io/component"]
        (trigger,) = made["spec"]["triggers"]
        assert trigger["metadata"]["query"].replace(f"'{unit}'", "'cpu'") in papers
        assert made["spec"]["minReplicaCount"] == 0


@pytest.mark.parametrize("made", OBJECTS)
def test_kubernetes_takes_it(made: dict[str, Any]) -> None:
    if not SCHEMAS.exists():
        pytest.skip("no schemas: scripts/manifests.sh")
    run = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict", "--quiet", "/dev/stdin"],
        input=yaml.safe_dump(made),
        env={"PYTHONPATH": str(SCHEMAS)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("folder", [BASE, KEDA], ids=["base", "keda"])
def test_kustomize_puts_it_together(folder: Path) -> None:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("no kubectl")
    built = subprocess.run([kubectl, "kustomize", str(folder)], capture_output=True, text=True, timeout=60)
    assert built.returncode == 0, built.stderr
    names = {(o["kind"], o["metadata"]["name"]) for o in yaml.safe_load_all(built.stdout)}
    assert names >= {(p.values[0]["kind"], p.values[0]["metadata"]["name"]) for p in OBJECTS}
    assert (("ScaledObject", "catalogsku-cpu") in names) == (folder == KEDA)
