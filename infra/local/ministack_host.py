"""Runs a MiniStack in this process, on a separate loopback port.

The port is bound here before MiniStack reads the port, so no other process can take
the port in between. The port number, in a JSON line on file descriptor 3, reports that
the socket is bound. When standard input closes, the process and its functions end, and
the directory SCRATCH_FOLDER is removed, so nothing outlives the parent.
"""

import functools
import json
import os
import shutil
import signal
import socket
import sys
import threading


def end_with_parent(scratch: str) -> None:
    sys.stdin.buffer.read()
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def keep_metric_math() -> None:
    """Lets CloudFormation deploy alarms on metric math, which MiniStack rejects.

    Such alarms are stored as in CloudWatch, with Metrics in place of a single metric.
    MiniStack does not evaluate such alarms; infra/cloudwatch evaluates alarms for the tests.
    """
    from ministack.services.cloudformation import provisioners

    plain = provisioners._cw_metric_alarm_record

    def record(name, props):
        metrics = props.get("Metrics")
        if not metrics:
            return plain(name, props)
        alarm = plain(name, {**props, "Metrics": None, "MetricName": "-", "Namespace": "-"})
        for one in ("MetricName", "Namespace", "Statistic", "ExtendedStatistic", "Period", "Dimensions"):
            del alarm[one]
        return {**alarm, "Metrics": metrics}

    provisioners._cw_metric_alarm_record = record


def add_composite_alarms() -> None:
    """Lets CloudFormation deploy composite alarms, which MiniStack supports but its
    CloudFormation does not. The alarms' suppressors are stored but have no effect;
    infra/cloudwatch evaluates suppressors for the tests.
    """
    from ministack.services import cloudwatch
    from ministack.services.cloudformation import provisioners

    def put(name, props):
        status, _, body = cloudwatch._put_composite_alarm({}, {**props, "AlarmName": name}, False, True)
        if status != 200:
            raise ValueError(body)
        alarm = cloudwatch._composite_alarms[name]
        alarm.update({key: value for key, value in props.items() if key.startswith("ActionsSuppressor")})
        return name, {"Arn": alarm["AlarmArn"]}

    provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::CompositeAlarm"] = {
        "create": lambda logical_id, props, stack: put(props.get("AlarmName") or provisioners._physical_name(stack, logical_id, max_len=255), props),
        "update": lambda name, before, props, stack: put(name, props),
        "delete": lambda name, props: cloudwatch._delete_alarms({}, {"AlarmNames": [name]}, False, True),
    }


def know_replica_keys() -> None:
    """Lets CloudFormation deploy replicas of KMS keys, which MiniStack supports only by its API."""
    from ministack.core.responses import get_account_id, get_region, request_scope
    from ministack.services import kms
    from ministack.services.cloudformation import provisioners

    def create(logical_id, props, stack_name):
        arn = props["PrimaryKeyArn"]
        ask = {"KeyId": arn, "ReplicaRegion": get_region(), "Description": props.get("Description", ""), "Policy": json.dumps(props["KeyPolicy"])}
        with request_scope(get_account_id(), arn.split(":")[3]):
            status, _, body = kms._replicate_key(ask)
        if status != 200:
            raise Exception(f"AWS::KMS::ReplicaKey {logical_id}: {json.loads(body).get('message')}")
        return update(arn.split("/")[1], {}, props, stack_name)

    def update(physical_id, old, props, stack_name):
        key = kms._resolve_key(physical_id)
        key.update(Description=props.get("Description", ""), Policy=json.dumps(props["KeyPolicy"]))
        return physical_id, provisioners._kms_key_attrs(key)

    provisioners._RESOURCE_HANDLERS["AWS::KMS::ReplicaKey"] = {"create": create, "update": update, "delete": provisioners._kms_key_delete}


