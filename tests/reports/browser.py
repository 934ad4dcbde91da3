"""A real browser for tests: Chromium without a window, driven over a pair of pipes by the DevTools protocol."""

from __future__ import annotations

import fcntl
import json
import os
import selectors
import shutil
import signal
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60.0
"""Seconds after which a silent browser counts as broken; no test depends on how fast it is."""

_KEYS = {
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "ArrowUp": 38,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Tab": 9,
    "Enter": 13,
    "/": 191,
}


def browser_command() -> str | None:
    """The Chromium that is installed here, None if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page in one browser.

    ``requests``    addresses that the page has asked for, by the request's id, those aside that its policy has stopped
    ``complaints``  what the page or the browser put on the console, and exceptions nobody caught
    """

    def __init__(self, command: str, profile: Path) -> None:
        self.requests: dict[str, str] = {}
        self.complaints: list[str] = []
        self._number = 0
        self._session: str | None = None
        self._rest = b""
        theirs_in, self._write = os.pipe()
        self._read, theirs_out = os.pipe()
        # Chromium expects 3 and 4; numbers well above them do not get in each other's way.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in (theirs_in, theirs_out)]
        arguments = [
            command,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--remote-debugging-pipe",
            "--window-size=1300,1000",
            "--force-prefers-reduced-motion",
            f"--user-data-dir={profile}",
        ]
        null = os.open(os.devnull, os.O_RDWR)
        self._process = os.posix_spawn(
            command,
            arguments,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, null, 1),
                (os.POSIX_SPAWN_DUP2, null, 2),
                (os.POSIX_SPAWN_DUP2, high[0], 3),
                (os.POSIX_SPAWN_DUP2, high[1], 4),
            ],
            setpgroup=0,
        )
        for end in (theirs_in, theirs_out, null, *high):
            os.close(end)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser and everything it started."""
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        os.close(self._write)
        os.close(self._read)

    def open(self, address: str) -> None:
        """Load a page and wait until its script has run."""
        self._call("Page.navigate", url="about:blank")
        self.until("document.readyState === 'complete' && location.href === 'about:blank'")
        self.requests.clear()
        self.complaints.clear()
        self._call("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.run(expression):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Click where the first element that fits is seen."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{element}.scrollIntoView({{block: 'center'}})")
        box = self.run(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])({element}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=_KEYS[key])

    def type(self, text: str) -> None:
        """Put text where the focus is."""
        self._call("Input.insertText", text=text)

    def see_as(self, scheme: str) -> None:
        """Prefer a colour scheme, ``light`` or ``dark``."""
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def allow_scripts(self, allowed: bool) -> None:
        """Whether pages may run scripts from now on; :meth:`run` always may."""
        self._call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer)
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                self.requests[parameters["requestId"]] = parameters["request"]["url"]
            case "Network.loadingFailed" if parameters.get("blockedReason") == "csp":
                self.requests.pop(parameters["requestId"], None)
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(parameters["exceptionDetails"]))
            case "Runtime.consoleAPICalled" | "Log.entryAdded":
                self.complaints.append(json.dumps(parameters))

    def _receive(self) -> dict[str, Any]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._read, selectors.EVENT_READ)
            while b"\0" not in self._rest:
                assert selector.select(PATIENCE), "the browser says nothing"
                piece = os.read(self._read, 1 << 20)
                assert piece, "the browser is gone"
                self._rest += piece
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        return message
