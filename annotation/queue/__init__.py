"""The queue: which tasks wait, who is offered which, and what leads decide about them."""
