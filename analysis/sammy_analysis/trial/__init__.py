"""The lab's randomised trial (`npm run lab -- trial`): its analysis, blind at first, and what learning in it was worth."""
