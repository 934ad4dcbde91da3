"""``python -m conformance.ocgcore LIBRARY SCRIPTS CARDS``: the core on the line protocol."""

import os
import sys

from conformance.ocgcore.adapter import OcgcoreEngine
from conformance.ocgcore.core import open_core
from engine_protocol.server import serve

library, scripts, cards = sys.argv[1:]
serve(OcgcoreEngine(lambda: open_core(library, tuple(scripts.split(os.pathsep)), tuple(cards.split(os.pathsep)))))