def know_backup_selections() -> None:
    """Lets CloudFormation deploy backup selections, which MiniStack supports only by its API."""
    from ministack.services import backup
    from ministack.services.cloudformation import provisioners

    def create(logical_id, props, stack_name):
        status, _, body = backup._create_selection(props["BackupPlanId"], {"BackupSelection": props["BackupSelection"]})
        if status != 200:
            raise Exception(f"AWS::Backup::BackupSelection {logical_id}: {json.loads(body).get('message')}")
        made = json.loads(body)["SelectionId"]
        return made, {"Id": made, "SelectionId": made, "BackupPlanId": props["BackupPlanId"]}

    provisioners._RESOURCE_HANDLERS["AWS::Backup::BackupSelection"] = {
        "create": create, "delete": lambda selection, props: backup._selections.pop(selection, None),
    }


def heed_punctuation() -> None:
    """Obeys ExcludePunctuation of a generated secret, which MiniStack ignores."""
    import string

    from ministack.services.cloudformation import provisioners

    plain = provisioners._sm_secret_string

    def secret(props):
        generate = props.get("GenerateSecretString") or {}
        if str(generate.get("ExcludePunctuation")).lower() != "true":
            return plain(props)
        left_out = generate.get("ExcludeCharacters", "") + string.punctuation
        return plain({**props, "GenerateSecretString": {**generate, "ExcludeCharacters": left_out}})

    provisioners._sm_secret_string = secret


def refuse_as_services_do() -> None:
    """Lets CloudFormation delete and create only what the services permit. MiniStack's CloudFormation
    writes to their stores past their own rules:

    - S3 deletes no bucket that holds an object, a version or a delete marker (Amazon S3 API Reference,
      "DeleteBucket"; CloudFormation Template Reference, "AWS::S3::Bucket").
    - DynamoDB deletes no table that is protected (Amazon DynamoDB API Reference, "DeleteTable").
    - KMS schedules the deletion of no key whose policy denies that to all (AWS KMS Developer Guide,
      "Control access to key deletion").
    - AWS Backup creates no second vault of a name, and deletes none that holds a recovery point (AWS
      Backup Developer Guide, "CreateBackupVault", "DeleteBackupVault").
    - A resource without a name gets one that no other creation of the stack has had (CloudFormation
      User Guide, "Name type"). MiniStack's is the same each time, so a new table would take the place
      of one that was retained.
    """
    from xml.etree import ElementTree

    from ministack.services import backup, dynamodb, kms, s3
    from ministack.services.cloudformation import _stacks, provisioners

    def answered(answer):
        """The error of a service, as CloudFormation reports it."""
        status, _, body = answer
        if status < 400 or status == 404:
            return
        text = body.decode() if isinstance(body, bytes) else body
        raise ValueError(ElementTree.fromstring(text).findtext("{*}Message") or text if text.startswith("<") else json.loads(text)["message"])

    def delete_bucket(name, props):
        answered(s3._delete_bucket(name))

    def delete_table(name, props):
        answered(dynamodb._delete_table({"TableName": name}))

    def delete_key(key, props):
        record = kms._resolve_key(key) or {}
        for statement in json.loads(record.get("Policy") or "{}").get("Statement", []):
            if statement["Effect"] == "Deny" and "Condition" not in statement and "kms:ScheduleKeyDeletion" in statement.get("Action", []):
                raise ValueError(f"not authorized to perform: kms:ScheduleKeyDeletion on {record['Arn']} with an explicit deny in a resource-based policy")
        plain_delete_key(key, props)

    def create_vault(logical_id, props, stack):
        name = props.get("BackupVaultName") or provisioners._physical_name(stack, logical_id, max_len=50)
        if name in backup._vaults:
            raise ValueError(f"Backup vault with the same name already exists: {name}")
        return plain_create_vault(logical_id, props, stack)

    def delete_vault(name, props):
        if backup._vaults.get(name, {}).get("NumberOfRecoveryPoints"):
            raise ValueError(f"Backup vault cannot be deleted because it contains recovery points: {name}")
        answered(backup._delete_vault(name))

    handlers = provisioners._RESOURCE_HANDLERS
    plain_delete_key, plain_create_vault = handlers["AWS::KMS::Key"]["delete"], handlers["AWS::Backup::BackupVault"]["create"]
    handlers["AWS::S3::Bucket"]["delete"] = delete_bucket
    for table in ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"):
        handlers[table]["delete"] = delete_table
    for key in ("AWS::KMS::Key", "AWS::KMS::ReplicaKey"):
        handlers[key]["delete"] = delete_key
    handlers["AWS::Backup::BackupVault"].update(create=create_vault, delete=delete_vault)

    name_of = provisioners._physical_name

    def unique_name(stack_name, logical_id, **rest):
        seeded = provisioners._NAME_SEED.set(provisioners._NAME_SEED.get() + _stacks.get(stack_name, {}).get("StackId", ""))
        try:
            return name_of(stack_name, logical_id, **rest)
        finally:
            provisioners._NAME_SEED.reset(seeded)

    provisioners._physical_name = unique_name


