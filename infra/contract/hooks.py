"""What a schema cannot say, for generated requests.

A pattern can ask for an address, but not for one of exactly 32 bytes; nor can a
schema say which images, wallets and transactions exist, or what two fields may
come to together. Where a generated value has the documented form, it is replaced
by one that is true as well, from the launch that the runner made; so a request
that the document allows has to be accepted. What breaks the document is left as it
is, and has to be refused for that reason and no other.

The statuses that each operation answered go to calls.json when the run ends.
"""

import ast
import atexit
import collections
import datetime
import hashlib
import json
import os
import re
import threading
import uuid
from pathlib import Path
from urllib.parse import quote

import hostile
import schemathesis
from hypothesis import strategies

# Python 3.11 counts how deep the syntax trees of all its threads are together, and
# fails when two parse at once (its issue 106905). Hypothesis parses lambdas.
one_parser, parse = threading.RLock(), ast.parse


def parse_alone(*args, **kwargs):
    with one_parser:
        return parse(*args, **kwargs)


ast.parse = parse_alone

FOLDER = Path(os.environ["CONTRACT_FOLDER"])
KNOWN = json.loads((FOLDER / "known.json").read_text())
PICTURE = (FOLDER / "picture.png").read_bytes()
SIGN_INS = KNOWN["signIns"]  # each works once
USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
ADDRESS = re.compile(f"[{ALPHABET}]{{32,44}}")
SIGNATURE = re.compile(f"[{ALPHABET}]{{64,88}}")
SIGNATURE_IN_BASE64 = re.compile("[A-Za-z0-9+/]{86}(==)?|[A-Za-z0-9_-]{86}(==)?")
AMOUNT = re.compile("0|[1-9][0-9]{0,19}")
TARGET = re.compile(r"[1-9][0-9]{0,7}(\.[0-9]{1,9})?")
UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
CURSOR = re.compile("[A-Za-z0-9_-]+")
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z")
START = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z")
KEY = re.compile("[!-~]{1,255}")
IPFS = re.compile("ipfs://b[a-z2-7]{58}")
LARGEST = 2**64 - 1

for media_type in ("image/png", "image/jpeg"):  # the service looks at the content only
    schemathesis.openapi.media_type(media_type, strategies.just(PICTURE))


def base58(raw):
    """Writes bytes that do not begin with a zero."""
    number, text = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return text


def length(text):
    """How many bytes a base58 text stands for."""
    number = 0
    for letter in text:
        number = number * 58 + ALPHABET.index(letter)
    return len(text) - len(text.lstrip("1")) + (number.bit_length() + 7) // 8


def bytes_of(text, count):
    """As many bytes, the same for the same text, the first not zero."""
    return b"\x01" + hashlib.shake_128(text.encode()).digest(count - 1)


def address(text):
    # The address of 32 zeros is the System Program's, which is no wallet.
    if ADDRESS.fullmatch(text) and (length(text) != 32 or not text.strip("1")):
        return base58(bytes_of(text, 32))
    return text


def signature(text):
    if SIGNATURE.fullmatch(text) and not SIGNATURE_IN_BASE64.fullmatch(text) and length(text) != 64:
        return base58(bytes_of(text, 64))
    return text


def amount(text):
    return str(min(int(text), LARGEST)) if AMOUNT.fullmatch(text) else text


def tokens(text):
    """So much as there is of the token and of its curve, ten million to twenty."""
    return str(10**13 + int(text) % 10**13) if AMOUNT.fullmatch(text) and text != "0" else text


def few(text):
    """Less than the curve has, and not so little that nothing would be paid for it."""
    return str(10**9 + int(text) % 10**9) if AMOUNT.fullmatch(text) and text != "0" else text


def reward(text):
    return USDC if ADDRESS.fullmatch(text) else text


def known(name, form):
    return lambda text: KNOWN[name] if form.fullmatch(text) else text


def link(text):
    """An address of the web with this text in it; a text that is too long stays."""
    if text == "" or len(text) > 512:
        return text
    return "https://crane.example/" + quote(text, safe="")[:480].rstrip("%")


