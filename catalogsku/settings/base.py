"""One settings module for all environments; unset variables mean the embedded default (see .env.example)."""

import os
from pathlib import Path

import environ
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from catalogsku.core.logs import configure_structlog, logging_config
from catalogsku.settings import silence
from catalogsku.settings.refusals import DEVELOPMENT_KEY as DEVELOPMENT_KEY
from catalogsku.settings.refusals import refuse_unsafe_production, unsafe_in_production

BASE_DIR = Path(__file__).resolve().parent.parent.parent
env = environ.Env()
environ.Env.read_env(BASE_DIR / ".env")

VAR_DIR = Path(env("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
DEBUG = env.bool("DEBUG", default=False)
PRODUCTION = env.bool("PRODUCTION", default=False)
SECRET_KEY = env("SECRET_KEY", default="" if PRODUCTION else DEVELOPMENT_KEY)
SECRET_KEY_FALLBACKS = [key for key in env.list("SECRET_KEY_FALLBACKS", default=[]) if key]
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1 if PRODUCTION else 0)
UNSAFE_IN_PRODUCTION = list(
    unsafe_in_production(
        secret_key=SECRET_KEY,
        secret_key_fallbacks=SECRET_KEY_FALLBACKS,
        debug=DEBUG,
        allowed_hosts=ALLOWED_HOSTS,
        trusted_origins=CSRF_TRUSTED_ORIGINS,
    )
)
if PRODUCTION:
    refuse_unsafe_production(UNSAFE_IN_PRODUCTION)

# --- services: PostgreSQL and Redis -----------------------------------------------------------
from catalogsku.core.embedded import addresses  # noqa: E402

_embedded = addresses(VAR_DIR)
DATABASE_URL = env("DATABASE_URL", default=_embedded.database_url)
REDIS_URL = env("REDIS_URL", default=_embedded.redis_url)
EMBEDDED_DATABASE = not os.environ.get("DATABASE_URL")
EMBEDDED_REDIS = not os.environ.get("REDIS_URL")
DATABASES = {"default": {**env.db_url_config(DATABASE_URL), "ENGINE": "catalogsku.core.counted_database"}}
DATABASES["default"].update(
    CONN_MAX_AGE=env.int("DATABASE_CONN_MAX_AGE", default=0 if os.environ.get("CATALOGSKU_UNIT") == "web" else 300),
    CONN_HEALTH_CHECKS=True,
    ATOMIC_REQUESTS=False,
)
_CONNECTING = {"connect_timeout": 5, **silence.POSTGRESQL}
DATABASES["default"]["OPTIONS"] = _CONNECTING | DATABASES["default"].get("OPTIONS", {})
# A process that stands still inside a transaction loses it: others would wait for its rows as long as it stands.
_SESSION = {"options": f"-c idle_in_transaction_session_timeout=10s {silence.SERVERS_SIDE}"}
# Where DATABASE_URL leads through a pooler whose sessions last for a transaction: PostgreSQL itself. What a session is
# given at its start the pooler does not pass on; its own idle_transaction_timeout stands for it.
DATABASE_DIRECT = env.db_url_config(_direct) if (_direct := env("DATABASE_DIRECT_URL", default="")) else None
if DATABASE_DIRECT is None:
    DATABASES["default"]["OPTIONS"] = _SESSION | DATABASES["default"]["OPTIONS"]
else:
    DATABASE_DIRECT = {
        **{name: DATABASE_DIRECT[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")},
        "OPTIONS": _CONNECTING | _SESSION | DATABASE_DIRECT.get("OPTIONS", {}),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- apps, in the order in which news go up ----------------------------------------------------
INSTALLED_APPS = [
    "catalogsku.core",
    "catalogsku.accounts",
    "catalogsku.profiles",
    "ingestion",
    "processing",
    "annotation",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_dramatiq",
    "django_htmx",
    "axes",
    "csp",
]
MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "catalogsku.core.request_ids.name_requests",
    "django.middleware.security.SecurityMiddleware",
    "catalogsku.accounts.middleware.answer_headers",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "catalogsku.core.counting.CountRequests",
    "django_structlog.middlewares.RequestMiddleware",
    "catalogsku.accounts.middleware.refuse_unreadable",
    "catalogsku.accounts.middleware.SlowDown",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "catalogsku.profiles.asking.remember_request",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "catalogsku.urls"
ASGI_APPLICATION = "catalogsku.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.debug",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "annotation.context.shell",
            ],
        },
    }
]