def follow_chains() -> None:
    """Drops the 17th invocation of a function in one chain of requests, as Lambda does unless
    the function's RecursiveLoop is Allow (Lambda Developer Guide, "Use Lambda recursive loop
    detection to prevent infinite loops").

    The count travels as on AWS. Lambda passes the tracing header to the runtime, the SDK copies
    it into its calls, SQS stores it with the message as AWSTraceHeader, and the event source
    mapping reads it there. MiniStack has the rule only for direct invocations by Python and
    Node functions. AWS documents neither the form of the header's field Lineage nor which
    message of a batch counts. Here the field has hash:count for each function, and the longest
    chain of a batch counts.
    """
    import contextvars
    import zlib

    from ministack.services import lambda_svc, sqs

    header: contextvars.ContextVar[str] = contextvars.ContextVar("trace_header", default="")
    chain: contextvars.ContextVar[dict] = contextvars.ContextVar("chain", default={})

    def counts(trace):
        fields = dict(part.partition("=")[::2] for part in (trace or "").split(";"))
        pairs = (entry.rpartition(":")[::2] for entry in fields.get("Lineage", "").split(","))
        return {function: int(count) for function, count in pairs if count.isdigit()}

    def counted(name):
        """The hash of a function, and its count with one more invocation."""
        function = f"{zlib.crc32(name.encode()):08x}"
        return function, chain.get().get(function, 0) + 1

    # SQS stores the header of a call with the messages.
    receive_call, system_attributes = sqs.handle_request, sqs._build_send_sys_attrs

    async def call_queue(method, path, headers, body, query):
        header.set(headers.get("x-amzn-trace-id", ""))
        return await receive_call(method, path, headers, body, query)

    def keep_header(now, given):
        kept = system_attributes(now, given)
        if header.get():
            kept.setdefault("AWSTraceHeader", header.get())
        return kept

    sqs.handle_request, sqs._build_send_sys_attrs = call_queue, keep_header

    # A call or a batch of messages brings the counts, which are checked before the invocation.
    drop_at, run_batch = lambda_svc._recursive_loop_drop, lambda_svc._run_sqs_batch

    def arrive(headers):
        chain.set(counts(headers.get("x-amzn-trace-id")))
        return 0

    def drop(name, function, depth):
        return drop_at(name, function, counted(name)[1])

    def run(mapping, function, event, *rest):
        longest = {}
        for record in event["Records"]:
            for hashed, count in counts(record["attributes"].get("AWSTraceHeader")).items():
                longest[hashed] = max(count, longest.get(hashed, 0))
        chain.set(longest)
        if drop(function["config"]["FunctionName"], function, 0) is None:
            return run_batch(mapping, function, event, *rest)
        # The messages come back after their visibility timeout, until they are dead letters.
        mapping["LastProcessingResult"] = "PROBLEM: RecursiveInvocationException"

    lambda_svc._inbound_invoke_depth, lambda_svc._recursive_loop_drop, lambda_svc._run_sqs_batch = arrive, drop, run

    # The runtime receives the counts, including this invocation. Lambda creates a header even if
    # X-Ray is off.
    trace = lambda_svc._xray_trace_id_for_invocation

    def pass_on(config, inbound=None):
        passed = dict([*chain.get().items(), counted(config["FunctionName"])])
        lineage = ",".join(f"{function}:{count}" for function, count in passed.items())
        return trace({"TracingConfig": {"Mode": "Active"}}, inbound) + ";Lineage=" + lineage

    lambda_svc._xray_trace_id_for_invocation = pass_on


