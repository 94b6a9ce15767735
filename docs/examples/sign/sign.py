import time, uuid, jwt

now = int(time.time())
token = jwt.encode(
    {
        "aud": "https://sso.example/partner/payload", "iat": now, "exp": now + 60, "jti": str(uuid.uuid4()),
        "organizationId": "org-1", "employeeId": "emp-7", "contact": {"id": "4711", "firstname": "Ola"},
    },
    open("keys/private.pem").read(), algorithm="RS256", headers={"kid": "<kid>"},
)
print(token)
