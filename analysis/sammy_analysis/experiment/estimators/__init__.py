"""Computes estimates and their intervals from hourly cells. One estimator per file."""
