"""Opens the service in the user's browser, by a private page that posts the token. Python 3.8 or later."""

import html
import pathlib
import shutil
import sys
import tempfile
import threading
import webbrowser


def open_service(receiver: str, token: str, ending: threading.Event) -> None:
    """Opens the page, and removes it after two minutes: the token's minute and the receiver's tolerance.

    Set `ending` when your application ends sooner, and wait for this function.
    """
    # For this user alone. Browsers packed as snaps read the home folder only.
    parent = pathlib.Path.home() if sys.platform == "linux" else None
    folder = tempfile.mkdtemp(prefix="service-", dir=parent)
    try:
        page = pathlib.Path(folder, "open.html")
        page.write_text(
            '<!doctype html><meta charset="utf-8"><title>One moment</title>'
            f'<form method="post" action="{html.escape(receiver)}">'
            f'<input type="hidden" name="payload" value="{html.escape(token)}">'
            "<button>Open the service</button></form><script>document.forms[0].submit()</script>",
            encoding="utf-8",
        )
        if not webbrowser.open(page.as_uri()):
            raise OSError("No browser can be opened.")
        ending.wait(120)
    finally:
        shutil.rmtree(folder)
