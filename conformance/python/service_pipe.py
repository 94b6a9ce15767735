"""Drives the running wrapper, to be copied: Python 3.8 or later, its standard library, Windows, Linux or macOS.

service_pipe.py list                         the running wrappers
service_pipe.py <command> [key=value ...]      one command; `-` in place of arguments reads them as JSON from standard input
service_pipe.py subscribe events=<a>,<b>     the next of these events
"""
import concurrent.futures
import ctypes
import json
import os
import re
import socket
import stat
import struct
import sys
import threading

WINDOWS = os.name == "nt"
LIMIT_SECONDS = 35
# Commands that bring the wrapper's window to the front.
RAISING = {"show", "openworkout", "selectperson", "queryexercises", "queryworkouts"}
# The names of the wrapper's maker and of the wrapper. Those of another brand have others.
VENDOR, APPLICATION = "Service", "Service.Client.WebWrapper"


class WrapperError(Exception):
    """The wrapper did not do what it was asked: its stable code, and a sentence."""


def find_record():
    """The record of this desktop's wrapper, or else of one without a desktop."""
    records, own = read_records(), own_desktop()
    found = [each for each in records if each["desktop"] == own] or [each for each in records if "" in (own, each["desktop"])]
    if len(found) != 1:
        raise FileNotFoundError("%s runs on this desktop." % ("More than one wrapper" if found else "No wrapper"))
    return found[0]


def read_records():
    """The records of running wrappers. Each holds a secret: never print it."""
    folder = os.path.join(user_folder(), "run")
    if not os.path.exists(folder):
        return []
    check_private(os.lstat(folder))
    records = [read_record(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".json")]
    return [record for record in records if is_running(record["pid"])]


def read_record(path):
    with open(path, encoding="utf-8") as file:
        check_private(os.fstat(file.fileno()))
        return json.load(file)


def user_folder():
    """The folder in which the wrapper keeps what belongs to this user."""
    base = os.environ.get("XDG_DATA_HOME", "")
    if WINDOWS:
        base = os.environ["LOCALAPPDATA"]
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    elif not os.path.isabs(base):
        base = os.path.expanduser("~/.local/share")
    return os.environ.get("SERVICE_WRAPPER_DATA") or os.path.join(base, VENDOR, APPLICATION)


def check_private(found):
    """Linux and macOS: only this user can have written it. Windows protects the folders of a user itself."""
    if not WINDOWS and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        raise PermissionError("The record is not only for this user.")


def is_running(pid):
    """A killed wrapper leaves its record. On Windows such a signal would end the process."""
    try:
        return WINDOWS or os.kill(pid, 0) is None
    except OSError:
        return False


def own_desktop():
    """Tells this desktop from the user's others; empty without one."""
    if WINDOWS:
        session = ctypes.c_uint32()
        ctypes.windll.kernel32.ProcessIdToSessionId(os.getpid(), ctypes.byref(session))
        return str(session.value or "")  # services are in session 0, which has no desktop
    display = re.sub(r"(:\d+)\.\d+$", r"\1", os.environ.get("DISPLAY", "")) or os.environ.get("WAYLAND_DISPLAY", "")
    return "" if sys.platform == "darwin" else display


# region connection
class Session:
    """A connection to the wrapper of a record, for one request after the other, and for events."""

    def __init__(self, record):
        self._pipe, self._events, self._id = within_limit(lambda: open_pipe(record)), [], 0
        self.close = self._pipe.close
        self.hello = self.ask("hello")

    def ask(self, method, args=None):
        """The result of a command: None, text, a list or a dict. `args` is a dict."""
        self._id += 1
        if WINDOWS and method in RAISING:  # only the program in front can let the wrapper come to the front
            for pid in (self.hello.get("browserpid"), self.hello["pid"]):  # the last allowance counts
                ctypes.windll.user32.AllowSetForegroundWindow(pid or self.hello["pid"])
        write_frame(self._pipe, {"Id": self._id, "Method": method, "Args": args or {}})
        reply = within_limit(self._read_reply)
        if "Error" in reply:
            raise WrapperError(reply["Error"]["Code"], reply["Error"]["Message"])
        return reply["Result"]

    def next_event(self):
        """Waits for an event that `subscribe` named, without a limit: `{"Event": ..., "Data": ...}`."""
        return self._events.pop(0) if self._events else read_frame(self._pipe)

    def _read_reply(self):
        while "Event" in (message := read_frame(self._pipe)):
            self._events.append(message)
        return message


def open_pipe(record):
    """The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else."""
    if WINDOWS:
        pipe = open(record["address"], "r+b", buffering=0)
    else:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(record["address"])
            pipe = connection.makefile("rwb", buffering=0)
    write_frame(pipe, {"ask": record["key"]["ask"]})
    if read_frame(pipe).get("answer") != record["key"]["answer"]:
        pipe.close()
        raise PermissionError("This is not the wrapper of the record. Tell your administrator.")
    return pipe
# endregion connection


def write_frame(pipe, message):
    body = json.dumps(message).encode()
    frame = struct.pack("<i", len(body)) + body
    while frame:
        frame = frame[pipe.write(frame):]


def read_frame(pipe):
    (length,) = struct.unpack("<i", read_exactly(pipe, 4))
    if not 1 <= length <= 16 * 1024 * 1024:
        raise ConnectionError("The reply is no frame.")
    return json.loads(read_exactly(pipe, length))


def read_exactly(pipe, count):
    data = b""
    while len(data) < count:
        part = pipe.read(count - len(data))
        if not part:
            raise ConnectionError("The wrapper has ended the connection.")
        data += part
    return data


def within_limit(work):
    """Gives up a wait. A thread, because a read of a pipe has no limit on Windows."""
    outcome = concurrent.futures.Future()

    def run():
        try:
            outcome.set_result(work())
        except Exception as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return outcome.result(LIMIT_SECONDS)
    except concurrent.futures.TimeoutError:
        raise TimeoutError("The wrapper did not answer in time. It may have done what was asked.") from None


def run(command, args):
    if command == "list":
        return [{name: each[name] for name in ("pid", "version", "desktop", "address")} for each in read_records()]
    session = Session(find_record())
    result = session.hello if command == "hello" else session.ask(command, args)
    return session.next_event() if command == "subscribe" else result


if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        _, command, *words = sys.argv
        args = dict(json.load(sys.stdin) if words == ["-"] else [word.split("=", 1) for word in words])
        if command == "subscribe":
            args["events"] = args["events"].split(",")
    except (AttributeError, KeyError, TypeError, ValueError):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        print(json.dumps(run(command, args), ensure_ascii=False))
    except WrapperError as failure:
        print("%s: %s" % failure.args, file=sys.stderr)
        sys.exit(4)
    except (AttributeError, LookupError, OSError, ValueError) as failure:
        print("The wrapper was not reached: %s" % failure, file=sys.stderr)
        sys.exit(3)
