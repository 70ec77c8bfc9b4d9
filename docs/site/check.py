"""Looks words up in the index of a built site, and looks for anything that needs a network."""

import json
import pathlib
import re
import sys

import snowballstemmer

WORDS = {"pretouch": "docs/pretouch", "budget": "docs/elastic", "cgroup": "docs/troubleshooting"}
html = pathlib.Path(sys.argv[1])
index = (html / "searchindex.js").read_text()
index = json.loads(index[index.index("(") + 1 : index.rindex(")")])
stem = snowballstemmer.stemmer("english").stemWord
failures = []
for word, page in WORDS.items():
    found = []
    for place in ("terms", "titleterms"):
        hits = index[place].get(stem(word), [])
        found += hits if isinstance(hits, list) else [hits]
    pages = [index["docnames"][i] for i in found]
    if page not in pages:
        failures.append(f"search: word={word}, found={pages} (expected {page} among them)")
if "nosuchword" in index["terms"]:
    failures.append("search: finds a word that is nowhere")
OUTSIDE = re.compile(r"<(?:script|link|img|iframe)[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*\"")
for file in html.rglob("*.html"):
    for match in OUTSIDE.findall(file.read_text()):
        failures.append(f"network: page={file.relative_to(html)}, element={match}")
for file in html.rglob("*.css"):
    for match in re.findall(r"url\((?:\"|')?https?:[^)]*\)|@import[^;]*https?:[^;]*", file.read_text()):
        failures.append(f"network: file={file.relative_to(html)}, element={match}")
print("\n".join(failures) or f"search and {sum(1 for _ in html.rglob('*.html'))} pages are well")
sys.exit(1 if failures else 0)
