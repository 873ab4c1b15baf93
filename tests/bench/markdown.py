"""Files turned to Markdown by pymupdf4llm: tests/bench/yardsticks.py runs this with the Python that has it.

Reads [[path, pages], ...] from its input; its last line is {version, pages, failed}.
"""

import importlib.metadata
import json
import sys

import pymupdf4llm  # type: ignore[import-not-found,unused-ignore]

done, failed = 0, []
for path, pages in json.load(sys.stdin):
    try:
        pymupdf4llm.to_markdown(path, pages=list(range(pages)))
        done += pages
    except Exception as error:
        failed.append(f"{path}: {type(error).__name__}")
print(json.dumps({"version": importlib.metadata.version("pymupdf4llm"), "pages": done, "failed": failed}))
