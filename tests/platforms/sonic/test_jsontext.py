from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from fabricgen.platforms.sonic.jsontext import config_db_text, table_texts

rows = st.dictionaries(st.text(), st.text() | st.lists(st.text()), max_size=3)
tables = st.dictionaries(st.text(), st.dictionaries(st.text(), rows, max_size=3), max_size=3)


@given(tables)
def test_the_text_is_that_of_the_json_module(data: dict[str, dict[str, dict[str, str | list[str]]]]) -> None:
    assert config_db_text(table_texts(data)) == json.dumps(data, indent=4) + "\n"
