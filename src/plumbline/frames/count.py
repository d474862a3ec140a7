"""Counts the rows of many parts in threads, with flat memory."""

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from os import cpu_count
from queue import Empty, SimpleQueue

from plumbline.frames.batches import Part
from plumbline.frames.columns import CountedColumns
from plumbline.frames.level_counts import LevelCounts
from plumbline.frames.levels import FINE, Levels
from plumbline.progress import Progress

MOST_THREADS = 8  # however many cores there are; a convention
MOST_COUNTS = 4  # that threads share: one takes 66 MB for each group of rows


def count_rows(
    columns: CountedColumns,
    parts: Sequence[Part],
    *,
    levels: Levels = FINE,
    workers: int | None = None,
    progress: Progress | None = None,
) -> LevelCounts:
    """Return the counts of all parts; they do not depend on the number of threads."""
    import pyarrow as pa

    waiting: SimpleQueue[Part] = SimpleQueue()
    for part in parts:
        waiting.put(part)
    total = sum(part.rows or 0 for part in parts)
    stop = threading.Event()
    threads = _threads(workers, len(parts))
    counts = [LevelCounts(columns, levels) for _ in range(min(threads, MOST_COUNTS))]
    free: SimpleQueue[LevelCounts] = SimpleQueue()
    for one in counts:
        free.put(one)

    def work() -> None:
        while not stop.is_set():
            try:
                part = waiting.get_nowait()
            except Empty:
                return
            first = part.first
            for batch in part.batches(columns.names):
                if stop.is_set():
                    return
                own = free.get()
                try:
                    own.add(batch, part.name, first)
                finally:
                    free.put(own)
                first += batch.num_rows

    with ThreadPoolExecutor(threads) as pool:
        running = {pool.submit(work) for _ in range(threads)}
        try:
            while running:
                done, running = wait(running, 0.1, FIRST_COMPLETED)
                for future in done:
                    future.result()
                if progress is not None and total:
                    progress(min(sum(own.rows for own in counts), total), total)
        finally:
            stop.set()
    pa.default_memory_pool().release_unused()  # what Arrow keeps for further batches
    whole = counts.pop(0)
    while counts:
        whole.merge(counts.pop())
    return whole


def _threads(workers: int | None, parts: int) -> int:
    return max(1, min(workers or cpu_count() or 1, MOST_THREADS, parts))
