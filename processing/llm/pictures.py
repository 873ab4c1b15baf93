"""What goes to models as images."""

import io

from PIL import Image


def screenshot_for_model(data: bytes) -> bytes:
    image = Image.open(io.BytesIO(data)).convert("RGB")
    image.thumbnail((1536, 1536))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=85)
    return out.getvalue()


picture_for_model = screenshot_for_model
