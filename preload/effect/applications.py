"""WordPress, MediaWiki and DokuWiki from Debian's packages, filled with seeded content.

Each is copied to a folder of its own and configured there; the machine's copy is left as it is.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.parse
from pathlib import Path

import wiki_text
from content import Text
from debian import command, install
from helpers import environment
from server import Page

HERE = Path(__file__).resolve().parent
# MediaWiki and WordPress want a web server. This is the smallest, and it is never started.
PHP = ("php-cli", "php-cgi", "php", "webfs", "php-gd", "php-intl", "php-mbstring", "php-mysql",
       "php-sqlite3", "php-xml")
SHARE = Path("/usr/share")


class Application:
    """An application installed under `folder`, its document root in `root`."""

    name = ""
    packages = ()

    def __init__(self, folder):
        self.folder = folder / self.name.lower()
        self.root = self.folder / "root"
        self.host = f"{self.name.lower()}.test"
        self.pages = []

    def variables(self):
        """The environment that its PHP needs."""
        return {}

    @contextlib.contextmanager
    def ready(self):
        """Installed, filled, and with the services that it needs, until the end of the block."""
        install(*PHP, *self.packages)
        done = self.folder / "done"
        if not done.exists():
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            copy(SHARE / self.name.lower(), self.root)
        with self.services():
            if not done.exists():
                self.fill()
                done.touch()
            self.pages = self.choose_pages()
            yield self

    def services(self):
        return contextlib.nullcontext()

    def fill(self):
        raise NotImplementedError

    def choose_pages(self):
        raise NotImplementedError

    def php(self, *argv):
        return command("php", "-d", "memory_limit=1G", *map(str, argv), cwd=self.root,
                       env=environment(**self.variables()))


def copy(source, target):
    """Debian's packages link to /etc and /var: take what the links lead to."""
    shutil.copytree(source, target, ignore_dangling_symlinks=True, dirs_exist_ok=True)


