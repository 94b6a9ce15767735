"""Runs the test vectors with a small implementation, to show how one of your own runs them: Python 3.8 or later.

run_vectors.py [<folder of the vectors>]     a line a file; exit code 1 when one vector fails
"""
import json
import os
import re
import shlex
import struct
import sys
from datetime import date

COMMANDS = {
    "hide": "none",
    "show": "none",
    "close": "none",
    "log": "none",
    "openworkout": "none",
    "setcustomid": "none",
    "clearperson": "none",
    "signout": "none",
    "version": "text",
    "getworkoutsforclient": "list",
    "getlistofusers": "list",
    "selectperson": "person",
}
SESSION_COMMANDS = {"queryexercises", "queryworkouts", "hello", "status", "subscribe", "cancel"}
# Each with the numbers in its data, and whether they are needed; None: without data.
EVENTS = {
    "personselected": {"userid": True, "focusnumber": False},
    "personcleared": {"focusnumber": False},
    "workoutopened": {"id": True},
    "signedout": {},
    "signedin": None,
    "closing": None,
}
REASONS = {"journal", "user", "time", "partnerlocked"}
CODES = set(
    "ERR_FRAME ERR_JSON ERR_METHOD ERR_ARGS ERR_NOT_FOUND ERR_NOT_SIGNED_IN ERR_TIMEOUT ERR_WEB_APP ERR_CLOSING "
    "ERR_BUSY ERR_CANCELLED ERR_SUPERSEDED".split()
)


class Refused(Exception):
    """What the implementation says where a vector has an `error`."""

    def __init__(self, code, **facts):
        super().__init__(code)
        self.code = code
        self.facts = facts


# Frames


