"""The settings of Sphinx for tools/site."""

import pathlib
import re

root = pathlib.Path(__file__).resolve().parents[2]
cmake = (root / "CMakeLists.txt").read_text()

project = "Rafter"
author = "Rafter"
release = version = re.search(r"project\(rafter VERSION ([0-9.]+)", cmake).group(1)
extensions = ["myst_parser"]
myst_heading_anchors = 4  # the anchors that links in the repository use
myst_links_external_new_tab = False
html_theme = "furo"
html_title = f"Rafter {release}"
html_copy_source = False
highlight_language = "none"
html_theme_options = {"navigation_with_keys": True}
html_extra_path = [str(root / "build/site/extra")]
