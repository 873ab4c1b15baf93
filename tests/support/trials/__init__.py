"""Papers of randomised trials drawn by ourselves, all of it invented, as journals set them: for samples and tests."""
