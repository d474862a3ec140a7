"""The workbench opens in a browser."""


def test_the_workbench_shows_the_first_curve(page, loans_address):
    """A server started with a file shows its ROC curve."""
    page.goto(loans_address)
    page.get_by_text("ROC curve").first.wait_for()
