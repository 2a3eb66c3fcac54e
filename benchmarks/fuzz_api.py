"""Ask the API everything for longer than the tests do: `python -m benchmarks.fuzz_api --examples 100 --chance 7`.

Starts engines of its own and lets schemathesis ask each operation so many times with valid and as
often with wrong data (tests/fuzzing_api.py). What it finds it prints with a request that shows it; exits with 1 then.
"""

from __future__ import annotations

import argparse

from script.checks import engines, pytest, run


def main() -> None:
    """Run the test of the API with other numbers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--chance", type=int, default=2)
    options = parser.parse_args()
    more = {"API_FUZZ_EXAMPLES": str(options.examples), "API_FUZZ_CHANCE": str(options.chance)}
    with engines() as environment:
        raise SystemExit(run(pytest("tests/config/test_api_fuzz.py", "--tb=short"), environment | more))


if __name__ == "__main__":
    main()
