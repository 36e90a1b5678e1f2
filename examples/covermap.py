"""A client of the covermap API in Python: one file, no packages. Copy it.

    covermap = Covermap("https://covermap.example", key=os.environ["COVERMAP_KEY"])
    results = covermap.get("/api/2.0/availability/-36.9026834/174.8075834")["results"]

Any number of threads may use one client. It keeps to the rate of its key, which the answers tell it (RateLimit), and a request that a limit
refuses waits as long as the service asks, with jitter, and is sent again. An error of the API is a CovermapError, or a class of it; a service that
cannot be reached is Unreachable.
"""

from __future__ import annotations

import collections
import http.client
import json
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any


class CovermapError(Exception):
    """An error of the API. `code` is a word where the API has one, else the status."""

    def __init__(self, status: int, body: Any = None, retry_after: float | None = None):
        body = body if isinstance(body, dict) else {}
        super().__init__(body.get("message") or body.get("error") or f"Unexpected server response ({status}).")
        self.status = status
        self.code: str | int = body.get("code", status)
        self.hint: str | None = body.get("hint")
        self.docs: str | None = body.get("docs")
        self.retry_after = retry_after
        """The seconds to wait, where the answer says so."""


class BadRequest(CovermapError):
    """400: something in the request has to be corrected."""


class NotAllowed(CovermapError):
    """401, 403: the key or the token is missing or wrong, or its free queries are used up."""


class NotFound(CovermapError):
    """404, 410: there is no such thing, or no more."""


class RateLimited(CovermapError):
    """429: a limit refused it for longer than the client waits; `retry_after` says when to try again."""


class ServiceFault(CovermapError):
    """500 and above, also after retries."""


class TooManyWaiting(CovermapError):
    """Too many requests wait in this client: ask for many positions in one, /api/2.0/availability/bulk."""


class Unreachable(Exception):
    """The service could not be reached, or said nothing for too long."""


