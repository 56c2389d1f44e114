"""Ablation study of the predictor (thesis §2.3.6, Figure 2.9): trains it without each part, and compares the errors.

It uses the training data of `train`, predicts the next chunk only, and writes no model.
"""
