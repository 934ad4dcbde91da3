"""The suite: what plays duels on an engine, judges them, and says which rules the engine breaks."""
