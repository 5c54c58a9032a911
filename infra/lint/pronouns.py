#!/usr/bin/env python3
"""Fails if more than 6 % of the words in a Go package's comments are pronouns, or more than 4.5 % in all.

Go's standard library, boulder, tessera and lnd have 3 to 4 %. Tests are not counted, nor packages with
fewer than 600 words of comments. Usage: pronouns.py [repository]
"""
import collections, pathlib, re, subprocess, sys

PRONOUNS = set('it its that those one what which they them none nothing other others each all who whom whose'.split())
LIMIT, TOTAL, MIN_WORDS = 6.0, 4.5, 600
root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent.parent)

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
    if words >= MIN_WORDS and 100 * pronouns / words > LIMIT:
        failed = True
        print(f'{package}: {100 * pronouns / words:.1f} % of the words in comments are pronouns, at most {LIMIT} % may be')
pronouns, words = (sum(of) for of in zip(*count.values()))
share = 100 * pronouns / words
print(f'pronouns: {share:.1f} % of {words} words in comments, at most {TOTAL} % may be')
sys.exit(failed or share > TOTAL)
