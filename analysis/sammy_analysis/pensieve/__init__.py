"""Trains a policy by reinforcement learning (Pensieve: Mao et al., SIGCOMM 2017), for `pensieve()` of the plug-in.

`npm run lab -- learn-rule` starts `python -m sammy_analysis.pensieve`, simulates sessions in the lab, and sends them to
this program.
"""
