"""`python -m sammy_analysis.ttp`."""

import os
import sys

# The matrices are small: threads would cost more than they save, and the sums would depend on how many there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sammy_analysis.ttp.command import main

if __name__ == "__main__":
    sys.exit(main())
