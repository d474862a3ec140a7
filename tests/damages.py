"""What a disk, a copy and an editor do to the bytes of a file."""

import random


def damaged(content: bytes, seed: int) -> bytearray:
    """Return the bytes otherwise: some flipped, overwritten, lost, inserted or set to zero."""
    rnd = random.Random(seed)
    while True:
        changed = bytearray(content)
        at = rnd.randrange(len(changed))
        kind = rnd.choice(["flip", "overwrite", "truncate", "insert", "zero", "lose"])
        if kind == "flip":
            changed[at] ^= 1 << rnd.randrange(8)
        elif kind == "overwrite":
            for _ in range(rnd.randrange(2, 20)):
                changed[rnd.randrange(len(changed))] = rnd.randrange(256)
        elif kind == "truncate":
            del changed[at:]
        elif kind == "insert":
            changed[at:at] = rnd.randbytes(rnd.randrange(1, 9))
        elif kind == "zero":
            changed[at : at + 64] = bytes(len(changed[at : at + 64]))
        else:
            del changed[at : at + rnd.randrange(1, 40)]
        if changed != content:
            return changed
