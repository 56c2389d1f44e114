"""Estimates a step in a series of correlated days: the change that came with an experiment. The interface is step.py."""
