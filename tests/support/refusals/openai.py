"""The OpenAI protocol: OpenAI itself, and Model Studio's compatible mode.

* OpenAI: https://developers.openai.com/docs/guides/error-codes, read 2026-11-28; spending codes as
  https://www.developersdigest.tech/errors/api/openai-api lists them of it (2026).
* Model Studio: the second name of each code under https://help.aliyun.com/zh/model-studio/error-code (2025-12-26).
  There insufficient_quota is a rate of tokens, and at OpenAI an account without money.
"""

from tests.support.refusals.row import BUSY, QUESTION, TRANSIENT, UNUSABLE, Refusal

MODEL_STUDIO = "dashscope-intl.aliyuncs.com"
# openai 3.57.0, _make_status_error
RAISED = {
    400: "BadRequestError", 401: "AuthenticationError", 403: "PermissionDeniedError", 404: "NotFoundError",
    409: "ConflictError", 422: "UnprocessableEntityError", 429: "RateLimitError",
}  # fmt: skip


def _row(
    status: int,
    code: str,
    message: str,
    made: str,
    house_code: str = "",
    kind: str = "",
    host: str = "",
    retry_after_s: float | None = None,
) -> Refusal:
    body = {"error": {"message": message, "type": kind or code, "param": None, "code": code}}
    raised = "InternalServerError" if status >= 500 else RAISED.get(status, "APIStatusError")
    house_code = house_code or f"http_{status}"
    return Refusal("openai", status, code, message, made, house_code, raised, body, retry_after_s, host)


def _kept_back(text: str | None, refusal: str | None = None) -> Refusal:
    """200 with an answer that the filter cut off, or kept back whole."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    choice = {"index": 0, "finish_reason": "stop" if refusal else "content_filter", "message": message}
    body = {"object": "chat.completion", "choices": [choice], "usage": {"prompt_tokens": 900, "completion_tokens": 5}}
    return Refusal("openai", 200, "content_filter", f"{text} {refusal}", QUESTION, "blocked", "", body)


PLAN = "You exceeded your current quota, please check your plan and billing details."

ROWS: tuple[Refusal, ...] = (
    # OpenAI
    _row(400, "context_length_exceeded", "This model's maximum context length is 4096 tokens.", QUESTION),
    _row(400, "invalid_image", "The image data you provided does not represent a valid image.", QUESTION),
    _row(400, "content_policy_violation", "Your request was rejected by our safety system.", QUESTION, "blocked"),
    _row(401, "invalid_api_key", "Incorrect API key provided.", UNUSABLE),
    _row(401, "invalid_authentication", "Invalid Authentication", UNUSABLE),
    _row(401, "no_organization", "You must be a member of an organization to use the API", UNUSABLE),
    _row(401, "ip_not_authorized", "Your request IP does not match the configured IP allowlist.", UNUSABLE),
    _row(403, "unsupported_country_region_territory", "Country, region, or territory not supported", UNUSABLE),
    _row(404, "model_not_found", "The model `gpt-x` does not exist or you do not have access to it.", UNUSABLE),
    _row(409, "conflict", "The resource was updated by another request.", QUESTION),
    _row(413, "request_too_large", "Request too large.", QUESTION),
    _row(422, "unprocessable_entity", "Unable to process the request.", QUESTION),
    _row(429, "rate_limit_exceeded", "Rate limit reached for requests. Please try again in 7s.",
         BUSY, retry_after_s=7.0),
    _row(429, "rate_limit_exceeded", "Rate limit reached for tokens per min (TPM).", BUSY, kind="tokens"),
    _row(429, "slow_down", "Please reduce your request rate.", BUSY, kind="rate_limit_error"),
    _row(429, "insufficient_quota", PLAN, UNUSABLE, "quota"),
    _row(429, "credit_balance_exhausted", "Your credit balance is used up.", UNUSABLE, "quota", "insufficient_quota"),
    _row(429, "organization_spend_limit_exceeded", "Your organization has reached its limit.", UNUSABLE, "quota",
         "insufficient_quota"),
    _row(429, "project_spend_limit_exceeded", "Your project has reached its limit.", UNUSABLE, "quota",
         "insufficient_quota"),
    _row(429, "billing_hard_limit_reached", "Billing hard limit has been reached.", UNUSABLE, "quota"),
    _row(429, "billing_not_active", "Your account is not active, please check your billing details.",
         UNUSABLE, "quota"),
    _row(500, "server_error", "The server had an error while processing your request.", TRANSIENT),
    _row(503, "overloaded", "The engine is currently overloaded, please try again later.", TRANSIENT),
    _row(503, "slow_down", "Slow down.", TRANSIENT),
    _kept_back(None),
    _kept_back('{"skus": [{"name": "the beginning of'),
    _kept_back(None, "I can't help with that."),
    # Model Studio's compatible mode
    _row(400, "invalid_parameter_error", "Range of input length should be [1, 129024]", QUESTION, host=MODEL_STUDIO),
    _row(400, "data_inspection_failed", "Input data may contain inappropriate content.", QUESTION, "blocked",
         host=MODEL_STUDIO),
    _row(400, "Arrearage", "Access denied, please make sure your account is in good standing.", UNUSABLE, "account",
         host=MODEL_STUDIO),
    _row(401, "invalid_api_key", "Incorrect API key provided.", UNUSABLE, host=MODEL_STUDIO),
    _row(403, "access_denied", "Access denied.", UNUSABLE, host=MODEL_STUDIO),
    _row(403, "AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted.", UNUSABLE, "quota",
         host=MODEL_STUDIO),
    _row(404, "model_not_found", "The model `qwen-x` does not exist or you do not have access to it.", UNUSABLE,
         host=MODEL_STUDIO),
    _row(404, "model_not_supported", "Unsupported model `qwen-x` for OpenAI compatibility mode.", UNUSABLE,
         host=MODEL_STUDIO),
    _row(429, "limit_requests", "You exceeded your current requests list.", BUSY, host=MODEL_STUDIO),
    _row(429, "limit_burst_rate", "Request rate increased too quickly.", BUSY, host=MODEL_STUDIO),
    _row(429, "insufficient_quota", PLAN, BUSY, host=MODEL_STUDIO),
    _row(429, "insufficient_quota", "Free allocated quota exceeded.", UNUSABLE, "quota", host=MODEL_STUDIO),
    _row(429, "PrepaidBillOverdue", "The prepaid bill is overdue.", UNUSABLE, "quota", host=MODEL_STUDIO),
    _row(429, "PostpaidBillOverdue", "The postpaid bill is overdue.", UNUSABLE, "quota", host=MODEL_STUDIO),
    _row(429, "CommodityNotPurchased", "Commodity has not purchased yet.", UNUSABLE, "quota", host=MODEL_STUDIO),
    _row(500, "internal_error", "An internal error has occured, please try again later.", TRANSIENT, host=MODEL_STUDIO),
    _row(503, "ModelServingError", "Too many requests. Your requests are being throttled due to system capacity "
         "limits.",
         TRANSIENT, host=MODEL_STUDIO),
)  # fmt: skip
