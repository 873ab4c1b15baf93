"""Work in sandboxed children: this process's sandboxes, their limits and accounts, and a job's frozen configuration."""
