"""Strings of strangers, as cases of their own.

Schemathesis draws what a schema describes, and what differs a little from that. These are
what no schema describes: long, invisible, without meaning, of another type. Each place of an
operation, with a good request around it, has a few of them; SEED chooses which. No schema
says what comes of them: it is an answer of the document, and not a fault. infra/strangers
tries all of such strings, and without the network between.
"""

import copy
import json
import os
import random
from pathlib import Path

SEED = os.environ.get("SEED", "0")
MARK = "X-Hostile"  # the header by which such a case is known

DOCUMENT = json.loads((Path(os.environ["CONTRACT_FOLDER"]) / "openapi.json").read_text())

TEXTS = [
    "", " ", "\x00", "\x01\x1f\x7f", "\x1b[31m", "\r\nX-Header: 1", "\u202eabc\u2066", "\u200b", "\ufeff", "\ufdd0\uffff",
    "\U000e0001", "e" + "\u0301" * 300, "\U0001f468\u200d\U0001f469", "${jndi:ldap://x}", "{{7*7}}", "../../etc/passwd", "%00%ff", "' OR 1=1 --",
    "<script>", "NaN", "1e9", "18446744073709551616", "00000000-0000-0000-0000-000000000000", "urn:uuid:00000000-0000-0000-0000-000000000000",
    "1" * 44, "z" * 44, "ipfs://" + "b" * 300,
]
LONG = [letter * count for letter in ("1", "é", "\u202e") for count in (256, 1025, 2049, 3000, 16 << 10, 30 << 10)] + ["a" * (64 << 10)]
OTHERS = [
    None, True, [], {}, [["a"]], {"a": {"b": []}}, -1, 1.5, 10**400, -(10**400), 2**64, 2**53 + 1, 1e-320,
    "\ud800", "\udc00\ud800", "a\udbff",
]


def resolved(value):
    """Follows references within the document."""
    while isinstance(value, dict) and "$ref" in value:
        found = DOCUMENT
        for part in value["$ref"].lstrip("#/").split("/"):
            found = found[part]
        value = found
    return value


def fields(schema, above=()):
    """The paths of the fields of a body."""
    schema = resolved(schema)
    for part in ("allOf", "oneOf", "anyOf"):
        for one in schema.get(part, []):
            yield from fields(one, above)
    for name, below in schema.get("properties", {}).items():
        yield (*above, name)
        yield from fields(below, (*above, name))


def put(body, path, value):
    body = copy.deepcopy(body)
    at = body
    for name in path[:-1]:
        if not isinstance(at.get(name), dict):
            at[name] = {}
        at = at[name]
    at[path[-1]] = value
    return body


def cases(operation, known):
    """The cases of an operation. known are values of parameters that there is something for."""
    described = DOCUMENT["paths"][operation.path]
    raw = described[operation.method.lower()]
    draw = random.Random(f"{SEED} {operation.method} {operation.path}")
    parameters = [resolved(one) for one in described.get("parameters", []) + raw.get("parameters", [])]
    path = {p["name"]: known.get(p["name"], "x") for p in parameters if p["in"] == "path"}
    content = resolved(raw.get("requestBody", {})).get("content", {})
    media = content.get("application/json")
    good = {"headers": {MARK: "1"}, "path_parameters": path}
    if media is not None:
        example = {name: known.get(name, value) for name, value in media.get("example", {}).items()}
        good |= {"body": example, "media_type": "application/json"}
    for p in parameters:
        for value in draw.sample(TEXTS, 2) + draw.sample(LONG, 1):
            case = copy.deepcopy(good)
            if p["in"] == "header":
                # What no client can send is left out.
                case["headers"][p["name"]] = value.encode("latin-1", "replace").decode("latin-1").translate(dict.fromkeys([*range(32), 127]))[: 6 << 10].strip()
            elif p["in"] == "path":
                # With a slash, or empty, it would be the path of another route.
                case["path_parameters"][p["name"]] = value[: 2 << 10].replace("/", "|") or " "
            else:
                case["query"] = {p["name"]: value[: 2 << 10]}
            yield operation.Case(**case)
    if media is None:
        return
    for place in fields(media["schema"]):
        for value in draw.sample(TEXTS, 2) + draw.sample(LONG, 1) + draw.sample(OTHERS, 1):
            yield operation.Case(**(copy.deepcopy(good) | {"body": put(good["body"], place, value)}))
