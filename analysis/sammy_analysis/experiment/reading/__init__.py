"""Reads sessions, and says what is wrong with them: no estimate is here."""
