"""Reports: somebody who reads the results says that a product is wrong, missing or none."""
