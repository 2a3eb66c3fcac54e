"""Lists of the admin on a phone: every cell knows its column."""

from __future__ import annotations

from django.utils.safestring import mark_safe

from config.admin_cells import cells


def test_a_cell_that_leads_on_or_shows_a_sign_is_not_taken_for_an_empty_one() -> None:
    row = [
        mark_safe('<td class="action-checkbox"><input type="checkbox"></td>'),
        mark_safe('<th class="field-numbered"><a href="7/">7</a></th>'),
        mark_safe('<td class="field-passed"><img src="yes.svg" alt="True"></td>'),
        mark_safe('<td class="field-code">–</td>'),
    ]
    headers = [{"text": ""}, {"text": 'the "number"'}, {"text": "passed"}, {"text": "fault"}]
    told = cells(row, headers)
    assert told.count("data-label") == 3 and 'data-label="The &quot;number&quot;"' in told
    assert told.count("data-empty") == 1 and 'data-label="Fault" data-empty>–' in told
