"""A pipe server of somebody else: classic mode alone, one client at a time, Python's standard library.

It is called with the beginning of the pipe's path, to which it adds its process id, and with what it does with its pipe
and with methods that it does not know. It writes one line for each request that it has read: method, tab, id.
"""

import json
import os
import socket
import struct
import sys
import time

beginning, manner, unknown = sys.argv[1:4]
path = beginning + str(os.getpid())


def listen():
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(1)
    return server


def read(client, count):
    received = b""
    while len(received) < count:
        chunk = client.recv(count - len(received))
        if not chunk:
            return None
        received += chunk
    return received


def frame(text):
    body = text.encode()
    return struct.pack("<i", len(body)) + body


def answer(client, request):
    method, args = request["Method"].lower(), request.get("Args") or {}
    sys.stdout.write("%s\t%s\n" % (method, args.get("id", args.get("customid", ""))))
    sys.stdout.flush()
    if method == "version":
        client.sendall(frame("2.1.4.19787"))
    elif method == "getlistofusers":
        customid = args.get("customid", "")
        client.sendall(frame(json.dumps([{"Id": len(customid), "CUSTOMID": customid}])))
    elif method == "selectperson":
        refusal = {"Error": "Source (the name of your application) is mandatory."}
        client.sendall(frame(json.dumps({"Status": "OK " + args["source"]} if args.get("source") else refusal)))
    elif method not in ("hide", "show", "close", "openworkout", "setcustomid"):
        if unknown == "text":
            client.sendall(frame("Unknown method"))
        elif unknown.isdigit():
            time.sleep(int(unknown))


def serve(client):
    with client:
        header = read(client, 4)
        body = header and read(client, struct.unpack("<i", header)[0])
        if body:
            answer(client, json.loads(body))


server = listen()
print("listens", flush=True)
while True:
    client = server.accept()[0]
    try:
        serve(client)
    except OSError:
        pass  # The client has gone.
    if manner == "recreates":
        server.close()
        os.unlink(path)
        server = listen()
