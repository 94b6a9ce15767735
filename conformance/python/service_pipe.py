"""One request to the running wrapper, to be copied: Python 3.8 or later, its standard library, Windows, Linux or macOS.

service_pipe.py                              finds the wrapper and puts a person in focus
service_pipe.py [<process id>] <command> [<arguments>]    any command; the arguments are one JSON object
"""
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
# Commands that bring the wrapper's window to the front.
RAISING = {"show", "openworkout", "selectperson", "queryexercises", "queryworkouts"}
# The names of the wrapper's maker and of the wrapper. Those of another brand have others.
VENDOR, APPLICATION = "Service", "Service.Client.WebWrapper"


class WrapperError(Exception):
    """The wrapper says why it did not do what it was asked; `code` is stable."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code


def find_record(pid=None):
    """The record of the wrapper with this process id, or else of this desktop's, or else of one without a desktop."""
    folder = os.path.join(user_folder(), "run")
    found = choose(read_records(folder), pid)
    if not found:
        which = "as process %d" % pid if pid else "on this desktop"
        raise FileNotFoundError("No wrapper runs %s; its record was looked for in %s." % (which, folder))
    if len(found) > 1:
        pids = ", ".join(str(record["pid"]) for record in found)
        raise FileNotFoundError("Several wrappers run. Name the process of one: %s." % pids)
    return found[0]


def choose(records, pid):
    if pid:
        return [record for record in records if record["pid"] == pid]
    own = own_desktop()
    fallback = [record for record in records if record["desktop"] == ""] if own else records
    return [record for record in records if record["desktop"] == own] or fallback


def read_records(folder):
    try:
        check_private(os.lstat(folder))
    except FileNotFoundError:
        return []
    records = [read_record(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".json")]
    return [record for record in records if is_running(record["pid"])]


def is_running(pid):
    """Linux and macOS. On Windows such a signal would end the process."""
    try:
        return WINDOWS or os.kill(pid, 0) is None
    except ProcessLookupError:
        return False
    except PermissionError:
        return True


def user_folder():
    """The folder in which the wrapper keeps what belongs to this user."""
    if os.environ.get("SERVICE_WRAPPER_DATA"):
        return os.environ["SERVICE_WRAPPER_DATA"]
    if WINDOWS:
        base = os.environ["LOCALAPPDATA"]
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME", "")
        if not os.path.isabs(base):
            base = os.path.expanduser("~/.local/share")
    return os.path.join(base, VENDOR, APPLICATION)


def own_desktop():
    """Tells this desktop from the user's others; empty without one."""
    if WINDOWS:
        session = ctypes.c_uint32()
        if not ctypes.windll.kernel32.ProcessIdToSessionId(os.getpid(), ctypes.byref(session)):
            raise ctypes.WinError()
        return str(session.value) if session.value else ""  # services are in session 0, which has no desktop
    if sys.platform == "darwin":
        return ""
    display = re.sub(r"(:\d+)\.\d+$", r"\1", os.environ.get("DISPLAY", ""))
    return display or os.environ.get("WAYLAND_DISPLAY", "")


def read_record(path):
    with open(path, encoding="utf-8") as file:
        check_private(os.fstat(file.fileno()))
        return json.load(file)


def check_private(found):
    """Linux and macOS: that only this user can have written it. Windows protects the folders of a user itself."""
    if not WINDOWS and (found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077):
        raise PermissionError("The record is not only for this user.")


def open_pipe(record):
    """A connection on which the wrapper has proven that it holds the key of its record."""
    if WINDOWS:
        pipe = open(record["address"], "r+b", buffering=0)
    else:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(record["address"])
            pipe = connection.makefile("rwb", buffering=0)
    try:
        write_frame(pipe, {"ask": record["key"]["ask"]})
        check_answer(record, read_frame(pipe))
    except Exception:
        pipe.close()
        raise
    return pipe


def check_answer(record, answer):
    """Whatever else answers is not the wrapper. Nothing more is sent to it."""
    if answer is None or json.loads(answer).get("answer") != record["key"]["answer"]:
        raise PermissionError("This is not the wrapper of the record. Tell your administrator.")


def allow_front(pid, browser_pid):
    """Windows lets a wrapper in the background come to the front only if the program in front allows it."""
    if not WINDOWS:
        return
    for each in (browser_pid, pid):  # The last allowance counts.
        if each and each < 0xFFFFFFFF:  # The highest number means every process.
            ctypes.windll.user32.AllowSetForegroundWindow(each)


def frame_of(message):
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return struct.pack("<i", len(body)) + body


def write_frame(pipe, message):
    frame = frame_of(message)
    while frame:
        frame = frame[pipe.write(frame):]


def read_frame(pipe):
    """The text of one frame; None when the stream ends before it."""
    header = read_exactly(pipe, 4)
    if header is None:
        return None
    (length,) = struct.unpack("<i", header)
    body = read_exactly(pipe, length) if 1 <= length <= 16 * 1024 * 1024 else None
    if body is None:
        raise ConnectionError("The reply is broken off, or is not a frame.")
    return body.decode("utf-8")


def read_exactly(pipe, count):
    """So many bytes; None when the stream ends before the first."""
    data = b""
    while len(data) < count:
        try:
            part = pipe.read(count - len(data))
        except OSError:
            if not WINDOWS:
                raise
            part = b""  # Windows may tell the end of a pipe as an error
        if not part and not data:
            return None
        if not part:
            raise ConnectionError("The reply is broken off.")
        data += part
    return data


def call(record, method, args=None):
    """The result: None, text, a list or a dict, as the command has it; `args` is a dict. At most 35 seconds."""
    request = {"Method": method, "Args": args} if args else {"Method": method}
    outcome = {}

    def work():
        try:
            with open_pipe(record) as pipe:
                if method in RAISING:
                    allow_front(record["pid"], record.get("browserPid"))
                write_frame(pipe, request)
                outcome["reply"] = read_frame(pipe)
        except Exception as error:
            outcome["error"] = error

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(35)
    if not outcome:
        raise TimeoutError("The wrapper did not answer in time. Whether it did what was asked is not known.")
    if "error" in outcome:
        raise outcome["error"]
    reply = outcome["reply"]
    result = json.loads(reply) if reply and reply.lstrip()[:1] in ("{", "[") else reply
    if isinstance(result, dict) and "error" in result:
        raise WrapperError(result.get("code"), result["error"])
    return result


def main(arguments):
    pid = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else None
    try:
        args = dict(json.loads(arguments[1] if len(arguments) > 1 else "{}"))
    except (TypeError, ValueError):
        print('The arguments must be one JSON object, such as {"customid":"4711"}.', file=sys.stderr)
        sys.exit(2)
    record = find_record(pid)
    if arguments:
        result = call(record, arguments[0], args)
        return "" if result is None else result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    person = call(record, "selectperson", {"customid": "4711", "firstname": "Kåre", "lastname": "Nordmann"})
    return "%s\n%s\n" % (record["version"], person["status"])


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(main(sys.argv[1:]).encode("utf-8"))
    except WrapperError as failure:
        print(failure, file=sys.stderr)
        sys.exit(4)
    except OSError as failure:
        print("The wrapper was not reached: %s" % failure, file=sys.stderr)
        sys.exit(3)
