"""What each part of the predictor is worth (thesis §2.3.6, Figure 2.9): it is trained without the part, and compared.

It trains with what `train` trains with, for the next chunk alone, and writes no model.
"""
