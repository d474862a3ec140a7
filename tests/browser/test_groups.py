"""Rows that belong together: a column chosen in the data panel counts in every room."""

import json

import pytest
from playwright.sync_api import expect

import plumbline as pb
from browser_controls import choose, expect_chosen, offered
from refusals import warned

expect.set_options(timeout=20_000)


@pytest.fixture
def patients(page, bare_address, tables):
    """The overview of a table of 40 patients with five rows each."""
    api = f"{bare_address}api/tables"
    file = tables / "patients.csv"
    sent = page.request.post(api, params={"name": file.name}, data=file.read_bytes())
    table = sent.json()["table"]
    guess = page.request.get(f"{api}/{table}/columns").json()["guess"]
    assert page.request.post(f"{api}/{table}/open", data=json.dumps(guess)).ok
    page.goto(f"{bare_address}#table={table}")
    page.locator("[data-name=verdict]").wait_for()
    return page


def test_a_column_of_groups_is_chosen_in_the_data_panel(patients, tables, accessible):
    """Rows are counted by group, verdict and interval are those of the table in groups."""
    control, count = patients.get_by_label("Column of groups"), patients.locator(".count")
    assert offered(control)[1:] == ["patient"]
    expect(count).not_to_contain_text("group")
    choose(control, "patient")
    expect(count).to_contain_text("in 40 groups")
    with warned("rows-repeat", "patient"):
        data = pb.read(str(tables / "patients.csv")).in_groups("patient")
    verdict = patients.locator("[data-name=verdict]")
    expect(verdict).to_contain_text(pb.calibration_test(data).verdict)
    expect(verdict).to_contain_text("40 groups")
    accessible()
    patients.reload()
    expect_chosen(patients.get_by_label("Column of groups"), "patient")
    patients.get_by_role("button", name="Use all rows again").click()
    expect(count).not_to_contain_text("group")


def test_the_evidence_says_in_how_many_groups_the_rows_are(patients):
    """Also where the sentence of the answer does not."""
    choose(patients.get_by_label("Column of groups"), "patient")
    expect(patients.locator(".count")).to_contain_text("in 40 groups")
    table = patients.url.partition("#")[2]
    patients.goto(
        f'{patients.url.partition("#")[0]}#{table}&room=calibration&calibration={{"open":["sensitivity"]}}'
    )
    expect(patients.get_by_text("Groups of rows: 40").first).to_be_visible()
