"""Prints the environment that `sam local invoke` would set in the containers of all functions.

The program runs the SAM command line's own classes, except Docker: template.yaml, the file
for --env-vars, and the credentials of a profile with each function's name.

    sam_env.py TEMPLATE ENV_VARS  ->  {"<logical id>": {"<variable>": "<value>"}}
"""

import json
import sys

from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

template, env_vars = sys.argv[1:]
with open(env_vars, encoding="utf-8") as file:
    overrides = json.load(file)
stacks, _ = SamLocalStackProvider.get_stacks(template)
functions = {}
for function in SamFunctionProvider(stacks).get_all():
    runner = LocalLambdaRunner(None, None, ".", ".", aws_profile=function.name, env_vars_values=overrides)
    # pylint: disable-next=protected-access
    functions[function.name] = runner._make_env_vars(function).resolve()
json.dump(functions, sys.stdout)
