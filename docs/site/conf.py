"""Sphinx: the documents of the repository as a site, the README as its first page."""

project = "Arenal"
author = "The Arenal authors"
copyright = "The Arenal authors, Apache License 2.0"

extensions = ["myst_parser"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["docs/site/**"]

# The same anchors as in the pages of the repository: docs/pages.md#settings.
myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # a page may begin with a comment, or skip a level of headings
    "misc.highlighting_failure",  # samples of output have no language
]

html_theme = "furo"
html_title = "Arenal"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False

NAVIGATION = [
    ("Start", ["docs/getting-started", "docs/troubleshooting", "docs/faq", "docs/glossary"]),
    ("Allocators", ["docs/elastic", "docs/pages", "docs/pooled", "docs/pretouch"]),
    ("Adapters and agent", ["docs/netty", "docs/arrow", "docs/metrics", "docs/spark",
                            "docs/proxy", "docs/agent", "docs/scan"]),
    ("Operation", ["docs/reports", "docs/statistics", "docs/first-use"]),
    ("Lab", ["docs/lab", "docs/replay", "docs/jvm", "docs/churn", "docs/burst", "docs/medium",
             "docs/trace-format"]),
    ("Benchmarks", ["docs/benchmarks/results", "docs/benchmarks/README",
                    "docs/benchmarks/objections"]),
    ("Project", ["ARCHITECTURE", "docs/structure", "docs/concurrency", "docs/guards",
                 "docs/protocols", "docs/invariants",
                 "docs/mutations", "docs/adr/README", "CONTRIBUTING", "SECURITY", "CHANGELOG"]),
]


def add_navigation(app, docname, source):
    """The side bar; pages that are in no group stand behind the page that leads to them."""
    named = {page for _, pages in NAVIGATION for page in pages}
    there = app.env.found_docs
    trees = []
    if docname == root_doc:
        for caption, pages in NAVIGATION:
            trees.append((caption, [page for page in pages if page in there]))
        loose = sorted(page for page in there - named - {root_doc}
                       if not page.startswith(("docs/adr/", "docs/benchmarks/")))
        trees.append(("More", loose))
    elif docname in ("docs/adr/README", "docs/benchmarks/README"):
        folder = docname.removesuffix("README")
        trees.append(("", sorted(page for page in there - named if page.startswith(folder))))
    for caption, pages in trees:
        if pages:
            title = f":caption: {caption}\n" if caption else ""
            entries = "\n".join("/" + page for page in pages)
            source[0] += f"\n\n```{{toctree}}\n:hidden:\n{title}:maxdepth: 1\n\n{entries}\n```\n"


def setup(app):
    app.connect("source-read", add_navigation)
