"""Records what the providers answer until Ctrl-C."""

import sys
import threading
from pathlib import Path

from tests.support.model_server.recording import Recording
from tests.support.model_server.server import ModelServer

if len(sys.argv) != 2:
    sys.exit("usage: python -m tests.support.model_server FOLDER")
with ModelServer(Recording(Path(sys.argv[1]))) as server:
    addresses = ("GEMINI", server.gemini_url), ("DASHSCOPE", server.qwen_url), ("OPENAI", server.openai_url)
    print("\n".join(f"{name}_BASE_URL={url}" for name, url in addresses), flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print(f"{len(server.calls)} questions")