def read_frames(given):
    stream, bodies = bytes.fromhex(given["streamHex"]), []
    while len(stream) >= 4:
        (length,) = struct.unpack_from("<i", stream)
        if not 1 <= length <= given["maxFrameBytes"]:
            raise Refused("ERR_FRAME", bodiesBefore=bodies)
        if len(stream) < 4 + length:
            break
        try:
            bodies.append(stream[4:4 + length].decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused("ERR_JSON", bodiesBefore=bodies)
        stream = stream[4 + length:]
    return {"bodies": bodies, "endsInsideFrame": len(stream) > 0}


# JSON, requests and replies


def read_json(given, deepest=None):
    body = bytes.fromhex(given["bodyHex"]) if "bodyHex" in given else given["body"].encode("utf-8")
    try:
        text = without_nuls(body.decode("utf-8-sig"))
        if deepest is not None and depth_of(text) > deepest:
            raise Refused("ERR_JSON")
        return json.loads(text, parse_constant=no_constant)
    except ValueError:
        raise Refused("ERR_JSON")


def without_nuls(text):
    """Programs that count the end of a C string send NULs behind the message; white space around them does not matter."""
    return re.sub(r"\0[\0\s]*\Z", "", text)


def depth_of(text):
    """How deep objects and arrays are nested; brackets inside of texts do not count."""
    depth = deepest = 0
    for bracket in re.findall(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text):
        depth += 1 if bracket in "[{" else -1 if bracket in "]}" else 0
        deepest = max(deepest, depth)
    return deepest


def no_constant(name):
    raise ValueError("%s is not JSON." % name)


def fold(members, name):
    """A member whose name is matched without regard to case; of members spelled the same, a `dict` has the last one."""
    values = [value for key, value in members.items() if key.lower() == name.lower()]
    if any(value != values[0] for value in values):
        raise Refused("ERR_ARGS", paths=[name])
    return values[0] if values else None


def read_classic_request(given):
    return {"name": read_method(read_object(given), COMMANDS)}


def read_session_request(given):
    ident = None
    try:
        request = read_object(given)
        found = fold(request, "Id")
        if found is not None and not is_id(found):
            raise Refused("ERR_ARGS", paths=["Id"])
        ident = found
        return {"id": ident, "name": read_method(request, {*COMMANDS, *SESSION_COMMANDS})}
    except Refused as refused:
        raise Refused(refused.code, id=ident, **refused.facts)


def read_object(given):
    request = read_json(given, deepest=128)
    if not isinstance(request, dict):
        raise Refused("ERR_JSON")
    return request


def read_method(request, known):
    """The command's name. What its arguments may be is the business of whoever carries it out."""
    method, args = fold(request, "Method"), fold(request, "Args")
    name = method.strip().lower() if isinstance(method, str) else None
    if name not in known:
        raise Refused("ERR_METHOD")
    is_nothing = args is None or args == [] or (isinstance(args, str) and not args.strip())
    if not is_nothing and not isinstance(args, dict):
        raise Refused("ERR_ARGS", paths=[""])
    return name


# Members of the lists, as the session mode spells them; a member that is a list has the members of its entries, in a list of
# their own where it holds lists.
NO_DATE = "0001-01-01T00:00:00"
DATA = {"key": None, "value": None, "unit": None}
LISTS = {
    "getlistofusers": {**dict.fromkeys("id customId firstname lastname email".split()), "dateOfBirth": NO_DATE},
    "getworkoutsforclient": {
        **{"id": 0, "name": None, "description": None, "lastChangedAt": NO_DATE, "owner": 0, "executor": 0},
        **{"ownerName": None, "executorName": None, "exerciseCount": 0},
        "exercises": {"id": 0, "name": None, "data": [DATA]},
    },
}
PERSON = dict.fromkeys("status userid customid focusnumber receipt error".split())


def respell(value, names):
    """Members are known in any case; of two spellings the one of `names` counts. Others keep theirs."""
    if isinstance(value, list):
        if isinstance(names, list):
            # A flat list is the only one of a list.
            lists = [value] if any(isinstance(each, dict) for each in value) else value
            return [[] if each is None else respell(each, names[0]) for each in lists]
        return [respell(each, names) for each in value]
    if not isinstance(value, dict):
        return value
    found, folded = {}, {name.lower(): name for name in names}
    for sent, member in value.items():
        name = folded.get(sent.lower(), sent)
        if sent == name or name not in found:
            found[name] = respell(member, names[name]) if names.get(name) else member
    return found


def write_classic_list(given):
    names = LISTS[given["command"]]
    return {"list": classic_entries(respell(given["answer"], names), names)}


def classic_entries(entries, names):
    return [classic_entry(entry, names) for entry in entries]


def classic_entry(entry, names):
    """Every known member: text that is not given is null, an integer 0, a list empty. Others as they are."""
    written = {}
    for name, absent in names.items():
        value = entry.get(name)
        if isinstance(absent, dict):
            value = classic_entries(value or [], absent)
        elif isinstance(absent, list):
            value = [classic_entries(each, absent[0]) for each in value or []]
        elif value is None or (absent == NO_DATE and is_no_date(value)):
            value = len(entry.get("exercises") or []) if name == "exerciseCount" else absent
        elif name == "value":
            value = str(value)
        written[name[0].upper() + name[1:]] = value
    return {**written, **{name: value for name, value in entry.items() if name not in names}}


def is_no_date(text):
    """Whether a text is a date of the years 0 to 9, which .NET writes for no date, or blank."""
    numbers = r"\s*(000\d|\d{1,2}\D\d{1,2}\D000\d|/Date\(-621\d{11}|\Z)"
    words = r"[a-z]\.?( \d{1,2})?,? 000\d(\s|\Z)"
    return bool(re.match(numbers, text, re.ASCII) or re.search(words, text, re.ASCII | re.IGNORECASE))


def read_classic_reply(given):
    kind, body = COMMANDS[given["command"]], given["body"] and without_nuls(given["body"])
    if body is None:
        if kind != "none":
            raise Refused("ERR_WEB_APP")
        return {"result": None}
    value = None
    if kind in ("list", "person") or body.lstrip().startswith("{"):
        value = read_json(given)
    failure = respell(value, {"error": None, "code": None})
    error, code = (failure.get("error"), failure.get("code")) if isinstance(failure, dict) else (None, None)
    if isinstance(error, str) and any(isinstance(text, str) and text.strip() for text in (error, code)):
        return {"failure": {"error": error, "code": code_of(code)}}
    return {"result": check_result(kind, body if kind == "text" else respell(value, LISTS.get(given["command"], PERSON)))}


def check_result(kind, value):
    if kind == "text":
        fits = isinstance(value, str)
    elif kind == "list":
        fits = isinstance(value, list) and all(isinstance(each, dict) and is_integer(each.get("id")) for each in value)
        fits = fits and all(each.get("owner") is None or is_integer(each["owner"]) for each in value)
        fits = fits and all(are_data(exercise.get("data")) for each in value for exercise in each.get("exercises") or [])
        value = [without_no_dates(each) for each in value] if fits else value
    elif kind == "person":
        # The person is in focus, whatever else it says: older wrappers have other words and may leave ids out.
        fits = isinstance(value, dict) and isinstance(value.get("error", ""), (str, type(None)))
        value = person_of(value) if fits else value
    else:
        return None
    if not fits:
        raise Refused("ERR_WEB_APP")
    return value


def without_no_dates(entry):
    dates = {name for name in ("dateOfBirth", "lastChangedAt") if isinstance(entry.get(name), str)}
    return {**entry, **{name: None for name in dates if is_no_date(entry[name])}}


def are_data(lists):
    return all(isinstance(each, list) and all(isinstance(fact, dict) for fact in each) for each in lists or [])


def person_of(reply):
    userid, customid = str(reply.get("userid")), reply.get("customid")
    person = {"status": reply["status"] if isinstance(reply.get("status"), str) else ""}
    if re.fullmatch(r"-?\d{1,16}", userid, re.ASCII):
        person["userid"] = int(userid)
    if customid is not None:
        person["customid"] = str(customid)
    if is_integer(reply.get("focusnumber")):
        person["focusnumber"] = reply["focusnumber"]
    receipt = reply.get("receipt")
    if isinstance(receipt, dict) and isinstance(receipt.get("time"), str) and is_integer(receipt.get("focusnumber")):
        person["receipt"] = receipt
    return {**person, **{name: value for name, value in reply.items() if name not in PERSON}}


def code_of(code):
    return code if code in CODES else "ERR_WEB_APP"


def read_session_message(given):
    message = read_json(given)
    if not isinstance(message, dict):
        raise Refused("ERR_WEB_APP")
    if "Event" in message:
        return read_event(message["Event"], message.get("Data"))
    ident = message.get("Id")
    if "Error" in message and "Id" in message and (ident is None or is_id(ident)):
        error = message["Error"] if isinstance(message["Error"], dict) else {}
        return {"type": "failure", "id": ident, "code": code_of(error.get("Code"))}
    if "Result" not in message or not is_id(ident):
        raise Refused("ERR_WEB_APP")
    read = {"type": "result", "id": ident, "result": check_result(COMMANDS.get(given.get("method")), message["Result"])}
    warnings = read_warnings(message.get("Warnings"))
    return {**read, "warnings": warnings} if warnings else read


def read_warnings(sent):
    told = [each for each in sent if isinstance(each, dict)] if isinstance(sent, list) else []
    both = [{name: each.get(name) for name in ("path", "problem")} for each in told]
    return [each for each in both if all(isinstance(text, str) for text in each.values())]


def read_event(name, data):
    if not isinstance(name, str) or name not in EVENTS:
        return {"type": "unknown-event"}
    numbers = EVENTS[name]
    if numbers is None:
        return {"type": "event", "event": name, "data": None}
    if name == "signedout" and not isinstance(data, dict):
        data = {}
    if not isinstance(data, dict):
        raise Refused("ERR_WEB_APP")
    if not all(is_integer(data.get(member, None if needed else 0)) for member, needed in numbers.items()):
        raise Refused("ERR_WEB_APP")
    known = {member: value for member, value in data.items() if member != "reason" or value in REASONS}
    return {"type": "event", "event": name, "data": known}


def is_id(value):
    if isinstance(value, str):
        is_kept = not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in value)
        return 1 <= len(value) <= 64 and is_kept
    return is_integer(value)


