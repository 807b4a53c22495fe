"""Seeded wiki articles: paragraphs, links, tables, lists, notes."""

from content import Text


class MediaWikiText:
    bold, italic, bullet = "'''", "''", "* "

    @staticmethod
    def name(title):
        return title

    @staticmethod
    def heading(level, text):
        return f"{'=' * level} {text} {'=' * level}\n"

    @staticmethod
    def link(title):
        return f"[[{title}]]"

    @staticmethod
    def note(text):
        return f"<ref>{text}</ref>"

    @staticmethod
    def table(head, rows):
        return ('{| class="wikitable sortable"\n! ' + " !! ".join(head) + "\n"
                + "".join("|-\n| " + " || ".join(row) + "\n" for row in rows) + "|}\n")

    @staticmethod
    def first(text):
        return (f"{{{{Infobox|name={text.phrase(2)}|kind={text.phrase(1)}"
                f"|year={text.between(1900, 2020)}|note={text.phrase(6)}}}}}\n")

    @staticmethod
    def special(text):
        return (f"{{{{#if:{text.phrase(1)}|{text.phrase(4)}|no}}}}"
                f" {{{{#switch:b|a=1|b={text.phrase(2)}|#default=x}}}}"
                f" {{{{#expr:{text.between(1, 99)}*3+1}}}}\n")

    @staticmethod
    def last(text):
        return ("== References ==\n<references/>\n"
                f"[[Category:{text.phrase(1)}]] [[Category:Bench]]\n")


class DokuWikiText:
    bold, italic, bullet = "**", "//", "  * "

    @staticmethod
    def name(title):
        return title.lower().replace(" ", "_")

    @staticmethod
    def heading(level, text):
        return f"{'=' * (7 - level)} {text} {'=' * (7 - level)}\n"

    @staticmethod
    def link(title):
        return f"[[{DokuWikiText.name(title)}|{title}]]"

    @staticmethod
    def note(text):
        return f"(({text}))"

    @staticmethod
    def table(head, rows):
        return ("^ " + " ^ ".join(head) + " ^\n"
                + "".join("| " + " | ".join(row) + " |\n" for row in rows))

    @staticmethod
    def first(text):
        return DokuWikiText.heading(1, text.phrase(3))

    @staticmethod
    def special(text):
        return (f"<code c>\nstatic int {text.phrase(1).lower()}(int a) {{ return a + 1; }}\n"
                "for (i = 0; i < 10; i++) { if (a[i]) break; }\n</code>\n")

    @staticmethod
    def last(text):
        return ""


TEMPLATE = """<table class="infobox"><tr><th colspan=2>{{{name|?}}}</th></tr>\
<tr><td>Kind</td><td>{{{kind|}}}</td></tr>{{#if:{{{year|}}}|<tr><td>Year</td><td>{{{year}}}</td>\
</tr>}}<tr><td>Note</td><td>{{lc:{{{note|}}}}} {{uc:{{{name}}}}}</td></tr></table>"""


def articles(markup, count=30):
    """{name: text}: short, middling and long articles in turn."""
    text = Text(11)
    titles = list(dict.fromkeys(text.phrase(1 + n % 3).title() for n in range(2 * count)))[:count]
    return {markup.name(title): article(markup, text, titles, (4, 8, 14)[number % 3])
            for number, title in enumerate(titles)}


def article(markup, text, titles, sections):
    def link():
        return markup.link(text.random.choice(titles))

    def sentence():
        made = text.phrase(text.between(6, 18))
        if text.chance(0.4):
            made += " " + link()
        for mark in (markup.bold, markup.italic):
            if text.chance(0.25):
                made += f" {mark}{text.phrase(2)}{mark}"
        if text.chance(0.2):
            made += markup.note(text.phrase(5))
        return made + "."

    def paragraph():
        return " ".join(sentence() for _ in range(text.between(3, 8))) + "\n\n"

    def cell():
        return text.random.choice((text.phrase(1), text.phrase(3), link(),
                                   str(text.between(1, 99999))))

    parts = [markup.first(text)]
    for number in range(sections):
        parts += [markup.heading(3 if number % 3 else 2, text.phrase(3)), paragraph(), paragraph()]
        if number % 3 == 1:
            rows = [[cell() for _ in range(5)] for _ in range(text.between(5, 18))]
            parts += [markup.table([text.phrase(2) for _ in range(5)], rows), "\n"]
        if number % 3 == 2:
            parts += [f"{markup.bullet}{text.phrase(5)} {link()}\n" for _ in range(7)] + ["\n"]
        if number % 4 == 0:
            parts += [markup.special(text), "\n"]
    return "".join(parts) + markup.last(text)
