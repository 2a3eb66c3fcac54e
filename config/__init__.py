"""The house: settings, addresses, processes. The only package that knows every app."""
