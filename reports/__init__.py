"""What people look at: the report of a run as data, and the forms it is shown in."""
