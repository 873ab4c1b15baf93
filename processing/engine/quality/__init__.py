"""How good the product is: truths of golden pages beside what was found on them, figures, gate, comparison."""
