"""Prints what the local account has in the named Regions, a thing a line. A key that waits for its
deletion counts as deleted.
"""

import os
import sys

from awscli.botocore.session import get_session
session = get_session()


def call(service, region, operation, **parameters):
    client = session.create_client(service, region_name=region, endpoint_url=os.environ["AWS_ENDPOINT_URL"])
    if client.can_paginate(operation):
        return client.get_paginator(operation).paginate(**parameters).build_full_result()
    return getattr(client, operation)(**parameters)


for region in sys.argv[1:]:
    for kind, service, operation, member, name in (
        ("table", "dynamodb", "list_tables", "TableNames", None), ("log", "logs", "describe_log_groups", "logGroups", "logGroupName"),
        ("function", "lambda", "list_functions", "Functions", "FunctionName"), ("mapping", "lambda", "list_event_source_mappings", "EventSourceMappings", "UUID"),
        ("queue", "sqs", "list_queues", "QueueUrls", None), ("topic", "sns", "list_topics", "Topics", "TopicArn"),
        ("rule", "events", "list_rules", "Rules", "Name"), ("alarm", "cloudwatch", "describe_alarms", "MetricAlarms", "AlarmName"),
        ("composite", "cloudwatch", "describe_alarms", "CompositeAlarms", "AlarmName"), ("dashboard", "cloudwatch", "list_dashboards", "DashboardEntries", "DashboardName"),
        ("vault", "backup", "list_backup_vaults", "BackupVaultList", "BackupVaultName"), ("plan", "backup", "list_backup_plans", "BackupPlansList", "BackupPlanName"),
        ("secret", "secretsmanager", "list_secrets", "SecretList", "Name"), ("api", "apigatewayv2", "get_apis", "Items", "Name"),
    ):
        # CloudWatch lists composite alarms only where they are asked for.
        asked = {"AlarmTypes": ["CompositeAlarm"]} if kind == "composite" else {}
        for thing in call(service, region, operation, **asked).get(member, []):
            print(kind, thing[name] if name else thing)
    for key in call("kms", region, "list_keys")["Keys"]:
        about = call("kms", region, "describe_key", KeyId=key["KeyId"])["KeyMetadata"]
        if not about["KeyState"].startswith("Pending"):
            print("key", about["Description"])
for bucket in call("s3", "us-east-1", "list_buckets").get("Buckets", []):
    print("bucket", bucket["Name"])
for role in call("iam", "us-east-1", "list_roles").get("Roles", []):
    print("role", role["RoleName"])
for policy in call("iam", "us-east-1", "list_policies", Scope="Local").get("Policies", []):
    print("policy", policy["PolicyName"])
for thing in call("cloudfront", "us-east-1", "list_distributions").get("DistributionList", {}).get("Items", []):
    print("distribution", thing["Id"])
