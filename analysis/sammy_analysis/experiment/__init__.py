"""Experiments whose sessions share links (Spang et al., Unbiased Experiments in Congested Networks, IMC 2021)."""
