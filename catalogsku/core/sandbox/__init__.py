"""Untrusted documents are opened only here: confined child processes of a fork server, under limits (TA-G4)."""

from catalogsku.core.sandbox.child import Emit
from catalogsku.core.sandbox.client import Hold, Outcome, Sandbox
from catalogsku.core.sandbox.confine import Capabilities, capabilities
from catalogsku.core.sandbox.server import SandboxUnavailable
from catalogsku.core.sandbox.wire import Limits, Ready

__all__ = [
    "Capabilities",
    "Emit",
    "Hold",
    "Limits",
    "Outcome",
    "Ready",
    "Sandbox",
    "SandboxUnavailable",
    "capabilities",
]
