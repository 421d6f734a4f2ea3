"""Copies the pages of the repository for Sphinx: pages.py REPOSITORY FOLDER.

The index is README.md with the navigation that its table "Documentation" gives. Links to files that are not pages become
links to copies; links to folders, and to notes in tests/, become text.
"""

import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def navigation(readme):
    """Returns [(audience, [(title, page)])], the rows of README's table "Documentation"."""
    table = readme.split("\n## Documentation\n")[1]
    rows = []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 2 or not line.startswith("|") or cells[0] in ("for", "---"):
            continue
        rows.append((cells[0], [(title, target.split("#")[0]) for _, title, target in LINK.findall(cells[1])]))
    return rows


def toctrees(rows, pages):
    """Returns the navigation as MyST writes it: a group for each audience, and one for the pages that no row names."""
    listed, text = set(), ""
    groups = [(audience, list(entries)) for audience, entries in rows]
    groups.append(("kernels", [(page.parent.name, str(page)) for page in pages if re.fullmatch(r"kernels/\w+/README.md", str(page))]))
    for caption, entries in groups:
        lines = []
        for title, target in entries:
            if target not in listed and pathlib.Path(target) in pages:
                listed.add(target)
                lines.append(f"{title[0].upper() + title[1:]} </{target.removesuffix('.md')}>")
        if lines:
            text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption[0].upper() + caption[1:]}\n\n" + "\n".join(lines) + "\n```\n"
    others = [str(page.with_suffix("")) for page in pages if str(page) not in listed and str(page) != "README.md"]
    return text + "\n```{toctree}\n:hidden:\n:caption: Notes\n\n" + "\n".join("/" + page for page in others) + "\n```\n"


def adapt(text, page, repository, pages):
    """Returns a page's text with links that a site can follow."""

    def link(match):
        image, title, target = match.groups()
        path, _, anchor = target.partition("#")
        if image or "://" in target or not path:
            return match.group(0)
        file = (repository / page.parent / path).resolve()
        relative = file.relative_to(repository)
        if file.is_dir() or (relative.suffix == ".md" and relative not in pages):
            return title
        if relative == pathlib.Path("README.md"):
            back = "../" * len(page.parent.parts)
            return f"[{title}]({back}index.md{'#' + anchor if anchor else ''})"
        return match.group(0)

    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.M | re.S)  # code stays as it is
    for i in range(0, len(parts), 2):
        parts[i] = LINK.sub(link, parts[i])
    return re.sub(r"^( *```\w+) complete$", r"\1", "".join(parts), flags=re.M)


def main():
    repository, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=repository, check=True, capture_output=True, text=True)
    files = [pathlib.Path(name) for name in sorted(listing.stdout.splitlines()) if (repository / name).is_file()]
    template = "src/workbench/family/template"
    pages = [file for file in files if file.suffix == ".md" and not str(file).startswith((template, "tests/"))]
    for file in files:
        if file in pages:
            text = adapt((repository / file).read_text(), file, repository, pages)
            target = folder / file
            if str(file) == "README.md":
                target = folder / "index.md"
                text += toctrees(navigation((repository / file).read_text()), pages)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        elif file.suffix == ".md":
            continue
        else:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(repository / file, folder / file)
            if file.suffix == ".svg":  # <picture> in a page names it, which Sphinx does not see
                (folder.parent / "extra" / file.parent).mkdir(parents=True, exist_ok=True)
                shutil.copy(repository / file, folder.parent / "extra" / file)


main()
