"""``python -m conformance.ocgcore LIBRARY SCRIPTS CARDS``: the core on the line protocol."""

import sys

from conformance.ocgcore.process import run

run(sys.argv[1:])