# --- people ------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "catalogsku.accounts.door.Door"]
PASSWORD_HASHERS = ["catalogsku.accounts.hashing.PooledHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {"user_attributes": ("username", "display_name", "email")}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "documents"
LOGOUT_REDIRECT_URL = "login"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]  # a stranger elsewhere locks nobody else out
AXES_USERNAME_CALLABLE = "catalogsku.accounts.access.tried_name"
AXES_CLIENT_IP_CALLABLE = "catalogsku.accounts.access.client_network"
AXES_LOCKOUT_CALLABLE = "catalogsku.accounts.access.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

# --- languages and time ------------------------------------------------------------------------
LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("Chinese")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = USE_TZ = True
TIME_ZONE = env("TIME_ZONE", default="Asia/Shanghai")

# --- files -------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles" if PRODUCTION else None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGE_URL = env("STORAGE_URL", default=f"file://{VAR_DIR}/storage")
IN_OBJECT_STORE = STORAGE_URL.startswith("s3://")
if IN_OBJECT_STORE:
    from catalogsku.core.object_storage import options_of

    options_of(STORAGE_URL)  # refused here and not with the first document
elif not STORAGE_URL.startswith("file:///"):
    raise ImproperlyConfigured("STORAGE_URL: file:// and an absolute folder, or s3://BUCKET/PREFIX.")
# Of an object store: what is on its way there.
MEDIA_ROOT = VAR_DIR / "storage" if IN_OBJECT_STORE else Path(STORAGE_URL.removeprefix("file://"))
AWS_ACCESS_KEY_ID = env("AWS_ACCESS_KEY_ID", default="")
AWS_SECRET_ACCESS_KEY = env("AWS_SECRET_ACCESS_KEY", default="")
# Of an object store, what each machine keeps of it to read from.
STORAGE_CACHE_MB = env.int("STORAGE_CACHE_MB", default=20_000)
# A folder for backups, on another disk and the same for every machine; how often, 0: not by itself; how many stay.
BACKUP_TO = env("BACKUP_TO", default="")
BACKUP_EVERY_HOURS = env.int("BACKUP_EVERY_HOURS", default=0)
BACKUP_KEEP = env.int("BACKUP_KEEP", default=7)
STORAGES = {
    "default": {"BACKEND": "catalogsku.core.object_storage.ObjectStorage"}
    if IN_OBJECT_STORE
    else {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": str(MEDIA_ROOT),
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
UPLOAD_MAX_BYTES = env.int("UPLOAD_MAX_BYTES", default=200 * 1024 * 1024)
UPLOAD_CHUNK_BYTES = 8 * 1024 * 1024
UPLOAD_EXPIRES_H = env.int("UPLOAD_EXPIRES_H", default=48)
API_REQUESTS_A_MINUTE = env.int("API_REQUESTS_A_MINUTE", default=600)  # of one person, over all processes
UPLOAD_MAX_PAGES = env.int("UPLOAD_MAX_PAGES", default=2000)
LOGS_KEPT_DAYS = env.int("LOGS_KEPT_DAYS", default=30)  # parts of logs that were cut off
DISK_WARN_RATIO = env.float("DISK_WARN_RATIO", default=0.75)
DISK_CLEAN_RATIO = env.float("DISK_CLEAN_RATIO", default=0.85)
DISK_REFUSE_RATIO = env.float("DISK_REFUSE_RATIO", default=0.95)
# What one merchant may have at once, unless an administrator sets other figures for it.
QUOTA_STORAGE_MB = env.int("QUOTA_STORAGE_MB", default=500_000)
QUOTA_JOBS_IN_WORK = env.int("QUOTA_JOBS_IN_WORK", default=1000)
QUOTA_OPEN_UPLOADS = env.int("QUOTA_OPEN_UPLOADS", default=500)
# What machines may spend on a document: seconds of a core, and so many more for each page and each MB (10^6) of it.
MACHINE_TIME_S = env.float("MACHINE_TIME_S", default=120.0)
MACHINE_TIME_PAGE_S = env.float("MACHINE_TIME_PAGE_S", default=1.0)
MACHINE_TIME_MB_S = env.float("MACHINE_TIME_MB_S", default=400.0)

# --- messages and live hints -------------------------------------------------------------------
_REDIS = {"socket_connect_timeout": 2, **silence.of_redis(REDIS_URL)}
DRAMATIQ_BROKER = {
    "BROKER": "catalogsku.core.broker.WaitingRedisBroker",
    "OPTIONS": {
        "url": REDIS_URL,
        "maintenance_chance": 100_000,
        "heartbeat_timeout": 60_000,
        "namespace": env("REDIS_NAMESPACE", default="catalogsku"),
        "socket_timeout": 30,
        **_REDIS,
    },
    "MIDDLEWARE": [
        "dramatiq.middleware.AgeLimit",
        "dramatiq.middleware.TimeLimit",
        "dramatiq.middleware.ShutdownNotifications",
        "dramatiq.middleware.Callbacks",
        "dramatiq.middleware.Retries",
        "django_dramatiq.middleware.DbConnectionsMiddleware",
        "catalogsku.core.middleware.ContextMiddleware",
        "catalogsku.core.middleware.CountMessages",
        "catalogsku.core.middleware.PresenceMiddleware",
        "processing.sandboxed.middleware.WarmSandbox",
    ],
}
DRAMATIQ_AUTODISCOVER_MODULES = ["actors"]
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [{"address": REDIS_URL, "socket_timeout": None, **_REDIS}],
            "prefix": env("REDIS_NAMESPACE", default="catalogsku"),
        },
    }
}

