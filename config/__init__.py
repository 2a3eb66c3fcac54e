"""The house: settings, addresses, processes. The only package that knows every app."""

import gc

# To load the site makes half a million objects that stay. Looked through after every 700 of them, as Python does by
# itself, they cost every process a seventh of its start.
gc.set_threshold(10_000, 10, 10)