def set_recursive_loop() -> None:
    """Lets CloudFormation set a function's RecursiveLoop; see follow_chains."""
    from ministack.services import lambda_svc
    from ministack.services.cloudformation import provisioners

    handlers = provisioners._RESOURCE_HANDLERS["AWS::Lambda::Function"]
    create, update = handlers["create"], handlers["update"]

    def allow(name, props):
        lambda_svc._put_function_recursion_config(name, {"RecursiveLoop": props.get("RecursiveLoop", "Terminate")})

    @functools.wraps(create)
    def create_function(logical_id, props, stack):
        made = create(logical_id, props, stack)
        allow(made[0], props)
        return made

    @functools.wraps(update)
    def update_function(physical_id, old, new, *rest, **named):
        made = update(physical_id, old, new, *rest, **named)
        allow(made[0], new)
        return made

    handlers.update(create=create_function, update=update_function)


def change_cloudformation() -> None:
    """Changes MiniStack's CloudFormation before the first use. The import takes half a second, and
    most tests deploy no stack.
    """
    from ministack import app

    module_of = app._get_module

    @functools.cache
    def change():
        for each in (keep_metric_math, add_composite_alarms, know_replica_keys, know_backup_selections, heed_punctuation,
                     refuse_as_services_do, set_recursive_loop):
            each()

    def module(name):
        if name == "cloudformation":
            change()
        return module_of(name)

    app._get_module = module


def parse_once() -> None:
    """Caches the few parsed expressions of DynamoDB. MiniStack parses an expression again for every
    item of a query.
    """
    from ministack.services import dynamodb

    for name in ("_tokenize", "_condition_syntax_error"):
        setattr(dynamodb, name, functools.lru_cache(maxsize=1024)(getattr(dynamodb, name)))


def write_once():
    """Returns a protocol that writes the head and the body of a response together. uvicorn writes the
    parts separately, and each write costs system calls here and wakes the caller.
    """
    import asyncio

    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class Together:
        def __init__(self, transport):
            self.transport = transport
            self.later = asyncio.get_running_loop().call_soon
            self.waiting = []

        def __getattr__(self, name):
            return getattr(self.transport, name)

        def write(self, data):
            if not self.waiting:
                self.later(self.flush)
            self.waiting.append(data)

        def flush(self):
            self.transport.write(b"".join(self.waiting))
            self.waiting.clear()

        def close(self):
            if self.waiting:
                self.flush()
            self.transport.close()

    class Protocol(HttpToolsProtocol):
        def connection_made(self, transport):
            super().connection_made(Together(transport))

    return Protocol


def main() -> None:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", int(os.environ.get("GATEWAY_PORT", "0"))))
    port = listener.getsockname()[1]
    os.environ["GATEWAY_PORT"] = str(port)
    # The functions inherit the variable.
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"

    follow_chains()
    parse_once()
    change_cloudformation()
    import uvicorn
    from ministack.app import app

    config = uvicorn.Config(app, fd=listener.fileno(), timeout_keep_alive=75, log_level="warning", access_log=False,
                            loop="uvloop", http=write_once(), server_header=False, date_header=False)
    server = uvicorn.Server(config)
    os.write(3, json.dumps({"port": port}).encode() + b"\n")
    os.close(3)
    server.run(sockets=[listener])


if os.getpgrp() != os.getpid():
    sys.exit("must lead its own process group: it ends the whole group")
# Removed from the environment, because the functions inherit the environment.
scratch_folder = os.environ.pop("SCRATCH_FOLDER", "")
threading.Thread(target=end_with_parent, args=(scratch_folder,), daemon=True).start()
main()
