"""Who answers a prompt: one file a vendor, whose SDK is imported nowhere else and not before the first question."""
