"""Model Studio (DashScope), multimodal generation.

* Table of errors: https://help.aliyun.com/zh/model-studio/error-code as of 2025-12-26; its English form
  https://www.alibabacloud.com/help/en/model-studio/error-code has the same codes. 408, 413 and 415 are of the form
  before it (2024-11).
* Which 429 is a rate: https://www.alibabacloud.com/help/en/model-studio/rate-limit, as of 2026-02-09. Quotas of a
  plan's hours, weeks and months: https://www.alibabacloud.com/help/en/model-studio/coding-plan-faq, as of 2026-10.
* dashscope 2.0.2 raises nothing for a status: it returns code and message.
"""

from tests.support.refusals.row import BUSY, QUESTION, TRANSIENT, UNUSABLE, Refusal


def _row(
    status: int, code: str, message: str, made: str, house_code: str = "", retry_after_s: float | None = None
) -> Refusal:
    body = {"code": code, "message": message, "request_id": "7574ee8f"}
    house_code = house_code or f"http_{status}"
    return Refusal("qwen", status, code, message, made, house_code, "", body, retry_after_s)


# 400-InvalidParameter: of the form of one question.
INVALID = (
    "parameter.enable_thinking must be set to false for non-streaming calls",
    "The thinking_budget parameter must be a positive integer and not greater than 38912",
    "This model only support stream mode, please enable the stream parameter to access the model.",
    "Range of input length should be [1, 129024]",
    "Range of max_tokens should be [1, 8192]",
    "Temperature should be in [0.0, 2.0)",
    "Required body invalid, please check the request body format.",
    "current user api does not support http call.",
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    "Json mode response is not supported when enable_thinking is true",
    "Unknown format of response_format, response_format should be a dict, includes 'type' and an optional key",
    "The value of the enable_thinking parameter is restricted to True.",
    "Required parameter(messages) missing or invalid, please check the request parameters.",
    "The provided URL does not appear to be valid. Ensure it is correctly formatted.",
    "Exceeded limit on max bytes per data-uri item : 10485760'.",
    "Multimodal file size is too large",
    "The image length and width do not meet the model restrictions.",
    "Failed to decode the image during the data inspection.",
    "The media format is not supported or incorrect for the data inspection.",
    "The image size is not supported for the data inspection.",
    "The image content does not comply with green network verification.",
    "The input messages do not contain elements with the role of user.",
    "url error, please check url！",
    "Don't have authorization to access the media resource during the data inspection process.",
    "The item of content should be a message of a certain modal.",
    "An error during model pre-process.",
    "Field required: input",
)

