"""Signs a payload of the partner link, to be copied: Python 3.8 or later with PyJWT and cryptography.

sign_payload.py <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output
"""
import json
import sys
import time
import uuid

import jwt


def sign(claims, key, kid, audience):
    """Signs at the click: the token lives a minute and works once."""
    if not isinstance(claims.get("contact"), dict) and "end" not in claims:
        raise ValueError("The claims name no contact.")
    now = int(time.time())
    own = {"aud": audience, "iat": now, "exp": now + 60, "jti": str(uuid.uuid4())}
    return jwt.encode({**claims, **own}, key, algorithm="RS256", headers={"kid": kid})


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    with open(sys.argv[1], encoding="ascii") as pem:
        print(sign(json.loads(sys.stdin.buffer.read()), pem.read(), sys.argv[2], sys.argv[3]))
