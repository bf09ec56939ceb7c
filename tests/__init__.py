"""The tests. Before any of them asks for games, the toy package is on the path, as an installed one is."""

from tests.support.toy_package import add_to_path

add_to_path()
