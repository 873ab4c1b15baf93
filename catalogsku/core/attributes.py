"""The attributes that every SKU has; category schemas add to them, and each key is always present (INV-12)."""

BASE_KEYS = (
    "model", "product_name", "brand", "series", "size", "material", "color", "price", "currency", "unit", "moq",
    "weight", "packing", "description",
)  # fmt: skip
