"""`python -m sammy_analysis`, and the program `sammy-experiment` of an installed package."""

import sys

try:
    from sammy_analysis.experiment.command import main
except KeyboardInterrupt:
    # Most of the startup time is spent on this import, so Ctrl-C often arrives here.
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
