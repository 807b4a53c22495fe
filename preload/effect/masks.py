"""What differs between two renderings of a page by nature: clocks, nonces, timings."""

import re

MASKS = [(re.compile(pattern), b"<" + name.encode() + b">") for name, pattern in (
    # Clocks.
    ("ago", rb"\d+ (?:second|minute|hour|day|week|month|year|min)s? ago"),
    ("iso date", rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:?\d\d)"),
    ("mail date", rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d"
                  rb" (?:GMT|[+-]\d{4})"),
    ("date", rb"\d{4}/\d\d/\d\d \d\d:\d\d"),
    ("epoch", rb"\b1[789]\d{8}\b"),
    # WordPress: nonces, the lock of an edited post, a random gravatar server.
    ("nonce", rb'name="[\w-]*nonce[\w-]*" value="[0-9a-f]+"'),
    ("nonce", rb'"?\w*[nN]once"?\s*[:=]\s*"[0-9a-f]+"'),
    ("nonce", rb"_wpnonce=[0-9a-f]+"),
    ("nonce", rb'createNonceMiddleware\( ?"[0-9a-f]+" ?\)'),
    ("lock", rb'"activePostLock":"[^"]*"|"lock":"[^"]*"'),
    ("gravatar", rb"\d\.gravatar\.com"),
    # MediaWiki: request numbers, response times, the parser's reports.
    ("request", rb'"wgRequestId":\s*"[^"]*"'),
    ("response time", rb'"wgBackendResponseTime":\s*\d+'),
    ("parser report", rb"(?s)<!--\s*(?:\\n|\s)*NewPP limit report.*?-->"),
    ("parser report", rb"(?s)<!--\s*(?:\\n|\s)*Transclusion expansion time report.*?-->"),
    ("parser report", rb'(?s)"wgPageParseReport":\{.*?\}\}\}?'),
    ("parser cache", rb"Saved in parser cache with key [^\n]*"),
    ("changes since", rb"(?:from|since)=\d{14}|fromFormatted=[^&\"]*|data-params=\"[^\"]*\""),
    ("changes since", rb"starting from \d\d:\d\d, \d{1,2} \w+ \d{4}"),
    ("edit time", rb'value="[^"]*" name="wp(?:Starttime|Edittime|EditToken)"'),
    ("edit time", rb'name="wp(?:Starttime|Edittime|EditToken)" value="[^"]*"'),
    # DokuWiki: security tokens of new sessions, edit times, how long a lock lasts.
    ("lock", rb"\(\d+ min\)"),
    ("token", rb"sectok=[0-9a-f]*"),
    ("token", rb'name="(?:sectok|changecheck|date)" value="[^"]*"'),
)]


def mask(body):
    for pattern, name in MASKS:
        body = pattern.sub(name, body)
    return body


def different(some, others):
    """Names of the pages whose status, redirection or masked body differ."""
    return sorted(name for name, answer in some.items()
                  if (answer.status, answer.location) != (others[name].status,
                                                          others[name].location)
                  or mask(answer.body) != mask(others[name].body))
