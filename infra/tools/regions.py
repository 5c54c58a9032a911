"""Says in which Regions there is everything that the templates need, by cfn-lint's lists of
the types of resources that each Region has. The stack "edge" is in us-east-1 alone.

  regions.py FOLDER...          writes the table
  regions.py --offered          lists the Regions that the table offers
  regions.py --check FOLDER...  fails when the table in the file `regions` is another
"""

import glob
import json
import pathlib
import sys

from cfnlint.helpers import REGIONS
from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

TABLE = pathlib.Path(__file__).with_name("regions")
# A Region of which cfn-lint has no list gets this one's.
FALLBACK = "us-east-1"


def needed(folders):
    types = set()
    for folder in folders:
        for path in glob.glob(f"{folder}/*.template.json"):
            if not path.endswith("-edge.template.json"):
                types |= {r["Type"] for r in json.loads(pathlib.Path(path).read_text())["Resources"].values()}
    if not types:
        sys.exit(f"there are no templates in {' '.join(folders)}")
    return types


def verdict(region, types):
    there = set(PROVIDER_SCHEMA_MANAGER.get_resource_types(region))
    if region != FALLBACK and there == set(PROVIDER_SCHEMA_MANAGER.get_resource_types(FALLBACK)):
        return "not checked: cfn-lint does not know what there is"
    missing = sorted(types - there)
    return "not offered: there is no " + ", ".join(missing) if missing else "offered"


def table(folders):
    types = needed(folders)
    return "".join(f"{region} {verdict(region, types)}\n" for region in sorted(REGIONS))


if sys.argv[1:] == ["--offered"]:
    print(*(line.split()[0] for line in TABLE.read_text().splitlines() if line.endswith(" offered")))
elif sys.argv[1:2] == ["--check"]:
    if TABLE.read_text() != table(sys.argv[2:]):
        command = " ".join([".local/sam/bin/python", "infra/tools/regions.py", *sys.argv[2:]])
        sys.exit(f"The Regions that have what the templates need are not those of infra/tools/regions: {command} >infra/tools/regions")
else:
    print(table(sys.argv[1:]), end="")
