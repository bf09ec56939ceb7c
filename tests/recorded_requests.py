"""``python -m tests.recorded_requests <description>``: holds requests of the flow tests to Discord's own description.

The description is Discord's OpenAPI file (``openapi.json`` of discord/discord-api-spec), or a part of it with the
bodies of ``routes`` in place of ``paths``. It is not part of this project. Further arguments go to pytest, in place of
the folder of the flow tests. A known difference is one that Discord takes all the same; each has a line in ``KNOWN``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

EDITS = (
    "MessageEditRequestPartial",
    "IncomingWebhookUpdateRequestPartial",
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial",
)
KNOWN: Mapping[str, Mapping[str, Any]] = {
    # discord.py sends ids as numbers, `tts` with every message, and `nsfw` in bulk overwrites.
    "SnowflakeType": {"type": ["string", "integer"]},
    **{edit: {"properties": {"tts": {"type": "boolean"}}} for edit in EDITS},
    "ApplicationCommandUpdateRequest": {"properties": {"nsfw": {"type": "boolean"}}},
}
"""What is added to the schemas of the description."""


def main(description: Path, arguments: list[str]) -> int:
    """Run the tests, and name what in their requests the description does not allow; return the exit code."""
    with TemporaryDirectory() as folder:
        tests = arguments or ["tests/discord_flow"]
        environment = {**os.environ, "TAVOLIERE_REQUESTS": folder}
        outcome = subprocess.run([sys.executable, "-m", "pytest", "-q", *tests], env=environment, check=False)
        wrong = validated(json.loads(description.read_text("utf-8")), Path(folder))
    return outcome.returncode or int(wrong > 0)


def validated(description: dict[str, Any], folder: Path) -> int:
    """Validate the requests recorded in a folder, print their counts and what is wrong; return how many kinds are."""
    lines = Counter(line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines())
    bodies = schemas(description)
    requests, kinds, wrong = Counter[str](), dict[str, set[str]](), dict[str, str]()
    for line, times in lines.items():
        method, route, body = json.loads(line)
        name = f"{method} {route}"
        requests[name] += times
        kind = json.dumps(_shape(body))
        kinds.setdefault(name, set()).add(kind)
        if name not in bodies:
            wrong[name] = "not in the description"
        elif (error := best_match(bodies[name].iter_errors(body))) is not None:
            wrong[f"{name} {kind}"] = f"{name}: {error.json_path}: {error.message[:300]}"
    for name in sorted(requests):
        print(f"{requests[name]:7} requests of {len(kinds[name]):4} kinds: {name}")
    print(f"{requests.total():7} requests of {sum(map(len, kinds.values())):4} kinds, {len(wrong)} kinds not allowed")
    for message in sorted(set(wrong.values())):
        print(message)
    return len(wrong)


def schemas(description: dict[str, Any]) -> dict[str, Draft202012Validator]:
    """Return what validates the body of each route, named by its method and path."""
    components = description["components"]
    for name, schema in components["schemas"].items():
        for key, added in KNOWN.get(name, {}).items():
            schema[key] = {**schema[key], **added} if isinstance(added, dict) else added
    for one in _objects(components):
        # A part without descriptions and titles has lost the fields of these names, too.
        one["properties"] = {"description": {}, "title": {}, **one["properties"]}
        one.setdefault("additionalProperties", False)
    found = {}
    for path, methods in (description.get("routes") or description["paths"]).items():
        for method, told in methods.items():
            body = told.get("body") if isinstance(told, dict) else None
            if body is None and isinstance(told, dict) and "requestBody" in told:
                body = told["requestBody"]["content"]["application/json"]["schema"]
            if body is not None:
                found[f"{method.upper()} {path}"] = Draft202012Validator({**body, "components": components})
    return found


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema of an object whose fields are listed."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict) and "type" in schema:
        yield schema
    for one in inner:
        yield from _objects(one)


def _shape(body: Any) -> Any:
    """Return the fields of a body with the types of their values; of types and styles the value tells the kind."""
    if isinstance(body, dict):
        return {key: value if key in ("type", "style") else _shape(value) for key, value in sorted(body.items())}
    if isinstance(body, list):
        return sorted({json.dumps(_shape(one)) for one in body})
    return type(body).__name__


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
