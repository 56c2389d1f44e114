"""The entry point of `python -m sammy_analysis.ttp`."""

import os
import sys

# Use one thread. The matrices are small, so threads would cost more than they save, and sums would depend on the number
# of threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from sammy_analysis.ttp.command import main

if __name__ == "__main__":
    sys.exit(main())