class WordPress(Application):
    name = "WordPress"
    packages = ("wordpress", "wordpress-theme-twentytwentyone", "mariadb-server-core",
                "mariadb-client")

    def __init__(self, folder):
        super().__init__(folder)
        self.socket = None

    def variables(self):
        return {"MEMDIFF_EFFECT_SOCKET": str(self.socket)}

    @contextlib.contextmanager
    def services(self):
        """A MariaDB of our own, on a socket only. The socket's path must be short."""
        data = self.folder / "mariadb"
        user = f"--user={os.environ.get('USER', 'root')}"
        if not data.exists():
            command("mariadb-install-db", "--no-defaults", user, f"--datadir={data}",
                    "--skip-test-db", "--auth-root-authentication-method=normal")
        with tempfile.TemporaryDirectory(prefix="memdiff-") as short:
            self.socket = Path(short) / "socket"
            with open(self.folder / "mariadb.log", "wb") as log:
                database = subprocess.Popen(
                    ["mariadbd", "--no-defaults", user, f"--datadir={data}",
                     f"--socket={self.socket}", f"--pid-file={short}/pid", "--skip-networking",
                     "--innodb-flush-log-at-trx-commit=0", "--performance-schema=0"],
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            try:
                self.wait_for(database)
                yield
            finally:
                database.terminate()
                database.wait()

    def wait_for(self, database):
        deadline = time.monotonic() + 60
        while not self.socket.exists():
            if database.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"MariaDB did not start; see {self.folder}/mariadb.log")
            time.sleep(0.1)

    def fill(self):
        command("mariadb", "--no-defaults", "-uroot", f"--socket={self.socket}",
                "-e", "CREATE DATABASE IF NOT EXISTS wordpress")
        shutil.copy(HERE / "applications/wordpress-config.php", self.root / "wp-config.php")
        plugins = self.root / "wp-content/mu-plugins"
        plugins.mkdir()
        shutil.copy(HERE / "applications/wordpress-steady.php", plugins)
        posts = self.folder / "posts.json"
        posts.write_text(json.dumps([self.post(Text(100 + number), number)
                                     for number in range(15)]))
        self.php(HERE / "applications/wordpress-fill.php", self.root, posts,
                 self.folder / "filled.json")

    @staticmethod
    def post(text, number):
        """Block markup as WordPress's editor makes it; the last three are pages."""
        def paragraph():
            return " ".join(text.phrase(text.between(6, 18)) + "."
                            for _ in range(text.between(3, 8)))

        def block(kind, html):
            return f"<!-- wp:{kind} -->\n{html}\n<!-- /wp:{kind} -->\n"

        def cells(tag, count):
            return "".join(f"<{tag}>{text.phrase(count)}</{tag}>" for _ in range(4))

        parts = []
        for index in range(text.between(5, 14)):
            link = f'<a href="/?p={number + 4}">{text.phrase(2)}</a>'
            parts.append(block("paragraph",
                               f"<p>{paragraph()} <em>{text.phrase(3)}</em> {link}</p>"))
            if index % 4 == 1:
                parts.append(block("heading", f"<h2>{text.phrase(4)}</h2>"))
            if index % 5 == 2:
                rows = "".join(f"<tr>{cells('td', 3)}</tr>" for _ in range(text.between(5, 20)))
                parts.append(block("table", '<figure class="wp-block-table"><table><thead><tr>'
                                            f"{cells('th', 2)}</tr></thead><tbody>{rows}</tbody>"
                                            "</table></figure>"))
            if index % 5 == 3:
                items = "".join(f"<li>{text.phrase(5)}</li>" for _ in range(6))
                parts.append(block("list", f"<ul>{items}</ul>"))
        return {"title": text.phrase(5), "content": "".join(parts),
                "type": "post" if number < 12 else "page",
                "date": f"2026-01-{number + 1:02} 10:00:00", "category": number % 4,
                "tags": [f"tag{number % 5}", f"x{number % 3}"],
                "comments": [paragraph() for _ in range(text.between(0, 5))]}

    def choose_pages(self):
        filled = json.loads((self.folder / "filled.json").read_text())
        post, cookie, words = filled["posts"], filled["cookie"], Text(0).words
        return [
            Page("front", "/"), Page("front 2", "/?paged=2"),
            Page("post", f"/?p={post[0]}"), Page("other post", f"/?p={post[5]}"),
            Page("page", f"/?page_id={post[12]}"), Page("no such post", "/?p=99999"),
            Page("category", f"/?cat={filled['category']}"), Page("tag", "/?tag=x1"),
            Page("search", f"/?s={words[100]}"), Page("search two", f"/?s={words[55]}+{words[7]}"),
            Page("month", "/?m=202601"), Page("feed", "/?feed=rss2"),
            Page("rest", "/?rest_route=/wp/v2/posts"), Page("login", "/wp-login.php"),
            Page("posts", "/wp-admin/edit.php", cookie),
            Page("editor", f"/wp-admin/post.php?post={post[2]}&action=edit", cookie),
        ]


