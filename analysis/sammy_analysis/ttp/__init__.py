"""The transmission time predictor (TTP) of Puffer's Fugu (F. Yan's thesis, §2.3), trained on finished sessions.

`python -m sammy_analysis.ttp` writes a model for `fugu()` of the plug-in. `model` documents the file format.
"""
