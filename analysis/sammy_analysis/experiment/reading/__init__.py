"""Reads sessions and reports their problems. Computes no estimates."""
