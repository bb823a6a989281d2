"""XXH3-64 of at least 17 bytes, with seed 0, in plain Python.

After the specification of xxHash (Y. Collet), so that a snapshot's checksum
can be told without the library that wrote it. Slow, and short on purpose.
"""

import struct

_MASK64 = (1 << 64) - 1

_PRIME32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
_PRIME64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
            0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)

_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")

_STRIPE = 64
_STRIPES_PER_BLOCK = (len(_SECRET) - _STRIPE) // 8


def _word(data: bytes, at: int) -> int:
    return struct.unpack_from("<Q", data, at)[0]


def _fold(a: int, b: int) -> int:
    product = a * b
    return (product & _MASK64) ^ (product >> 64)


def _avalanche(value: int) -> int:
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & _MASK64
    return value ^ value >> 32


def _mix16(data: bytes, at: int, secret_at: int) -> int:
    return _fold(_word(data, at) ^ _word(_SECRET, secret_at),
                 _word(data, at + 8) ^ _word(_SECRET, secret_at + 8))


def _medium(data: bytes) -> int:
    """17 to 128 bytes: pairs of 16 from both ends."""
    size = len(data)
    total = size * _PRIME64[0]
    for pair in range((size - 1) // 32 + 1):
        total += _mix16(data, 16 * pair, 32 * pair)
        total += _mix16(data, size - 16 * (pair + 1), 32 * pair + 16)
    return _avalanche(total & _MASK64)


def _longer(data: bytes) -> int:
    """129 to 240 bytes."""
    size = len(data)
    total = size * _PRIME64[0]
    for i in range(8):
        total += _mix16(data, 16 * i, 16 * i)
    total = _avalanche(total & _MASK64)
    for i in range(8, size // 16):
        total += _mix16(data, 16 * i, 16 * (i - 8) + 3)
    total += _mix16(data, size - 16, 136 - 17)
    return _avalanche(total & _MASK64)


def _accumulate(sums: list[int], data: bytes, at: int, secret_at: int) -> None:
    for i in range(8):
        value = _word(data, at + 8 * i)
        key = value ^ _word(_SECRET, secret_at + 8 * i)
        sums[i ^ 1] = (sums[i ^ 1] + value) & _MASK64
        sums[i] = (sums[i] + (key & 0xFFFFFFFF) * (key >> 32)) & _MASK64


def _scramble(sums: list[int]) -> None:
    for i in range(8):
        key = _word(_SECRET, len(_SECRET) - _STRIPE + 8 * i)
        sums[i] = (sums[i] ^ sums[i] >> 47 ^ key) * _PRIME32[0] & _MASK64


def _long(data: bytes) -> int:
    """Above 240 bytes: stripes of 64, blocks of 16 stripes."""
    size = len(data)
    sums = [_PRIME32[2], _PRIME64[0], _PRIME64[1], _PRIME64[2], _PRIME64[3],
            _PRIME32[1], _PRIME64[4], _PRIME32[0]]
    for stripe in range((size - 1) // _STRIPE):
        in_block = stripe % _STRIPES_PER_BLOCK
        if stripe and in_block == 0:
            _scramble(sums)
        _accumulate(sums, data, _STRIPE * stripe, 8 * in_block)
    if (size - 1) // _STRIPE % _STRIPES_PER_BLOCK == 0:
        _scramble(sums)
    _accumulate(sums, data, size - _STRIPE, len(_SECRET) - _STRIPE - 7)
    total = size * _PRIME64[0]
    for i in range(4):
        total += _fold(sums[2 * i] ^ _word(_SECRET, 11 + 16 * i),
                       sums[2 * i + 1] ^ _word(_SECRET, 19 + 16 * i))
    return _avalanche(total & _MASK64)


def xxh3_64(data: bytes) -> int:
    if len(data) < 17:
        raise ValueError("shorter inputs have formulas of their own")
    if len(data) <= 128:
        return _medium(data)
    return _longer(data) if len(data) <= 240 else _long(data)
