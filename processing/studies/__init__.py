"""Literature studies: what a template asks of them, in versions, and a record for each part of a study (LX-SYS)."""
