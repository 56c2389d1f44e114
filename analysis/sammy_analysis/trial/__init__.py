"""The lab's randomized trial (`npm run lab -- trial`): its blinded analysis, and the value of learning in the trial."""
