"""The examples of docs/python.md: each section is one session."""
import doctest
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
NEEDS = {"PyTorch": "torch"}


def sections():
    for part in re.split(r"^## ", PAGE.read_text(), flags=re.M)[1:]:
        title, text = part.split("\n", 1)
        code = "\n".join(re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S))
        if ">>>" in code:
            files = re.findall(r"^`(\S+\.cu)`:\n\n```cuda\n(.*?)^```", text, flags=re.M | re.S)
            yield pytest.param(title, code, files, id=title)


def test_the_page_has_examples_of_each_part():
    assert len(list(sections())) >= 6


@pytest.mark.parametrize("title, code, files", list(sections()))
def test_the_examples_print_what_the_page_says(title, code, files, tmp_path, monkeypatch):
    if title in NEEDS:
        pytest.importorskip(NEEDS[title])
    monkeypatch.chdir(tmp_path)
    for name, text in files:
        pathlib.Path(name).write_text(text)
    test = doctest.DocTestParser().get_doctest(code, {}, title, str(PAGE), 0)
    assert test.examples
    runner, messages = doctest.DocTestRunner(), []
    runner.run(test, out=messages.append)
    assert runner.failures == 0, "".join(messages)