# --- reading and understanding -----------------------------------------------------------------
SANDBOX_OCR = env.bool("SANDBOX_OCR", default=True)
# Which engine recognises print, which one is asked besides about lines under that score, the folder of their models.
OCR_ENGINE = env("OCR_ENGINE", default="rapidocr")
OCR_SECOND = env("OCR_SECOND", default="")
OCR_SECOND_BELOW = env.float("OCR_SECOND_BELOW", default=0.9)
OCR_MODELS = env("OCR_MODELS", default="")
SANDBOX_REQUIRED = env.bool("SANDBOX_REQUIRED", default=PRODUCTION)
READER_ORDER = env.list("READER_ORDER", default=["pymupdf", "pypdfium2", "pdfplumber"])
# What the fork servers of the sandbox load once, so that their children need not.
SANDBOX_PRELOAD = [
    "numpy.ma",  # the first median of a process asks for it: a fifth of the time of a child with eight pages
    "processing.engine.inspection",
    *(
        f"processing.engine.inspection.by_{name}"
        for name in ("qpdf", "pdfium", *(["mupdf"] * ("pymupdf" in READER_ORDER)))
    ),
    *(f"processing.engine.reading.{name}_reader" for name in READER_ORDER),
    "processing.engine.children",
    "processing.engine.drawing.children",
    "processing.engine.understanding.children",
]

# --- import -------------------------------------------------------------------------------------
# Where products go; unset: to the local target. Rows of import targets add switches, or addresses for merchants.
IMPORT_URL = env("IMPORT_URL", default="")
IMPORT_TOKEN = env("IMPORT_TOKEN", default="")
IMPORT_TOKEN_FILE = env("IMPORT_TOKEN_FILE", default="")
IMPORT_TOKENS_DIR = env("IMPORT_TOKENS_DIR", default="")
# IMPORT_URL may lead into a private network; addresses in rows only to these hosts of one.
IMPORT_PRIVATE_HOSTS = env.list("IMPORT_PRIVATE_HOSTS", default=[])

# --- webhooks ------------------------------------------------------------------------------------
# Events go to public addresses over HTTPS, and otherwise only to these hosts.
WEBHOOK_PRIVATE_HOSTS = env.list("WEBHOOK_PRIVATE_HOSTS", default=[])