ROWS: tuple[Refusal, ...] = (
    *(_row(400, "InvalidParameter", message, QUESTION) for message in INVALID),
    _row(400, "InvalidParameter", "Model not exist.", UNUSABLE, "account"),
    _row(400, "InvalidParameter.DataInspection",
         "Unable to download the media resource during the data inspection process.",
         QUESTION),
    _row(400, "InvalidParameter.NotSupportEnableThinking", "The model qwen-x does not support enable_thinking.",
         QUESTION),
    _row(400, "Arrearage", "Access denied, please make sure your account is in good standing.", UNUSABLE, "account"),
    _row(400, "DataInspectionFailed", "Input or output data may contain inappropriate content.", QUESTION, "blocked"),
    _row(400, "DataInspectionFailed", "Input image data may contain inappropriate content.", QUESTION, "blocked"),
    _row(400, "IPInfringementSuspect", "Input data is suspected of being involved in IP infringement.",
         QUESTION, "blocked"),
    _row(400, "FaqRuleBlocked", "Input or output data is blocked by faq rule.", QUESTION, "blocked"),
    _row(400, "CustomRoleBlocked", "Input or output data may contain inappropriate content with custom rule.", QUESTION,
         "blocked"),
    _row(400, "InvalidURL", "Invalid URL provided in your request.", QUESTION),
    _row(400, "BadRequest.EmptyInput", "Required input parameter missing from request.", QUESTION),
    _row(400, "BadRequest.EmptyParameters", "Required parameter \"parameters\" missing from request.", QUESTION),
    _row(400, "BadRequest.EmptyModel", "Required parameter \"model\" missing from request.", QUESTION),
    _row(400, "BadRequest.IllegalInput", "The input parameter requires json format.", QUESTION),
    _row(400, "BadRequest.UnsupportedFileFormat", "Input file format is not supported.", QUESTION),
    _row(400, "BadRequest.TooLarge", "Payload Too Large.", QUESTION),
    _row(400, "UnsupportedOperation", "The operation is unsupported on the referee object.", QUESTION),
    _row(400, "ServiceUnavailableError", "Role must be user or assistant and Content length must be greater than 0.",
         QUESTION),
    _row(401, "InvalidApiKey", "Invalid API-key provided.", UNUSABLE),
    _row(401, "NOT AUTHORIZED", "Access denied: Either you are not authorized to access this workspace, or the "
         "workspace "
         "does not exist.", UNUSABLE),
    _row(403, "AccessDenied", "Access denied.", UNUSABLE),
    _row(403, "AccessDenied", "current user api does not support synchronous calls.", UNUSABLE),
    _row(403, "AccessDenied.Unpurchased", "Access to model denied. Please make sure you are eligible for using the "
         "model.",
         UNUSABLE),
    _row(403, "Model.AccessDenied", "Model access denied.", UNUSABLE),
    _row(403, "App.AccessDenied", "App access denied.", UNUSABLE),
    _row(403, "Workspace.AccessDenied", "Workspace access denied.", UNUSABLE),
    _row(403, "AllocationQuota.FreeTierOnly",
         "The free tier of the model has been exhausted. If you wish to continue access "
         "the model on a paid basis, please disable the \"use free tier only\" mode in the management console.",
         UNUSABLE,
         "quota"),
    _row(404, "ModelNotFound", "Model can not be found.", UNUSABLE),
    _row(404, "ModelNotFound", "The model qwen-x does not exist or you do not have access to it.", UNUSABLE),
    _row(404, "model_not_supported", "Unsupported model qwen-x for OpenAI compatibility mode.", UNUSABLE),
    _row(404, "WorkSpaceNotFound", "WorkSpace can not be found.", UNUSABLE),
    _row(404, "NotFound", "Not found!", UNUSABLE),
    _row(408, "RequestTimeOut", "Request timed out, please try again later.", TRANSIENT),
    _row(413, "BadRequest.TooLarge", "Payload Too Large.", QUESTION),
    _row(415, "BadRequest.InputDownloadFailed", "Failed to download the input file.", QUESTION),
    _row(415, "BadRequest.UnsupportedFileFormat", "Input file format is not supported.", QUESTION),
    _row(429, "Throttling", "Requests throttling triggered.", BUSY),
    _row(429, "Throttling", "Too many requests in route. Please try again later.", BUSY, "", 12.0),
    _row(429, "Throttling.RateQuota", "Requests rate limit exceeded, please try again later.", BUSY),
    _row(429, "Throttling.RateQuota", "You have exceeded your request limit.", BUSY, "", 3.0),
    _row(429, "LimitRequests", "You exceeded your current requests list.", BUSY),
    _row(429, "Throttling.BurstRate", "Request rate increased too quickly. To ensure system stability, please adjust "
         "your "
         "client logic to scale requests more smoothly over time.", BUSY),
    _row(429, "Throttling.AllocationQuota", "Allocated quota exceeded, please increase your quota limit.", BUSY),
    _row(429, "Throttling.AllocationQuota",
         "You exceeded your current quota, please check your plan and billing details.",
         BUSY),
    _row(429, "Throttling.AllocationQuota", "Free allocated quota exceeded.", UNUSABLE, "quota"),
    _row(429, "Throttling.AllocationQuota", "hour allocated quota exceeded.", UNUSABLE, "quota"),
    _row(429, "Throttling.AllocationQuota", "week allocated quota exceeded.", UNUSABLE, "quota"),
    _row(429, "Throttling.AllocationQuota", "month allocated quota exceeded.", UNUSABLE, "quota"),
    _row(429, "CommodityNotPurchased", "Commodity has not purchased yet.", UNUSABLE, "quota"),
    _row(429, "PrepaidBillOverdue", "The prepaid bill is overdue.", UNUSABLE, "quota"),
    _row(429, "PostpaidBillOverdue", "The postpaid bill is overdue.", UNUSABLE, "quota"),
    _row(500, "InternalError", "An internal error has occured, please try again later or contact service support.",
         TRANSIENT),
    _row(500, "InternalError", "Internal server error!", TRANSIENT),
    _row(500, "InternalError.Algo", "inference internal error.", TRANSIENT),
    _row(500, "InternalError.Algo", "An error occurred in model serving, error message is: [Request rejected by "
         "inference "
         "engine!]", TRANSIENT),
    _row(500, "InternalError.Algo", "Embedding_pipeline_Error: image", TRANSIENT),
    _row(500, "InternalError.Timeout", "An internal timeout error has occured during execution, please try again "
         "later.",
         TRANSIENT),
    _row(500, "SystemError", "An system error has occured, please try again later.", TRANSIENT),
    _row(500, "ModelServiceFailed", "Failed to request model service.", TRANSIENT),
    _row(500, "RequestTimeOut", "Request timed out, please try again later.", TRANSIENT),
    _row(503, "ModelServingError", "Too many requests. Your requests are being throttled due to system capacity "
         "limits. "
         "Please try again later.", TRANSIENT),
    _row(503, "ModelUnavailable", "Model is unavailable, please try again later.", TRANSIENT),
)  # fmt: skip