def is_integer(value):
    """JSON has one kind of number: 1.0 is the integer 1."""
    whole = isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value.is_integer()
    return whole and abs(value) < 2**53


# Versions, dates, quoting


def read_version(text):
    if not re.fullmatch(r"\s*\d+(\.\d+){3}\s*", text, re.ASCII):
        raise Refused("ERR_VERSION")
    parts = [int(part) for part in text.split(".")]
    if max(parts) > 65535:
        raise Refused("ERR_VERSION")
    return parts


def run_version(given):
    if "text" in given:
        return {"parts": read_version(given["text"])}
    left, right = (read_version(given[side])[:given["parts"]] for side in ("left", "right"))
    return {"sign": (left > right) - (left < right)}


TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?|24:00(?::00(?:[.,]0{1,9})?)?)"
HOURS = r"[+-](?:0\d|1[0-4])"
BEHIND = rf"(?:[Tt ]{TIME} ?(?:[Zz]|{HOURS}(?::?[0-5]\d)?)?| ?(?:[Zz]|{HOURS}:?[0-5]\d))?"
YEAR_FIRST = re.compile(rf"\s*(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){BEHIND}\s*", re.ASCII)
NO_DATES = [(0, 0, 0), (1753, 1, 1), (1899, 12, 30), (1900, 1, 1)]


def read_date(given):
    """A year first, and what may stand behind it. A client writes ISO 8601; the cultures' own dates are the wrapper's to read."""
    found = YEAR_FIRST.fullmatch(given["text"])
    if not found:
        raise Refused("ERR_DATE")
    year, month, day = (int(found.group(part)) for part in (1, 3, 4))
    if year == 1 or (year, month, day) in NO_DATES:
        return {"date": None}
    try:
        read = date(year, month, day)
    except ValueError:
        raise Refused("ERR_DATE")
    if not 1700 <= year <= 2399:
        raise Refused("ERR_DATE")
    return {"date": read.isoformat()}


