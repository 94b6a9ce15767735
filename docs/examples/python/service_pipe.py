"""One request to the running wrapper, to be copied: Python 3.8 or later, its standard library, Windows, Linux or macOS.

service_pipe.py                              finds the wrapper and puts a person in focus
service_pipe.py <process id>                 puts a person in focus
service_pipe.py <process id> <command> [<arguments>]    any command; the arguments are one JSON object
"""
import errno
import json
import os
import re
import socket
import stat
import struct
import sys
import threading
import time

WINDOWS = os.name == "nt"
if WINDOWS:
    import msvcrt
FOLDER = "\\\\.\\pipe\\" if WINDOWS else os.environ.get("TMPDIR") or "/tmp"
PREFIX = "" if WINDOWS else "CoreFxPipe_"


class WrapperError(Exception):
    """The wrapper says why it did not do what it was asked; `code` is stable."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code


def find_wrapper():
    """The process id of the one wrapper of this login session."""
    session = session_of(os.getpid())
    names = [re.fullmatch(PREFIX + r"servicepipe\.(\d+)", name) for name in os.listdir(FOLDER)]
    pids = [int(name.group(1)) for name in names if name]
    mine = [pid for pid in pids if WINDOWS or own_socket(pid) and is_running(pid)]
    found = [pid for pid in mine if session is not None and session_of(pid) == session]
    if len(found) != 1:
        raise FileNotFoundError("%d wrappers are known to be of this session; say which process to ask." % len(found))
    return found[0]


def session_of(pid):
    """What tells a login session from the user's others; None where it is not known, and the process may be of any."""
    if WINDOWS:
        import ctypes

        session = ctypes.c_ulong()
        return session.value if ctypes.windll.kernel32.ProcessIdToSessionId(pid, ctypes.byref(session)) else None
    if sys.platform == "darwin":
        return ""  # a user has one there
    try:
        with open("/proc/%d/environ" % pid, "rb") as file:
            variables = dict(entry.partition(b"=")[::2] for entry in file.read().split(b"\0"))
    except OSError:
        return None
    display = re.sub(rb"(:\d+)\.\d+$", rb"\1", variables.get(b"DISPLAY", b""))
    return display or variables.get(b"WAYLAND_DISPLAY", b"")


def address_of(pid):
    return os.path.join(FOLDER, "%sservicepipe.%d" % (PREFIX, pid))


def own_socket(pid):
    """Linux and macOS: what tells this user's socket from a later one; None where it is not one. The folder is open to everybody."""
    found = os.lstat(address_of(pid))
    is_own = stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid()
    return (found.st_dev, found.st_ino, found.st_ctime_ns) if is_own else None


def check_same(pid, own):
    """Linux and macOS: that the socket is still there once it is connected to; else another may have been there meanwhile."""
    if own_socket(pid) != own:
        raise FileNotFoundError(errno.ENOENT, "The pipe was exchanged meanwhile.")


def is_running(pid):
    """Linux and macOS: a wrapper that was ended by force leaves its socket behind."""
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False


def open_once(pid):
    if WINDOWS:
        pipe = open(address_of(pid), "r+b", buffering=0)
        try:
            check_owner(msvcrt.get_osfhandle(pipe.fileno()))
        except OSError:
            pipe.close()
            raise
        return pipe
    own = own_socket(pid)
    if not own:
        raise PermissionError("The pipe is not a socket of this user.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(address_of(pid))
        check_same(pid, own)
        return connection.makefile("rwb", buffering=0)


def check_owner(handle):
    """Windows: whether the pipe is this user's, before anything is sent. Anybody can make a pipe of any name."""
    import ctypes

    kernel32, advapi32, pointer, at = ctypes.windll.kernel32, ctypes.windll.advapi32, ctypes.c_void_p, ctypes.byref
    owner, descriptor, token, length = pointer(), pointer(), pointer(), ctypes.c_ulong()
    mine = ctypes.create_string_buffer(256)  # TOKEN_OWNER: a pointer to what follows it
    # SE_KERNEL_OBJECT, OWNER_SECURITY_INFORMATION; this process, TOKEN_QUERY; TokenOwner
    is_own = (
        advapi32.GetSecurityInfo(pointer(handle), 6, 1, at(owner), None, None, None, at(descriptor)) == 0
        and advapi32.OpenProcessToken(pointer(-1), 8, at(token))
        and advapi32.GetTokenInformation(token, 4, mine, len(mine), at(length))
        and advapi32.EqualSid(owner, pointer.from_buffer(mine))
    )
    kernel32.LocalFree(descriptor)
    kernel32.CloseHandle(token)
    if not is_own:
        raise PermissionError("The pipe belongs to another user.")


def open_pipe(pid):
    """Tries again for five seconds while the pipe is not there, is busy, or is between two clients."""
    passing = {errno.ENOENT, errno.ECONNREFUSED, errno.EAGAIN}
    if WINDOWS:
        passing.add(errno.EINVAL)  # how a busy pipe is told here
    deadline = time.monotonic() + 5
    while True:
        try:
            return open_once(pid)
        except OSError as error:
            if error.errno not in passing or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


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


def exchange(pid, request):
    body = json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    frame = struct.pack("<i", len(body)) + body
    with open_pipe(pid) as pipe:
        while frame:
            frame = frame[pipe.write(frame):]
        header = read_exactly(pipe, 4)
        if header is None:
            return None
        (length,) = struct.unpack("<i", header)
        reply = read_exactly(pipe, length) if 1 <= length <= 16 * 1024 * 1024 else None
    if reply is None:
        raise ConnectionError("The reply is broken off, or is not a frame.")
    return reply.decode("utf-8")


def call(pid, method, **args):
    """The result: None, text, a list or a dict, as the command has it. At most 35 seconds."""
    request = {"Method": method, "Args": args} if args else {"Method": method}
    outcome = {}

    def work():
        try:
            outcome["reply"] = exchange(pid, request)
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
    pid = int(arguments[0]) if arguments else find_wrapper()
    if len(arguments) > 1:
        result = call(pid, arguments[1], **json.loads(arguments[2] if len(arguments) > 2 else "{}"))
        return "" if result is None else result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    version = call(pid, "version")
    person = call(pid, "selectperson", customid="4711", firstname="Kåre", lastname="Nordmann")
    return "%s\n%s\n" % (version, person["status"])


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(main(sys.argv[1:]).encode("utf-8"))
    except WrapperError as failure:
        print(failure, file=sys.stderr)
        sys.exit(4)
    except OSError as failure:
        print("The wrapper was not reached: %s" % failure, file=sys.stderr)
        sys.exit(3)
