import pytest

from tournaments.rules.galois import field, prime_power

ORDERS = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27)


@pytest.mark.parametrize("order", ORDERS)
def test_the_field_axioms_hold(order):
    f = field(order)
    elements = range(order)
    for a in elements:
        assert f.add[a][0] == a and f.mul[a][1] == a and f.mul[a][0] == 0
        assert sorted(f.add[a]) == list(elements)
        assert a == 0 or sorted(f.mul[a]) == list(elements)
        for b in elements:
            assert f.add[a][b] == f.add[b][a] and f.mul[a][b] == f.mul[b][a]
            for c in elements if order <= 16 else range(0, order, 5):
                assert f.add[f.add[a][b]][c] == f.add[a][f.add[b][c]]
                assert f.mul[f.mul[a][b]][c] == f.mul[a][f.mul[b][c]]
                assert f.mul[a][f.add[b][c]] == f.add[f.mul[a][b]][f.mul[a][c]]


@pytest.mark.parametrize("order", [1, 6, 10, 12, 14, 15, 20, 100])
def test_other_orders_have_no_field(order):
    assert prime_power(order) is None
    with pytest.raises(ValueError):
        field(order)


def test_prime_powers_are_recognised():
    assert prime_power(16) == (2, 4)
    assert prime_power(9) == (3, 2)
    assert prime_power(13) == (13, 1)
