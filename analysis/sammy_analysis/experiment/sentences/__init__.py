"""What estimates mean, in words."""