class Closed(Exception):
    """The client was closed while the request waited."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API redirects nobody, and another host must not get the key."""

    def redirect_request(self, *_args: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _error(status: int, body: Any, retry_after: float | None) -> CovermapError:
    kinds = {400: BadRequest, 401: NotAllowed, 403: NotAllowed, 404: NotFound, 410: NotFound, 429: RateLimited}
    kind = kinds.get(status, ServiceFault if status >= 500 else CovermapError)
    return kind(status, body, retry_after)


class Covermap:
    def __init__(self, url: str, key: str | None = None, token: str | None = None, *, retries: int = 3,
                 max_wait: float = 120, max_waiting: int = 1000, timeout: float = 30):
        """key: a customer's; token: an operator's, of staff or of a customer.

        retries: of a request that met a passing fault, or a limit other than its key's rate.
        max_wait: the seconds for which a request is sent again: a longer wait that the service asks for is an error at once.
        max_waiting: the requests that may wait for the rate of the key.
        timeout: the seconds for which the service may say nothing.
        """
        self._url = url.rstrip("/")
        self._headers = {"Accept": "application/json"}
        if key:
            self._headers["x-api-key"] = key
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._retries, self._max_wait, self._timeout = retries, max_wait, timeout
        self._paces = {name: _Pace(max_waiting, name) for name in ("key", "addresses")} if key else {}
        self._closed = threading.Event()

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of an answer. A parameter that is None is left out.

        The answer to an address's text that is not sure (300) has "candidates" and no "results".
        """
        return self.request("GET", path, query=query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        return self.request("POST", path, body, query)

    def put(self, path: str, body: Any = None, **query: Any) -> Any:
        return self.request("PUT", path, body, query)

    def delete(self, path: str, **query: Any) -> Any:
        return self.request("DELETE", path, query=query)

    def close(self) -> None:
        """Ends the requests that wait, in whatever thread, with Closed. Those on their way are answered."""
        self._closed.set()
        for pace in self._paces.values():
            pace.close()

    def request(self, method: str, path: str, body: Any = None, query: dict[str, Any] | None = None) -> Any:
        """Sends a request in its turn, and again where that helps: one that changes data only if it certainly was not done."""
        asked = urllib.parse.urlencode({name: value for name, value in (query or {}).items() if value is not None}, doseq=True)
        headers = dict(self._headers)
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        address = self._url + path + ("?" + asked if asked else "")
        # Searches for addresses have a rate of their own.
        pace = self._paces.get("addresses" if path.startswith("/api/2.0/addresses") else "key")
        first_failure = None
        faults = 0
        while True:
            if self._closed.is_set():
                raise Closed
            turn = pace.begin(is_again=first_failure is not None) if pace else 0
            status, fields, content = 0, None, b""
            out_of_tokens = False
            try:
                status, fields, content = self._send(urllib.request.Request(address, data, headers, method=method))
            finally:
                if pace:
                    out_of_tokens = pace.end(turn, status, fields)
            if status <= 300:
                return _parsed(fields, content)
            wait = _retry_after(fields)
            error = _error(status, _parsed(fields, content), wait)
            refused = status == 429
            if not refused and not (method == "GET" and status in (500, 502, 503, 504)):
                raise error
            first_failure = first_failure or time.monotonic()
            if time.monotonic() - first_failure + (wait or 0) > self._max_wait:
                raise error
            if out_of_tokens:
                continue
            if faults == self._retries:
                raise error
            if self._closed.wait(_jittered(wait or 0.25 * 2 ** faults, 1)):
                raise Closed
            faults += 1

    def _send(self, request: urllib.request.Request) -> tuple[int, Any, bytes]:
        try:
            with _opener.open(request, timeout=self._timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(str(error)) from error


# Requests at once: before the first answer nobody knows what the bucket holds.
_AT_ONCE_UNKNOWN, _AT_ONCE = 4, 20
# A bucket that goes on refusing is shared with others: waits are doubled this often.
_MAX_DOUBLINGS = 5


class _Pace:
    """The turns of a key's requests, first come first served.

    A key has a bucket of tokens that all its requests share. What it holds is known from the fields RateLimit and RateLimit-Policy of each
    answer.
    """

    def __init__(self, max_waiting: int, name: str):
        self._max_waiting = max_waiting
        self._name = name
        self._changed = threading.Condition()
        self._waiting: collections.deque[object] = collections.deque()
        self._begun = 0
        self._ended = 0
        self._answered = False
        self._closed = False
        # The bucket as its latest answer described it; tokens are below zero during a wait that a refusal asked for.
        self._burst = 0
        self._per_second = 0.0
        self._known = 0.0
        self._known_at = 0.0
        self._refusals = 0

    def begin(self, is_again: bool) -> int:
        """Waits for the turn of a request; end() ends it. One whose turn it was before goes ahead of the others.

        Returns how many had ended then.
        """
        turn = object()
        with self._changed:
            if not is_again and len(self._waiting) >= self._max_waiting:
                raise TooManyWaiting(429, {"message": "Too many requests wait for the rate of this key already.",
                                           "code": "too_many_waiting",
                                           "hint": "Ask for many positions in one request: /api/2.0/availability/bulk."})
            if is_again:
                self._waiting.appendleft(turn)
            else:
                self._waiting.append(turn)
            try:
                while (wait := self._seconds_to(turn)) != 0:
                    self._changed.wait(wait)
                self._known, self._known_at = self._tokens() - 1, time.monotonic()
                self._begun += 1
                return self._ended
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()

    def end(self, ended_before: int, status: int, headers: Any) -> bool:
        """headers: None where the request failed. Returns whether the bucket refused it: the next turn then waits as it asked."""
        with self._changed:
            beside = self._begun - ended_before - 1
            self._ended += 1
            refused = headers is not None and self._learn(status, headers, beside)
            self._changed.notify_all()
            return refused

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _seconds_to(self, turn: object) -> float | None:
        """The wait for a turn; None until something changes."""
        if self._closed:
            raise Closed
        if self._waiting[0] is not turn or self._begun - self._ended >= (_AT_ONCE if self._answered else _AT_ONCE_UNKNOWN):
            return None
        missing = 1 - self._tokens()
        if self._burst == 0 or missing <= 0:
            return 0
        return (missing + random.random() / 2) / self._per_second

    def _tokens(self) -> float:
        return min(self._burst, self._known + (time.monotonic() - self._known_at) * self._per_second)

    def _learn(self, status: int, headers: Any, beside: int) -> bool:
        """beside: the requests that were on their way together with this one."""
        self._answered = True
        left = re.search(rf'"{self._name}";r=(\d+)', headers.get("RateLimit", ""))
        policy = re.search(rf'"{self._name}";q=(\d+);w=(\d+)', headers.get("RateLimit-Policy", ""))
        if not left or not policy:
            return False
        # Those beside it may have taken theirs after this one. The field has whole tokens, so there may be a part of one more.
        low = int(left[1]) - beside
        high = int(left[1]) + 1
        known = self._tokens() if self._burst else low
        self._burst, self._per_second = int(policy[1]), int(policy[1]) / int(policy[2])
        tokens = min(max(known, low), high)
        # Others refuse, too: too many jobs, for example.
        refused = status == 429 and left[1] == "0"
        if refused:
            if known >= 0:
                self._refusals = min(self._refusals + 1, _MAX_DOUBLINGS)
            # The wait of a refusal that came before, of the same moment, stands.
            wait = _retry_after(headers)
            wait = 1 / self._per_second if wait is None else wait
            tokens = min(known, 1 - _jittered(wait, self._refusals) * self._per_second)
        else:
            self._refusals = 0
        self._known, self._known_at = tokens, time.monotonic()
        return refused


def _jittered(seconds: float, doublings: int) -> float:
    """A wait of at least so long: those who were refused together do not come back together."""
    return seconds * (1 + random.random() * (2 ** doublings - 1))


def _retry_after(headers: Any) -> float | None:
    """Seconds, or a date as proxies write it."""
    text = headers.get("Retry-After")
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except ValueError:
        return None


def _parsed(headers: Any, content: bytes) -> Any:
    """JSON, a list of the values of NDJSON, or text: of a table, or from a proxy."""
    text = content.decode("utf-8", "replace")
    try:
        if headers.get_content_subtype() == "x-ndjson":
            return [json.loads(line) for line in text.splitlines() if line]
        return json.loads(text) if text else None
    except ValueError:
        return text
