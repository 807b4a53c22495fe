"""Grouped horizontal bars as SVG."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT = 760, 150, 110
BAR, GAP, GROUP_GAP = 13, 3, 12
COLOURS = {"libc": "#8a8f98", "the old memcmp (model)": "#d9822b", "memdiff": "#2463b5"}
STYLE = """
  text { font: 12px system-ui, "Helvetica Neue", Arial, sans-serif; fill: #24292f }
  .title { font-size: 14px; font-weight: 600 }
  .note, .value { fill: #57606a; font-size: 11px }
  .axis { stroke: #d0d7de }
"""


@dataclass
class Panel:
    """Bars of `groups`, {group: {series: value}}; values are labelled by `form`."""

    title: str
    note: str
    groups: dict
    form: str

    def height(self):
        bars = sum(len(series) for series in self.groups.values())
        return 52 + bars * (BAR + GAP) + len(self.groups) * GROUP_GAP

    def draw(self, top):
        largest = max((value for series in self.groups.values() for value in series.values()),
                      default=0) or 1
        scale = (WIDTH - LEFT - RIGHT) / largest
        yield text(16, top + 16, self.title, "title")
        yield text(16, top + 33, self.note, "note")
        y = top + 46
        start = y
        for group, series in self.groups.items():
            height = len(series) * (BAR + GAP) - GAP
            yield text(LEFT - 10, y + height / 2 + 4, group, anchor="end")
            for name, value in series.items():
                length = max(value * scale, 0.5)
                yield (f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}" '
                       f'fill="{COLOURS[name]}"/>')
                yield text(LEFT + length + 6, y + BAR - 3, format(value, self.form), "value")
                y += BAR + GAP
            y += GROUP_GAP
        yield (f'<line x1="{LEFT}" x2="{LEFT}" y1="{start - 4}" y2="{y - GROUP_GAP + 2}" '
               'class="axis"/>')


def text(x, y, content, kind="", anchor="start"):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind} text-anchor="{anchor}">{escape(content)}</text>'


def legend(names, top):
    x = 16
    for name in names:
        yield f'<rect x="{x}" y="{top}" width="12" height="12" fill="{COLOURS[name]}"/>'
        yield text(x + 18, top + 10, name)
        x += 40 + 7 * len(name)


def svg(panels, description):
    used = {name for panel in panels for series in panel.groups.values() for name in series}
    parts = list(legend([name for name in COLOURS if name in used], 14))
    top = 44
    for panel in panels:
        parts += panel.draw(top)
        top += panel.height() + 14
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" '
            f'width="{WIDTH}" height="{top}" role="img" aria-label="{escape(description)}">\n'
            f"<style>{STYLE}</style>\n"
            f'<rect width="{WIDTH}" height="{top}" fill="#ffffff"/>\n{body}\n</svg>\n')
