"""A predictor of transmission times (TTP), as Fugu of Puffer has one (thesis §2.3), learnt from finished sessions.

`python -m sammy_analysis.ttp` trains one; `model_file` says what it leaves, for `fugu()` of the plug-in.
"""
