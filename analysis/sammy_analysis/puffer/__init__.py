"""The statistics of Puffer's trial (Yan et al., *Learning in situ*, NSDI 2020; Fugu, §2.2.4 and Appendices A to C)."""
