"""`python -m sammy_analysis`, and the program `sammy-experiment` of an installed package."""

import sys

try:
    from sammy_analysis.experiment.command import main
except KeyboardInterrupt:
    # Of the seconds that a start takes most are here.
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
