"""One connection to the running wrapper for many requests and for events: the session mode. Python 3.8 or later, its standard
library, Windows, Linux or macOS. It needs service_pipe.py, beside this file.

session.py [<process id>]     two requests in flight, then events until the wrapper closes
"""
import asyncio
import itertools
import json
import struct
import sys

import service_pipe


async def open_streams(record):
    """A connection on which the wrapper has proven that it holds the key of its record."""
    if service_pipe.WINDOWS:
        # The loop opens the pipe for overlapped calls, so that it can be read and written at a time.
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(reader)
        transport, _ = await loop.create_pipe_connection(lambda: protocol, record["address"])
        writer = asyncio.StreamWriter(transport, protocol, reader, loop)
    else:
        reader, writer = await asyncio.open_unix_connection(record["address"])
    try:
        writer.write(service_pipe.frame_of({"ask": record["key"]["ask"]}))
        answer = await asyncio.wait_for(read_frame(reader), 10)
        service_pipe.check_answer(record, answer)
    except Exception:
        writer.close()
        raise
    return reader, writer


async def read_frame(reader):
    (length,) = struct.unpack("<i", await reader.readexactly(4))
    if not 1 <= length <= 16 * 1024 * 1024:
        raise ValueError("This is no frame.")
    return (await reader.readexactly(length)).decode("utf-8")


class Session:
    """A connection in session mode. Events wait in `events`; the last item is None."""

    def __init__(self, reader, writer):
        self.events = asyncio.Queue()
        self.hello = None
        self._ids = itertools.count(1)
        self._pending = {}
        self._writer = writer
        self._reading = asyncio.ensure_future(self._read(reader))

    @classmethod
    async def open(cls, record):
        session = cls(*await open_streams(record))
        session.hello = await session.ask("hello", limit_seconds=10)
        return session

    async def ask(self, method, args=None, limit_seconds=35):
        """The result; `args` is a dict. Lists have other names than in service_pipe.py: `id` in place of `Id`."""
        request = {"Id": next(self._ids), "Method": method, "Args": args or {}}
        reply = asyncio.get_running_loop().create_future()
        self._pending[request["Id"]] = reply
        try:
            if self._reading.done():
                raise ConnectionError("The connection has ended.")
            if method in service_pipe.RAISING:
                service_pipe.allow_front(self.hello["pid"], self.hello.get("browserpid"))
            self._writer.write(service_pipe.frame_of(request))
            await self._writer.drain()
            return await asyncio.wait_for(reply, limit_seconds)
        finally:
            del self._pending[request["Id"]]

    async def close(self):
        self._writer.close()
        await asyncio.wait([self._reading], timeout=5)

    async def _read(self, reader):
        try:
            while True:
                self._take(json.loads(await read_frame(reader)))
        except (OSError, EOFError, ValueError):
            pass  # The end, in whichever way it is told, or something that is not the session mode.
        finally:
            for reply in self._pending.values():
                if not reply.done():
                    reply.set_exception(ConnectionError("The connection ended before the reply came."))
            self.events.put_nowait(None)
            self._writer.close()

    def _take(self, message):
        if not isinstance(message, dict):
            raise ValueError("This is no message of the session mode.")
        if "Event" in message:
            return self.events.put_nowait((message["Event"], message.get("Data")))
        if message.get("Id") is None:
            raise ValueError("The wrapper could not read a request.")
        reply = self._pending.get(message["Id"])
        if reply is None or reply.done():
            return None  # It was given up before.
        if "Error" not in message:
            return reply.set_result(message.get("Result"))
        error = message["Error"] or {}
        return reply.set_exception(service_pipe.WrapperError(error.get("Code"), error.get("Message")))


async def main(arguments):
    record = service_pipe.find_record(int(arguments[0]) if arguments else None)
    session = await Session.open(record)
    print("session", session.hello["version"], flush=True)
    await session.ask("subscribe", {"events": ["personselected", "closing"]})
    users, status = await asyncio.gather(session.ask("getlistofusers"), session.ask("status"))
    print(len(users), "users,", "signed in" if status["signedin"] else "not signed in", flush=True)
    while True:
        event = await session.events.get()
        if event is None:
            break
        print("event", event[0], json.dumps(event[1]), flush=True)
    await session.close()


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1:]))
    except service_pipe.WrapperError as failure:
        print(failure, file=sys.stderr)
        sys.exit(4)
    except (OSError, asyncio.TimeoutError) as failure:
        print("The wrapper was not reached: %s" % failure, file=sys.stderr)
        sys.exit(3)
