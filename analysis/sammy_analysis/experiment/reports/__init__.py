"""The page with its tables and pictures."""