# --- mail -------------------------------------------------------------------------------------
# Unset: none is sent. PUBLIC_URL: where people reach this installation, for the links in it.
EMAIL_HOST = env("EMAIL_HOST", default="")
EMAIL_PORT = env.int("EMAIL_PORT", default=587)
EMAIL_HOST_USER = env("EMAIL_HOST_USER", default="")
EMAIL_HOST_PASSWORD = env("EMAIL_HOST_PASSWORD", default="")
EMAIL_HOST_PASSWORD_FILE = env("EMAIL_HOST_PASSWORD_FILE", default="")
EMAIL_USE_TLS = env.bool("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = env.bool("EMAIL_USE_SSL", default=False)
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = env("DEFAULT_FROM_EMAIL", default="")
PUBLIC_URL = env("PUBLIC_URL", default="")

# --- language models ---------------------------------------------------------------------------
# A model whose provider has no key, and needs one, is never asked; without any, everything is understood by rules.
# ``key``: the setting below that holds it.
MODEL_PROVIDERS = {
    "gemini": {
        "class": "processing.llm.providers.gemini.Gemini",
        "key": "GEMINI_API_KEY",
        "base_url": env("GEMINI_BASE_URL", default="https://generativelanguage.googleapis.com"),
    },
    "qwen": {
        "class": "processing.llm.providers.qwen.Qwen",
        "key": "DASHSCOPE_API_KEY",
        "base_url": env("DASHSCOPE_BASE_URL", default="https://dashscope.aliyuncs.com/api/v1"),
    },
    "openai": {
        "class": "processing.llm.providers.openai.OpenAI",
        "key": "OPENAI_API_KEY",
        "base_url": env("OPENAI_BASE_URL", default="") or "https://api.openai.com/v1",
    },
}
# Questions that are not urgent go out together: once there are so many, or so many bytes (Gemini takes 20 MB), or the
# first of them has waited so long.
MODEL_BATCH_QUESTIONS = env.int("MODEL_BATCH_QUESTIONS", default=500)
MODEL_BATCH_BYTES = env.int("MODEL_BATCH_BYTES", default=14_000_000)
MODEL_BATCH_MINUTES = env.int("MODEL_BATCH_MINUTES", default=15)
# How long a task stays a person's without a sign of life, and after the browser has gone (docs/protocols.md P4).
LOCK_LEASE_S = env.int("LOCK_LEASE_S", default=60)
LOCK_GRACE_S = env.int("LOCK_GRACE_S", default=15)
LOCK_IDLE_S = env.int("LOCK_IDLE_S", default=900)
LANGFUSE_PUBLIC_KEY = env("LANGFUSE_PUBLIC_KEY", default="")
LANGFUSE_SECRET_KEY = env("LANGFUSE_SECRET_KEY", default="")
LANGFUSE_BASE_URL = env("LANGFUSE_BASE_URL", default="http://localhost:3000")
GEMINI_API_KEY = env("GEMINI_API_KEY", default="")
GEMINI_API_KEY_FILE = env("GEMINI_API_KEY_FILE", default="")
DASHSCOPE_API_KEY = env("DASHSCOPE_API_KEY", default="")
DASHSCOPE_API_KEY_FILE = env("DASHSCOPE_API_KEY_FILE", default="")
OPENAI_API_KEY = env("OPENAI_API_KEY", default="")
OPENAI_API_KEY_FILE = env("OPENAI_API_KEY_FILE", default="")

# Golden sets that may be measured over the REST API: folders, each named like its set; and where their PDFs lie.
GOLDEN_DIRS = env.list("GOLDEN_DIRS", default=[])
CORPUS_DIR = env("CORPUS_DIR", default="")
# Share of right pages that is promised of those that go out without a person; thresholds are proposed for it.
CALIBRATION_TARGET = env.float("CALIBRATION_TARGET", default=0.95)

# --- security ----------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "frame-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# With the prefix a browser takes the cookie only over HTTPS, for this host alone and all of its paths.
_COOKIE_PREFIX = "__Host-" if PRODUCTION else ""
SESSION_COOKIE_NAME = f"{_COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{_COOKIE_PREFIX}csrftoken"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_SAVE_EVERY_REQUEST = False  # the twelve hours count from the sign-in
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = SECURE_SSL_REDIRECT = PRODUCTION
SECURE_HSTS_SECONDS = 31_536_000 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = PRODUCTION
if PRODUCTION:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- operators ---------------------------------------------------------------------------------
METRICS_TOKEN = env("METRICS_TOKEN", default="")
# Of django-prometheus: of requests and of statements alike.
PROMETHEUS_LATENCY_BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 0.6, 1.2, 2.5, 5.0, 10.0, float("inf"))
# Probes and scrapes come over plain HTTP from inside; nothing of people's is there.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]

LOGGING = logging_config(env("LOG_LEVEL", default="INFO"), json_lines=env.bool("LOG_JSON", default=True))
configure_structlog()
