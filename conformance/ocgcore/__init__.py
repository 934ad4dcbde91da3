"""ocgcore as an engine under test: the user's shared library, script folder and card database behind the engine protocol."""
