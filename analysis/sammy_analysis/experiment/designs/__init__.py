"""Which design the data have, and what a design could find."""
