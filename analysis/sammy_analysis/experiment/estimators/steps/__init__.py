"""Estimates a step in a series of correlated days: the change that came with an experiment.

Other estimators call step.py; the design calculator and the advice of verdicts call power.py. These modules must not
know sessions, links or metrics.
"""