def run_quoting(given):
    if "windows" in given:
        return {"argv": split_windows(given["windows"])}
    windows = " ".join(quote_windows(argument) for argument in given["argv"])
    assert split_windows(windows) == given["argv"]
    # How a POSIX line is quoted is free, as long as the shell reads the same.
    return {"windows": windows, "posix": given["argv"]}


def quote_windows(argument):
    if argument and not re.search(r'[\s"]', argument):
        return argument
    # Backslashes before a quotation mark count twice, those before the last one too.
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', argument)
    return '"%s"' % re.sub(r"(\\+)$", r"\1\1", escaped)


def split_windows(line):
    argv, argument, quoted, at = [], None, False, 0
    while at < len(line):
        slashes = re.match(r"\\*", line[at:]).group()
        at += len(slashes)
        here = line[at:at + 1]
        if slashes:
            halved = slashes[:len(slashes) // 2] if here == '"' else slashes
            argument = (argument or "") + halved
            if here == '"' and len(slashes) % 2:
                argument, at = argument + '"', at + 1
            continue
        at += 1
        if here == '"' and quoted and line[at:at + 1] == '"':
            argument, at = argument + '"', at + 1
        elif here == '"':
            argument, quoted = argument or "", not quoted
        elif here in " \t" and not quoted:
            argv, argument = argv + ([] if argument is None else [argument]), None
        else:
            argument = (argument or "") + here
    return argv + ([] if argument is None else [argument])


# What each file is run with, and what of its expectations this implementation has


def same(expect):
    return expect


def only(*members):
    return lambda expect: {name: value for name, value in expect.items() if name in members}


def without(*members):
    return lambda expect: {name: value for name, value in expect.items() if name not in members}


def posix_as_read(expect):
    return {**expect, "posix": shlex.split(expect["posix"])} if "posix" in expect else expect


def is_about_arguments(vector):
    envelope = ([""], ["Id"], ["Method"], ["Args"])
    return vector.get("error", {}).get("code") == "ERR_ARGS" and vector["error"]["paths"] not in envelope


def is_in_a_culture(vector):
    return "expect" in vector and not YEAR_FIRST.fullmatch(vector["input"]["text"])


def is_of_the_session(vector):
    """The replies to the methods of the session mode."""
    return vector["input"].get("method") in SESSION_COMMANDS


FILES = [
    ("frames.json", read_frames, same, None),
    ("classic-requests.json", read_classic_request, only("name"), is_about_arguments),
    ("classic-replies.json", read_classic_reply, same, None),
    ("classic-lists.json", write_classic_list, same, None),
    ("session-requests.json", read_session_request, only("id", "name"), is_about_arguments),
    ("session-messages.json", read_session_message, without("message", "details"), is_of_the_session),
    ("versions.json", run_version, same, None),
    ("dates.json", read_date, same, is_in_a_culture),
    ("argument-quoting.json", run_quoting, posix_as_read, None),
]


def run_vector(vector, implementation, reduce):
    """None, or what came instead of what was expected."""
    try:
        actual = implementation(vector["input"])
    except Exception as failure:
        refused = failure if isinstance(failure, Refused) else Refused(repr(failure))
        actual = {"code": refused.code, **refused.facts}
        expected = vector.get("error")
        if expected is not None:
            expected = {name: value for name, value in expected.items() if name in actual}
            actual = {name: value for name, value in actual.items() if name in expected}
        return None if expected == actual else actual
    return None if "expect" in vector and reduce(vector["expect"]) == actual else actual


def main(folder):
    failures = 0
    for name, implementation, reduce, is_left_out in FILES:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            vectors = json.load(file)["vectors"]
        chosen = [vector for vector in vectors if not (is_left_out and is_left_out(vector))]
        wrong = [(vector["id"], run_vector(vector, implementation, reduce)) for vector in chosen]
        wrong = [(ident, actual) for ident, actual in wrong if actual is not None]
        for ident, actual in wrong:
            print("%s %s: got %s" % (name, ident, json.dumps(actual)), file=sys.stderr)
        failures += len(wrong)
        passed, left_out = len(chosen) - len(wrong), len(vectors) - len(chosen)
        print("%s: %d passed, %d failed, %d left out" % (name, passed, len(wrong), left_out))
    return 1 if failures else 0


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "../vectors")))
