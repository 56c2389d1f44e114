"""Trains a policy by reinforcement learning (Pensieve: Mao et al., SIGCOMM 2017), for `pensieve()` of the plug-in.

`npm run lab -- learn-rule` plays the sessions in the lab's simulator, starts `python -m sammy_analysis.pensieve`, and sends
the sessions to this program.
"""
