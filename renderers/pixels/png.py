"""PNG files of palette images, compressed with ISA-L, or by Pillow's own writer where that is not installed.

Compressing is most of what a picture costs: ISA-L takes a twelfth of zlib's time, for a tenth more bytes at most.
"""

from __future__ import annotations

from io import BytesIO
from struct import pack
from zlib import crc32

from PIL import Image

try:
    from isal import isal_zlib
except ImportError:  # There is no wheel for this machine: pictures look the same and take longer.
    isal_zlib = None  # type: ignore[assignment]

_LEVEL = 1
"""ISA-L's level (0 to 3): 0 takes as long for a fifth more bytes, 3 five times as long for as many."""
_ZLIB_LEVEL = 4
"""zlib's level (1 to 9): the next takes a seventh longer for a kilobyte, those above far longer for little."""
_DEPTH, _PALETTE_COLOUR = 8, 3


def encode(picture: Image.Image) -> bytes:
    """Return a palette image (mode ``P``) as a PNG file."""
    return by_pillow(picture) if isal_zlib is None else by_isal(picture)


def by_pillow(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "PNG", compress_level=_ZLIB_LEVEL)
    return file.getvalue()


def by_isal(picture: Image.Image) -> bytes:
    # A crop that begins one column outside puts a 0 before every row, which is PNG's filter type "none": the others
    # make photographs smaller and flat areas larger.
    rows = picture.crop((-1, 0, *picture.size)).tobytes()
    colours = picture.getpalette() or []
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", *picture.size, _DEPTH, _PALETTE_COLOUR, 0, 0, 0)),
            _chunk(b"PLTE", bytes(colours)),
            _chunk(b"IDAT", isal_zlib.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes | bytearray) -> bytes:
    return b"".join((pack(">I", len(data)), kind, data, pack(">I", crc32(data, crc32(kind)))))
