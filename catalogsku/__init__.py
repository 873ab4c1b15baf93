"""CatalogSKU: product catalogues in, verified SKU records out."""

__version__ = "1.0.0"
