"""What is sound, doubtful or missing in what was found: validity, confidence, rules, coverage, blockers."""