def receiver(text):
    """An address of a server with this text in it; a text that is too long stays."""
    if text == "" or len(text) > 2048:
        return text
    return "https://hooks.crane.example/" + quote(text, safe="")[:480].rstrip("%")


# Characters that the service takes only where they show something, which no pattern can ask for.
BY_CONTEXT = re.compile("[\u200c\u200d\ufe0e\ufe0f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]")


def visible(text):
    return BY_CONTEXT.sub("x", text)


TRUE = {
    "createChallenge": {"wallet": address},
    "verifyChallenge": {"wallet": address, "signature": signature},
    "createUnsignedToken": {
        "name": visible,
        "symbol": visible,
        "imageUri": known("imageUri", IPFS),
        "walletId": known("walletId", UUID),
        "twitter": link,
        "telegram": link,
        "website": link,
        "developerWallet": address,
        "rewardToken": reward,
        "minimumHoldingRequirement": amount,
        "supply": amount,
    },
    "changeDistributionSettings": {
        "developerWallet": address,
        "rewardToken": reward,
        "minimumHoldingRequirement": lambda text: "1" if text == "0" else amount(text),
        "telegramGroupId": lambda text: text or KNOWN["telegramGroupId"],  # which can be tried only where there is one
    },
    "createUnsignedPool": {"tokenMint": known("mintAddress", ADDRESS), "tokenAmount": tokens, "solAmount": few},
    "createUnsignedCurve": {"tokenMint": known("mintAddress", ADDRESS), "tokenAmount": tokens},
    "createUnsignedBuy": {"tokenAmount": few, "lamports": few},
    "createUnsignedSell": {"tokenAmount": few},
    "createUnsignedLock": {"tokenAmount": tokens, "recipient": known("wallet", ADDRESS)},
    "createUnsignedPromotion": {"tokenMint": known("mintAddress", ADDRESS)},
    "createWebhook": {"url": receiver, "mints": address},
    "claimRewards": {"mints": address},
    # A submission may be repeated, so there is one that always succeeds.
    "submitToken": {"transactionId": known("transactionId", UUID), "signedTransaction": lambda _: KNOWN["signedTransaction"]},
}

TRUE["validateToken"] = TRUE["createUnsignedToken"]


def true_target(body):
    """Which numbers a target may be depends on its unit, and fees go together."""
    value, unit = body.get("targetMarketCap"), body.get("targetMarketCapUnit")
    if unit not in (None, "", "SOL", "milliSOL"):
        return
    documented = isinstance(value, str) and TARGET.fullmatch(value)
    documented = documented or (isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= 10_000_000)
    if documented:
        whole = 20 + int(float(value)) % 880
        number = whole * 1000 if unit == "milliSOL" else whole
        body["targetMarketCap"] = str(number) if isinstance(value, str) else number
    for one, other in (("antiSniperFeePercent", "antiSniperMinutes"), ("antiSniperMinutes", "antiSniperFeePercent")):
        if other not in body or body[other] is None:
            if is_sniper(one, body.get(one)):
                del body[one]
    fee = body.get("tradeFeePercent", 1)
    fee = 1 if fee is None else fee
    if is_sniper("antiSniperFeePercent", body.get("antiSniperFeePercent")) and is_percent(fee) and body["antiSniperFeePercent"] <= fee <= 10:
        body["antiSniperFeePercent"] = 50


def true_beginning(body):
    """A curve that begins later takes no first purchase, and both have bounds that no pattern has."""
    first, start = body.get("initialBuyLamports"), body.get("startsAt")
    if isinstance(first, str) and AMOUNT.fullmatch(first) and first != "0":
        body["initialBuyLamports"] = few(first)
        if isinstance(start, str) and START.fullmatch(start):
            del body["startsAt"]
    elif isinstance(start, str) and START.fullmatch(start):
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        body["startsAt"] = soon.strftime("%Y-%m-%dT%H:%M:%SZ")


