"""`python -m sammy_analysis`, and the program `sammy-experiment` of an installed package."""

import sys

from sammy_analysis.experiment.command import main

if __name__ == "__main__":
    sys.exit(main())
