"""Line-level mutation of the reference engine, with the conformance suite alone as the judge (`make mutation`)."""
