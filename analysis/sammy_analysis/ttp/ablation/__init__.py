"""Ablation study of the predictor (F. Yan's thesis, Figure 2.9): trains it without each part, and compares the errors.

It uses the training data of `train`, predicts the next chunk only, and writes no model.
"""
