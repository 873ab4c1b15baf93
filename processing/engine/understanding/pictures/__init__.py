"""Which picture shows which product, and what every other picture is. Read binding.py first."""
