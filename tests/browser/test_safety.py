"""What strangers put into a table is shown as text, and the page asks nobody but its own server."""

import json
import re

import pytest

import plumbline as pb
from plumbline.reporting import save_curve

HOSTILE = ("</script><b>no</b>", "<img src=x onerror=alert(1)>")
ROOMS = ("overview", "curves", "calibration", "models", "matrix", "board")


@pytest.fixture(scope="module")
def hostile_address(tables, serve):
    """Address of a server with a table whose classes and columns are named in HTML."""
    with serve(str(tables / "hostile.csv")) as address:
        yield address


def test_html_in_names_is_text(page, hostile_address):
    """In every room the names stand as they are written, and nothing of them runs."""
    ran = []
    page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
    for room in ROOMS:
        page.goto(hostile_address + f"#room={room}")
        page.get_by_role("main").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.locator("img[src=x]").count() == 0
        assert page.locator("b", has_text=re.compile("^no$")).count() == 0
        assert page.locator("[onerror], [onclick]").count() == 0
    assert ran == []
    page.goto(hostile_address + "#room=matrix")
    page.get_by_text(HOSTILE[1]).locator("visible=true").first.wait_for()


def test_a_policy_forbids_all_but_the_page_s_own_files(page, loans_address):
    """The page's response says it, and the browser holds to it."""
    response = page.goto(loans_address)
    policy = response.all_headers()["content-security-policy"]
    assert policy.split(";")[0].split() == ["default-src", "'none'"]
    assert "unsafe" not in policy
    assert "http" not in policy
    page.get_by_role("main").get_by_role("figure").first.wait_for()
    for inline in ("script:not([src])", "style"):
        assert page.locator(inline).count() == 0


def test_the_policy_stops_scripts_and_strangers(chromium, loans_address):
    """A script that came in after all could neither run nor reach another machine."""
    page = chromium.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(loans_address)
    page.evaluate("""() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.body.append(script);
    }""")
    assert page.evaluate("() => window.ran") is None
    refused = page.evaluate("() => fetch('http://192.0.2.1/').then(() => false, () => true)")
    assert refused
    assert all(
        url.startswith(("http://127.0.0.1:", "data:", "blob:"))
        for url in asked
        if "192.0.2.1" not in url
    )
    page.close()


def test_an_exported_page_holds_to_its_own_policy(page, tables, tmp_path):
    """Opened as a file it shows its picture, and a script that came in after all does not run."""
    data = pb.read(tables / "loans.csv")
    path = tmp_path / "curve.html"
    save_curve(pb.curve(data, "roc"), path, data=data)
    html = path.read_text("utf-8").replace("</main>", "<script>window.ran = 1</script></main>")
    page.wrong.clear()
    page.route(
        "http://127.0.0.1:9/page.html",
        lambda route: route.fulfill(body=html, content_type="text/html"),
    )
    page.goto("http://127.0.0.1:9/page.html")
    assert page.evaluate("() => window.ran") is None
    assert page.locator("figure svg").first.bounding_box()["width"] > 200
    line = page.locator("svg path").first
    assert line.evaluate("one => getComputedStyle(one).stroke")
    assert len(page.wrong) == 1, page.wrong
    assert "Security Policy" in page.wrong.pop()


def test_another_site_cannot_ask(chromium, loans_address, bare_address):
    """A page of another origin on this machine reads nothing of this server, secret or not."""
    page = chromium.new_page()
    page.goto(bare_address)
    found = page.evaluate(
        """async (address) => {
          const answers = [];
          for (const [mode, method] of [["cors", "GET"], ["no-cors", "POST"]]) {
            try {
              const response = await fetch(address + "api/start", { mode, method });
              answers.push(await response.text());
            } catch { answers.push("refused"); }
          }
          return answers;
        }""",
        loans_address,
    )
    assert found == ["refused", "refused"]
    page.close()
    framing = chromium.new_page()
    response = framing.request.get(loans_address, headers={"Sec-Fetch-Site": "cross-site"})
    assert response.status == 403
    assert json.loads(response.text())["error"]["message"].startswith("Open ")
    framing.close()
