"""What people did says how right machines were, and which thresholds follow from it; a person decides (TA-CAL)."""
