"""The requests of every client (see clients.ts), with the library that is named: requests, httpx or urllib."""

import os
import sys

BASE = os.environ["PETSTORE_BASE_URL"]
KEY = {"Authorization": "Bearer " + os.environ["PETSTORE_API_KEY"]}
JSON = {"Content-Type": "application/json"}
LARGE = 2_600_000


def chunks():
    for _ in range(26):
        yield b" " * (LARGE // 26)


def with_requests():
    import requests

    def send(method, path, headers, body):
        answer = requests.request(method, BASE + path, headers=headers, data=body, timeout=30)
        return answer.status_code, answer.headers

    return requests.__version__, send


def with_httpx():
    import httpx

    def send(method, path, headers, body):
        answer = httpx.request(method, BASE + path, headers=headers, content=body, timeout=30)
        return answer.status_code, answer.headers

    return httpx.__version__, send


def with_urllib():
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    def send(method, path, headers, body):
        request = Request(BASE + path, method=method, headers=headers, data=body)
        try:
            answer = urlopen(request, timeout=30)
        except HTTPError as refusal:
            answer = refusal
        with answer:
            answer.read()
            return answer.status, answer.headers

    return sys.version.split()[0], send


version, send = {"requests": with_requests, "httpx": with_httpx, "urllib": with_urllib}[sys.argv[1]]()
print("version", version)


def show(what, method, path, headers, body=None, header=None):
    try:
        status, answered = send(method, path, headers, body)
        print(what, status, answered.get(header, "") if header else "")
        return answered
    except Exception as problem:
        print(what, repr(problem))
        return {}


animal = b'{"name":"Rex","categoryId":9007199254740993}'
once = {**KEY, **JSON, "Idempotency-Key": os.urandom(16).hex()}
created = show("create", "POST", "/pets", once, animal)
show("repeat", "POST", "/pets", once, animal, "Idempotent-Replayed")
show("list", "GET", "/pets?limit=1", KEY)
show("get", "GET", created.get("Location", "").removeprefix("/v1"), KEY)
show("refused", "GET", "/pets?limit=0", KEY)
for _ in range(12):
    show("chunked", "POST", "/pets", JSON, chunks())
    show("declared", "POST", "/pets", {**KEY, **JSON}, b" " * LARGE)
    show("after", "GET", "/pets", KEY)
