"""The laws that hold for every game, with a second, independent account of what each game hides.

The suite checks them in tests/games/rules/test_laws.py, ``benchmarks/soak.py``
over as many deals as one likes.
"""
