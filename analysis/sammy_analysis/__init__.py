"""What is done with finished sessions: experiments in congested networks. Reads files, and imports nothing of the player."""
