"""The Gemini API's generateContent.

* Table of errors: https://ai.google.dev/gemini-api/docs/troubleshooting, as it was on 2026-06-15, and
  https://ai.google.dev/gemini-api/docs/generate-content/api-errors (read 2026-11-28).
* The other codes of an API of Google: https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto.
* Quotas: https://ai.google.dev/gemini-api/docs/rate-limits; credits and caps: https://ai.google.dev/gemini-api/docs/billing
  (read 2026-11-28). What the API says of spent credits and caps is told on https://discuss.ai.google.dev (2026).
* Why an answer ended and a question was kept back: https://ai.google.dev/api/generate-content and the enumerations of
  google-genai 3.3.0 (``types.FinishReason``, ``types.BlockedReason``).
"""

from typing import Any

from tests.support.refusals.row import BUSY, QUESTION, TRANSIENT, UNUSABLE, Refusal

RPC = "type.googleapis.com/google.rpc."
USAGE = {"promptTokenCount": 900, "totalTokenCount": 900}


def _info(reason: str) -> dict[str, Any]:
    return {"@type": f"{RPC}ErrorInfo", "reason": reason, "domain": "googleapis.com"}


def _quota(name: str) -> dict[str, Any]:
    return {"@type": f"{RPC}QuotaFailure", "violations": [{"quotaId": name}]}


def _retry(delay: str) -> dict[str, Any]:
    return {"@type": f"{RPC}RetryInfo", "retryDelay": delay}


def _row(status: int, code: str, message: str, made: str, house_code: str = "", *details: dict[str, Any]) -> Refusal:
    error: dict[str, Any] = {"code": status, "message": message, "status": code}
    if details:
        error["details"] = list(details)
    raised = "ServerError" if status >= 500 else "ClientError"
    return Refusal("gemini", status, code, message, made, house_code or f"http_{status}", raised, {"error": error})


def _kept_back(why: str) -> Refusal:
    """The question: 200 without an answer."""
    body = {"promptFeedback": {"blockReason": why}, "usageMetadata": USAGE}
    return Refusal("gemini", 200, why, "blockReason", QUESTION, "blocked", "", body)


def _ended(why: str, house_code: str, text: str = "") -> Refusal:
    """The answer: 200 with a candidate that holds nothing, or a beginning."""
    candidate: dict[str, Any] = {"index": 0, "finishReason": why}
    if text:
        candidate["content"] = {"role": "model", "parts": [{"text": text}]}
    body = {"candidates": [candidate], "usageMetadata": {**USAGE, "candidatesTokenCount": 5}}
    return Refusal("gemini", 200, why, f"finishReason {text}", QUESTION, house_code, "", body)


BLOCK_REASONS = (
    "BLOCK_REASON_UNSPECIFIED", "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "MODEL_ARMOR",
    "JAILBREAK",
)  # fmt: skip
KEPT_BACK = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip
NOTHING_SAID = (
    "FINISH_REASON_UNSPECIFIED", "LANGUAGE", "OTHER", "MALFORMED_FUNCTION_CALL", "IMAGE_OTHER", "NO_IMAGE",
    "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "ESCALATION",
    "PUP_LIMITED_DISABLED", "CONTINUATION",
)  # fmt: skip

ROWS: tuple[Refusal, ...] = (
    # the table of errors
    _row(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", QUESTION),
    _row(400, "INVALID_ARGUMENT", "Invalid JSON payload received. Unknown name \"responseJsonSchema\".", QUESTION),
    _row(400, "INVALID_ARGUMENT", "Unable to process input image. Please retry or report.", QUESTION),
    _row(400, "INVALID_ARGUMENT", "The input token count (2000000) exceeds the maximum number of tokens allowed "
         "(1048576).",
         QUESTION),
    _row(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.", QUESTION),
    _row(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", UNUSABLE, "account",
         _info("API_KEY_INVALID")),
    _row(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", UNUSABLE, "account",
         _info("API_KEY_INVALID")),
    _row(400, "FAILED_PRECONDITION", "Gemini API free tier is not available in your country. Please enable billing on "
         "your project in Google AI Studio.", UNUSABLE, "account"),
    _row(400, "FAILED_PRECONDITION", "User location is not supported for the API use.", UNUSABLE, "account"),
    _row(402, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted.", UNUSABLE),
    _row(403, "PERMISSION_DENIED", "Your API key doesn't have the required permissions.", UNUSABLE),
    _row(403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key.", UNUSABLE),
    _row(403, "PERMISSION_DENIED", "Your project has been denied access. Please contact support.", UNUSABLE),
    _row(403, "PERMISSION_DENIED", "Generative Language API has not been used in project 1 before or it is disabled.",
         UNUSABLE, "", _info("SERVICE_DISABLED")),
    _row(404, "NOT_FOUND", "The requested resource wasn't found.", UNUSABLE),
    _row(404, "NOT_FOUND", "models/gemini-x is not found for API version v1, or is not supported for generateContent.",
         UNUSABLE),
    _row(404, "NOT_FOUND", "This model models/gemini-2.5-pro is no longer available to new users.", UNUSABLE),
    _row(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).", BUSY),
    _row(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.",
         BUSY, "",
         _quota("GenerateRequestsPerMinutePerProjectPerModel"), _retry("7s")),
    _row(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.",
         BUSY, "",
         _quota("GenerateContentInputTokensPerModelPerMinute"), _retry("31.5s")),
    _row(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.",
         UNUSABLE, "quota", _quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), _retry("22s")),
    _row(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: generate_content_free_tier_requests, limit: 0, "
         "model: x",
         UNUSABLE, "quota", _quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), _retry("40s")),
    _row(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted. Please go to AI Studio at "
         "https://ai.studio/projects to manage your project and billing.", UNUSABLE, "quota"),
    _row(429, "RESOURCE_EXHAUSTED", "Your project has exceeded its monthly spending cap. Please go to AI Studio at "
         "https://ai.studio/spend to manage your project spend cap.", UNUSABLE, "quota"),
    _row(499, "CANCELLED", "The operation was cancelled.", TRANSIENT),
    _row(500, "INTERNAL", "An internal error has occurred.", TRANSIENT),
    _row(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", TRANSIENT),
    _row(504, "DEADLINE_EXCEEDED", "The service is unable to finish processing within the deadline.", TRANSIENT),
    # the other codes of google.rpc
    _row(400, "OUT_OF_RANGE", "The operation was attempted past the valid range.", QUESTION),
    _row(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.", UNUSABLE, "",
         _info("ACCESS_TOKEN_TYPE_UNSUPPORTED")),
    _row(409, "ABORTED", "The operation was aborted.", QUESTION),
    _row(409, "ALREADY_EXISTS", "The entity already exists.", QUESTION),
    _row(500, "UNKNOWN", "Unknown error.", TRANSIENT),
    _row(500, "DATA_LOSS", "Unrecoverable data loss or corruption.", TRANSIENT),
    _row(501, "UNIMPLEMENTED", "The operation is not implemented or is not supported.", QUESTION),
    # 200 without an answer
    *(_kept_back(why) for why in BLOCK_REASONS),
    *(_ended(why, "blocked") for why in KEPT_BACK),
    _ended("RECITATION", "blocked", '{"skus": [{"name": "the beginning of'),
    *(_ended(why, "empty") for why in NOTHING_SAID),
)  # fmt: skip