def true_lock(body):
    """When it is released has bounds that no pattern has, and a period goes with a second release."""
    first, parts, period = body.get("firstReleaseAt"), body.get("releases"), body.get("periodSeconds")
    if isinstance(first, str) and START.fullmatch(first):
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
        body["firstReleaseAt"] = soon.strftime("%Y-%m-%dT%H:%M:%SZ")
    if is_whole(parts, 1, 1000) and (period is None or is_whole(period, 1, 31_536_000)):
        body.pop("periodSeconds", None)
        if parts > 1:
            body["periodSeconds"] = 3600


def is_whole(value, lowest, highest):
    """Says whether a value is a whole number within bounds."""
    return not isinstance(value, bool) and isinstance(value, (int, float)) and value == int(value) and lowest <= value <= highest


def one_amount(given, names, absent):
    """Of two ways to say how much, one is to be there; what breaks the document stays."""
    there = [name for name in names if name in given and given[name] not in absent]
    if not there:
        given[names[0]] = "1000000000"
    elif len(there) > 1 and all(isinstance(given[name], str) and AMOUNT.fullmatch(given[name]) and given[name] != "0" for name in there):
        del given[names[1]]


def is_sniper(name, value):
    """Says whether a value has the documented form."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0.01 <= value <= 50 if name == "antiSniperFeePercent" else value == int(value) and 1 <= value <= 60


def true_body(operation, body):
    body = dict(body)
    if operation == "createUnsignedCurve":
        true_target(body)
        true_beginning(body)
    if operation == "createUnsignedLock":
        true_lock(body)
    if operation == "createUnsignedBuy":
        one_amount(body, ("tokenAmount", "lamports"), (None, ""))
    for name, make in TRUE.get(operation, {}).items():
        if isinstance(body.get(name), str):
            body[name] = make(body[name])
        elif isinstance(body.get(name), list):
            body[name] = [make(item) if isinstance(item, str) else item for item in body[name]]
    # Which percentages add up to 100 no document says.
    if operation in ("createUnsignedToken", "validateToken", "changeDistributionSettings") and is_splits(body.get("creatorSplits")):
        body["creatorSplits"] = []
    if operation == "changeDistributionSettings":
        # The token is not one whose tax can be changed; when its settings take effect
        # depends on the interval that was sent last, and so do its shares.
        if is_percent(body.get("transferFeePercent")):
            del body["transferFeePercent"]
        if isinstance(body.get("effectiveAt"), str) and TIME.fullmatch(body["effectiveAt"]):
            del body["effectiveAt"]
        # Which version is next depends on the changes before, and only a creator can sign it.
        if is_version(body.get("version")):
            del body["version"]
        if isinstance(body.get("orderedByCreator"), bool):
            del body["orderedByCreator"]
        if is_order(body.get("order")):
            del body["order"]
        for one, other in (("burnPercent", "developerFeePercent"), ("developerFeePercent", "burnPercent")):
            if is_percent(body.get(one)) and body.get(other) is None:
                body[other] = 0
    burn, share = body.get("burnPercent"), body.get("developerFeePercent")
    if is_percent(burn) and is_percent(share) and burn + share > 100:
        body["developerFeePercent"] = 0
    return body


def is_positive(case):
    return case.meta is None or case.meta.generation.mode.is_positive


def is_version(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= 2**53 - 1 and value == int(value)


def is_order(value):
    return (
        isinstance(value, dict)
        and value.keys() == {"version", "signature"}
        and is_version(value["version"])
        and isinstance(value["signature"], str)
        and SIGNATURE.fullmatch(value["signature"]) is not None
    )


def is_splits(value):
    return (
        isinstance(value, list)
        and len(value) <= 10
        and all(
            isinstance(one, dict)
            and one.keys() == {"wallet", "percent"}
            and isinstance(one["wallet"], str)
            and ADDRESS.fullmatch(one["wallet"]) is not None
            and is_percent(one["percent"])
            and 0.01 <= one["percent"] <= 99.99
            and round(one["percent"], 2) == one["percent"]
            for one in value
        )
    )


def is_percent(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 100


@schemathesis.hook
def before_add_examples(context, examples):
    there = KNOWN | {"tokenMint": KNOWN["mintAddress"]}
    if context.operation.method.upper() == "DELETE":
        there = {}  # what is deleted here is missing to all that comes after
    examples.extend(hostile.cases(context.operation, there))


@schemathesis.hook
def before_call(context, case, kwargs):
    if hostile.MARK in (case.headers or {}):
        return
    operation = operation_of(case)
    if isinstance(case.body, dict):
        if operation == "verifyChallenge" and is_positive(case) and SIGN_INS:
            case.body = SIGN_INS.pop()
        else:
            body = true_body(operation, case.body)
            if body != case.body:
                case.body = body
    # No two requests have the same key: the service would answer the second as
    # the first, or refuse it.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and KEY.fullmatch(key):
        case.headers["Idempotency-Key"] = key[:-32] + uuid.uuid4().hex
    query = {name: true_query(operation, name, value) for name, value in (case.query or {}).items()}
    if operation == "getPrice":
        one_amount(query, ("amount", "lamports"), ())
    if query != (case.query or {}):
        case.query = query
    path = {name: true_path(operation, name, value) for name, value in (case.path_parameters or {}).items()}
    if path != (case.path_parameters or {}):
        case.path_parameters = path


def true_query(operation, name, value):
    if name in ("amount", "lamports") and isinstance(value, str):
        return few(value)
    if name == "creator" and isinstance(value, str):
        return address(value)
    if name == "mints" and isinstance(value, list):
        return [address(item) if isinstance(item, str) else item for item in value]
    if name == "mints" and isinstance(value, str):  # as it is sent
        return ",".join(address(item) for item in value.split(","))
    if name == "cursor" and isinstance(value, str) and CURSOR.fullmatch(value):
        return KNOWN["cursors"][operation]
    return value


def true_path(operation, name, value):
    """Half of the names are those of what there is."""
    if not isinstance(value, str):
        return value
    there = sum(value.encode()) % 2
    if name == "mintAddress" and there and ADDRESS.fullmatch(value):
        return KNOWN["mintAddress"]
    if name == "tokenId" and there and ADDRESS.fullmatch(value):
        return KNOWN["mintAddress"]
    if name == "tokenId" and there and UUID.fullmatch(value):
        return KNOWN["tokenId"]
    if name == "runId" and there and UUID.fullmatch(value):
        return KNOWN["runId"]
    if name == "webhookId" and UUID.fullmatch(value):
        if operation != "deleteWebhook":
            return KNOWN["webhookId"]
        # What is deleted is one of those that were added here, and never the known one, which is
        # the document's example here.
        return ADDED.pop() if ADDED else "00000000-0000-4000-8000-000000000000" if value == KNOWN["webhookId"] else value
    if name == "deliveryId" and UUID.fullmatch(value):
        return KNOWN["deliveryId"]
    if name == "transactionId" and UUID.fullmatch(value):  # one alone can be asked for
        return KNOWN["orderId" if operation == "refreshTransaction" else "transactionId"]
    if name == "file" and there:
        return "favicon.svg"
    if name == "wallet" and operation == "claimRewards" and ADDRESS.fullmatch(value):
        return KNOWN["wallet"]  # one claims for oneself alone
    if name == "wallet":
        return address(value)
    return value


ADDED = []  # webhooks
CALLS = collections.Counter()
COUNTING = threading.Lock()


@schemathesis.hook
def after_call(context, case, response):
    if operation_of(case) == "createUnsignedToken" and response.status_code == 200:
        KNOWN["orderId"] = response.json()["transactionId"]  # which may end the caller's oldest
    if operation_of(case) == "createWebhook" and response.status_code == 200:
        ADDED.append(response.json()["webhookId"])
    with COUNTING:
        CALLS[operation_of(case), case.method.upper(), response.status_code] += 1


def operation_of(case):
    return case.operation.definition.raw.get("operationId", "")


@atexit.register
def write_calls():
    rows = [{"operation": o, "method": m, "status": s, "calls": n} for (o, m, s), n in sorted(CALLS.items())]
    (FOLDER / "calls.json").write_text(json.dumps(rows, indent=1))
