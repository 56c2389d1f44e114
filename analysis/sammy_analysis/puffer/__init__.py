"""Statistics of Puffer's trial (Yan et al., *Learning in situ*, NSDI 2020; F. Yan, thesis, §2.2.4, Appendices A to C)."""