class MediaWiki(Application):
    name = "MediaWiki"
    packages = ("mediawiki",)

    def variables(self):
        return {"MW_INSTALL_PATH": str(self.root)}

    def fill(self):
        data = self.folder / "data"
        data.mkdir()
        maintenance = self.root / "maintenance"
        (self.root / "LocalSettings.php").unlink(missing_ok=True)
        self.php(maintenance / "install.php", "--dbtype=sqlite", f"--dbpath={data}",
                 "--dbname=wiki", f"--server=http://{self.host}", "--scriptpath=",
                 "--pass=effect-passphrase", "Effect", "Admin")
        with open(self.root / "LocalSettings.php", "a") as settings:
            settings.write((HERE / "applications/mediawiki-settings.php").read_text())
        texts = {"Template:Infobox": wiki_text.TEMPLATE} | self.articles()
        # Two revisions of every article, a day apart, so that there is a history.
        for day, change in enumerate(("", "A second revision.\n")):
            folder = self.folder / f"revision-{day}"
            folder.mkdir()
            for name, text in texts.items():
                (folder / name).write_text(text + (change if ":" not in name else ""))
                os.utime(folder / name, (1767261600 + 86400 * day,) * 2)
            self.php(maintenance / "importTextFiles.php", "--user=Admin", "--rc", "--overwrite",
                     "--use-timestamp", *sorted(folder.iterdir()))
        self.php(maintenance / "runJobs.php")
        self.php(maintenance / "rebuildtextindex.php")

    @staticmethod
    def articles():
        return wiki_text.articles(wiki_text.MediaWikiText)

    def choose_pages(self):
        articles = self.articles()
        first, second, third = (
            "/index.php?title=" + urllib.parse.quote(title.replace(" ", "_"))
            for title in list(articles)[:3])
        text = list(articles.values())[5]
        special = "/index.php?title=Special:"
        return [
            Page("main", "/index.php?title=Main_Page"),
            Page("short article", first), Page("article", second), Page("long article", third),
            Page("history", third + "&action=history"), Page("edit", third + "&action=edit"),
            Page("diff", third + "&diff=prev&oldid=cur"), Page("raw", third + "&action=raw"),
            Page("search", f"{special}Search&search={Text(0).words[100]}&fulltext=1"),
            Page("recent changes", f"{special}RecentChanges&days=3000"),
            Page("all pages", f"{special}AllPages"),
            Page("category", "/index.php?title=Category:Bench"),
            Page("feed", third + "&action=history&feed=atom"),
            Page("styles", "/load.php?lang=en&modules=site.styles%7Cskins.vector.styles.legacy"
                           "&only=styles&skin=vector"),
            Page("parse", "/api.php", form=(
                ("action", "parse"), ("text", text), ("contentmodel", "wikitext"),
                ("format", "json"), ("formatversion", "2"))),
        ]


class DokuWiki(Application):
    name = "DokuWiki"
    packages = ("dokuwiki",)

    def fill(self):
        copy(Path("/etc/dokuwiki"), self.root / "conf")
        copy(Path("/var/lib/dokuwiki/data"), self.folder / "data")
        # Debian's file points to /etc and /var; without it DokuWiki looks in its own folder.
        (self.root / "inc/preload.php").unlink()
        (self.root / "conf/local.php").write_text(
            (HERE / "applications/dokuwiki-settings.php").read_text()
            + f"$conf['savedir'] = '{self.folder}/data';\n")
        for change in ("", "A second revision.\n"):
            for name, text in self.articles().items():
                page = self.folder / "page.txt"
                page.write_text(text + change)
                self.php("bin/dwpage.php", "commit", "-m", "change", page, name)
        self.php("bin/indexer.php", "-q")

    @staticmethod
    def articles():
        return wiki_text.articles(wiki_text.DokuWikiText)

    def choose_pages(self):
        words = Text(0).words
        first, second, third, fourth, _, sixth = (
            f"/doku.php?id={name}" for name in list(self.articles())[:6])
        return [
            Page("short page", first), Page("page", second), Page("long page", third),
            Page("syntax", "/doku.php?id=wiki:syntax"),
            Page("render", third + "&purge=true"),
            Page("render syntax", "/doku.php?id=wiki:syntax&purge=true"),
            Page("edit", third + "&do=edit"), Page("revisions", third + "&do=revisions"),
            Page("backlinks", fourth + "&do=backlink"), Page("export", sixth + "&do=export_xhtml"),
            Page("search", f"/doku.php?do=search&q={words[100]}+{words[7]}"),
            Page("index", "/doku.php?do=index"), Page("recent", "/doku.php?do=recent"),
            Page("feed", "/feed.php"), Page("styles", "/lib/exe/css.php?t=dokuwiki&tseed=1"),
            Page("missing", "/doku.php?id=nosuchpage"),
        ]


APPLICATIONS = (WordPress, MediaWiki, DokuWiki)
