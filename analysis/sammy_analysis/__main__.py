"""The entry point of `python -m sammy_analysis`, and of the program `sammy-experiment` of an installed package."""

import sys

try:
    from sammy_analysis.experiment.command import main
except KeyboardInterrupt:
    # Ctrl-C often arrives during this import, which takes most of the startup time.
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
