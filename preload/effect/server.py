"""One warmed `php -S` process that serves an application on the loopback interface."""

import contextlib
import http.client
import os
import socket
import subprocess
import time
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from helpers import environment

SETTINGS = {
    "opcache.enable": 1, "opcache.validate_timestamps": 0, "opcache.memory_consumption": 256,
    "opcache.interned_strings_buffer": 32, "opcache.max_accelerated_files": 20000,
    "display_errors": 0, "log_errors": 0, "max_execution_time": 0, "memory_limit": "1G",
    "date.timezone": "UTC", "session.gc_probability": 0,
}


@dataclass(frozen=True)
class Page:
    """A request: with a form it is a POST."""

    name: str
    path: str
    cookie: str = ""
    form: tuple = ()  # pairs

    def send(self, connection, host):
        headers = {"Host": host, "Connection": "close", "User-Agent": "memdiff-effect"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        if not self.form:
            connection.request("GET", self.path, headers=headers)
            return
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("POST", self.path, urllib.parse.urlencode(self.form), headers)


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    body: bytes


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Use it in a `with` statement: the process ends with it."""

    def __init__(self, application, php, log, preload=(), tool=(), variables=None):
        self.application, self.port = application, free_port()
        sessions = Path(log).parent / "sessions"
        sessions.mkdir(exist_ok=True)
        settings = SETTINGS | {"session.save_path": sessions}
        options = [word for name, value in settings.items() for word in ("-d", f"{name}={value}")]
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                [*tool, php, *options, "-S", f"127.0.0.1:{self.port}", "-t", application.root],
                env=environment(preload, **application.variables(), **(variables or {})),
                cwd=application.root, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def __enter__(self):
        deadline = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise SystemExit(f"the server did not start: {self.process.args}")
            time.sleep(0.05)

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def get(self, page):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=900)
        with contextlib.closing(connection):
            page.send(connection, self.application.host)
            response = connection.getresponse()
            return Answer(response.status, response.getheader("Location", ""), response.read())

    def render(self, passes=1):
        """Every page once, or several times; the answers of the last pass."""
        for _ in range(passes):
            answers = {page.name: self.get(page) for page in self.application.pages}
        self.settle()
        return answers

    def settle(self):
        """Wait until the server sleeps, so that all the time it used is on its account."""
        while self.stat()[0] != "S":
            time.sleep(0.0005)

    def stat(self):
        """The fields of /proc/PID/stat from the state on."""
        return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()

    def user_time(self):
        """Seconds in user mode so far, in ticks of the kernel's."""
        return int(self.stat()[11]) / os.sysconf("SC_CLK_TCK")
