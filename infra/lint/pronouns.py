#!/usr/bin/env python3
"""Fails if more than 6 % of the words in a Go package's comments are pronouns, or more than 4.5 % in all.

Go's standard library, boulder, tessera and lnd have 3 to 4 %. Tests are not counted, nor packages with
fewer than 600 words of comments. pronouns.txt lists the packages that are not yet rewritten: a package
leaves the list for good when it is below the limit. Usage: pronouns.py [repository]
"""
import collections, pathlib, re, subprocess, sys

PRONOUNS = set('it its that those one what which they them none nothing other others each all who whom whose'.split())
LIMIT, TOTAL, FEWEST = 6.0, 4.5, 600
here = pathlib.Path(__file__).parent
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else here.parent.parent)
open_ = set((here / 'pronouns.txt').read_text().split())

count = collections.defaultdict(lambda: [0, 0])
for name in subprocess.run(['git', 'ls-files', '*.go'], cwd=root, capture_output=True, text=True, check=True).stdout.split():
    path = root / name
    if name.endswith('_test.go') or not path.exists():
        continue
    for comment in re.findall(r'^\s*//\s?(?!go:|nolint)(.*)', path.read_text(), re.M):
        words = re.findall(r"[a-z']+", comment.lower())
        package = count[str(pathlib.PurePosixPath(name).parent)]
        package[0] += sum(word in PRONOUNS for word in words)
        package[1] += len(words)

failed = False
for package, (pronouns, words) in sorted(count.items()):
    above = words >= FEWEST and 100 * pronouns / words > LIMIT
    if above and package not in open_:
        failed = True
        print(f'{package}: {100 * pronouns / words:.1f} % of the words in comments are pronouns, at most {LIMIT} % may be')
    elif not above and package in open_:
        failed = True
        print(f'{package} is below {LIMIT} %: remove the package from infra/lint/pronouns.txt')
for package in sorted(open_ - count.keys()):
    failed = True
    print(f'{package} does not exist: remove the package from infra/lint/pronouns.txt')
pronouns, words = (sum(of) for of in zip(*count.values()))
share = 100 * pronouns / words
print(f'pronouns: {share:.1f} % of {words} words in comments, at most {TOTAL} % may be; {len(open_)} packages to be rewritten')
sys.exit(failed or share > TOTAL)
