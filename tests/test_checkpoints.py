"""The map over pieces of work that survives being killed."""

import errno
import os
import threading
import time
from pathlib import Path

import joblib
import numpy as np
import pytest

import plumbline as pb
from damages import damaged
from plumbline.checkpoints import discard, run_blocks
from plumbline.random_streams import stream
from refusals import refused, warned


class TestBlocks:
    """The map that survives being killed."""

    keys = tuple((1, block) for block in range(6))

    @staticmethod
    def square(key):
        """Return something that depends on the key alone."""
        return np.array([key[1] ** 2, stream(3, *key).integers(100)])

    def run(self, folder, *, task=None, question=None, **more):
        """Run six blocks."""
        params = {"question": 1} if question is None else question
        return run_blocks(task or self.square, self.keys, question=params, folder=folder, **more)

    def test_results_come_in_the_keys_order(self, tmp_path):
        """Whatever order the work was done in."""
        result = self.run(None, workers=2)
        assert list(result) == list(self.keys)
        assert [int(value[0]) for value in result.values()] == [0, 1, 4, 9, 16, 25]

    def test_a_killed_run_computes_the_rest_only(self, tmp_path):
        """After an interrupt, blocks that are kept are not computed again."""

        def interrupt(done, _):
            if done == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self.run(tmp_path / "parts", workers=1, progress=interrupt)
        assert len(list((tmp_path / "parts").glob("block-*.npz"))) == 3
        computed, told = [], []

        def noted(key):
            computed.append(key)
            return self.square(key)

        told_of = lambda done, total: told.append((done, total))  # noqa: E731
        result = self.run(tmp_path / "parts", task=noted, workers=1, progress=told_of)
        assert computed == list(self.keys[3:])
        assert told == [(3, 6), (4, 6), (5, 6), (6, 6)]
        whole = self.run(None)
        assert all(np.array_equal(result[key], whole[key]) for key in self.keys)

    def test_a_failing_block_leaves_the_finished_ones(self, tmp_path):
        """The error comes through; what was done is kept."""

        def failing(key):
            if key[1] == 4:
                raise pb.InputError("this block fails", code="odd")
            return self.square(key)

        with refused(pb.InputError, "odd"):
            self.run(tmp_path / "parts", task=failing, workers=1)
        assert (tmp_path / "parts" / "block-1-0.npz").exists()
        assert not (tmp_path / "parts" / "block-1-4.npz").exists()

    @pytest.mark.parametrize("workers", [1, 2, 3])
    def test_after_an_error_no_task_runs_on_or_begins(self, workers):
        """A thread that is at work when another fails is waited for."""
        others, failed = threading.Event(), threading.Event()
        began, ended = [], []

        def failing(key):
            began.append(key)
            if key[1] == 0:
                others.wait(5 if workers > 1 else 0)
                failed.set()
                raise pb.InputError("this block fails", code="odd")
            others.set()
            assert failed.wait(5)
            time.sleep(0.1)
            ended.append(key)
            return self.square(key)

        with refused(pb.InputError, "odd"):
            self.run(None, task=failing, workers=workers)
        assert len(began) <= workers
        assert len(ended) == len(began) - 1
        time.sleep(0.2)
        assert len(began) <= workers

    def test_another_question_is_refused_with_what_differs(self, tmp_path):
        """The text names the setting, both values and the remedy."""
        self.run(tmp_path / "parts")
        with refused(pb.InputError, "question-changed", "question = 1", "here 2", "remove"):
            self.run(tmp_path / "parts", question={"question": 2})

    def test_a_folder_of_somebody_else_is_refused_and_left_alone(self, tmp_path):
        """Files that are not ours are neither used nor removed."""
        (tmp_path / "notes.txt").write_text("mine", "utf-8")
        with refused(pb.InputError, "question-missing", "question.json"):
            self.run(tmp_path)
        discard(tmp_path)
        assert (tmp_path / "notes.txt").exists()

    def test_discarding_leaves_what_others_put_there(self, tmp_path):
        """Our files go, with the folder if it is empty then."""
        for name, others in (("a", False), ("b", True)):
            self.run(tmp_path / name)
            if others:
                (tmp_path / name / "notes.txt").write_text("mine", "utf-8")
            discard(tmp_path / name)
            left = [file.name for file in (tmp_path / name).glob("*")]
            assert left == (["notes.txt"] if others else [])
            assert (tmp_path / name).exists() == others

    @pytest.mark.parametrize("kept", [0, 1, 40, -1])
    def test_a_truncated_block_is_done_again(self, tmp_path, kept):
        """Its file is named in a warning and written whole; the other blocks are not done again."""
        whole = self.run(tmp_path / "parts")
        file = tmp_path / "parts" / "block-1-2.npz"
        good = file.read_bytes()
        file.write_bytes(good[:kept])
        computed = []

        def noted(key):
            computed.append(key)
            return self.square(key)

        with warned("damaged-part", "block-1-2.npz"):
            again = self.run(tmp_path / "parts", task=noted)
        assert computed == [(1, 2)]
        assert all(np.array_equal(again[key], whole[key]) for key in self.keys)
        assert len(file.read_bytes()) == len(good)

    @pytest.mark.parametrize("named", [False, True])
    def test_whatever_happens_to_a_block_it_is_done_again(self, tmp_path, named):
        """Flipped, lost, inserted and zeroed bytes never change a number, nor stop a run."""

        def task(key):
            values = np.random.default_rng(key[1]).random(40)
            return {"prob": values, "label": np.array(["no", "yes"])} if named else values

        whole = self.run(tmp_path / "parts", task=task)
        file = tmp_path / "parts" / "block-1-2.npz"
        good = file.read_bytes()
        damages = [bytes(damaged(good, seed)) for seed in range(50)]
        damages += [good.replace(b"(40,)", b"(10,)"), b"", good + b"0", good[::-1]]
        damages += [(tmp_path / "parts" / "block-1-3.npz").read_bytes()]
        for damage in damages:
            file.write_bytes(damage)
            with warned("damaged-part", "block-1-2.npz"):
                again = self.run(tmp_path / "parts", task=task)
            np.testing.assert_equal(again, whole)
            assert file.read_bytes() == good

    def test_a_folder_in_place_of_a_block_stays(self, tmp_path):
        """The block is computed again and not kept, and what is discarded is ours alone."""
        whole = self.run(tmp_path / "parts")
        file = tmp_path / "parts" / "block-1-2.npz"
        file.unlink()
        file.mkdir()
        with warned("damaged-part", "block-1-2.npz", "not kept"):
            np.testing.assert_equal(self.run(tmp_path / "parts"), whole)
        discard(tmp_path / "parts")
        assert [left.name for left in (tmp_path / "parts").iterdir()] == [file.name]

    @pytest.mark.parametrize("number", [errno.EACCES, errno.EIO])
    def test_a_block_that_the_system_does_not_read_is_done_again(
        self, tmp_path, monkeypatch, number
    ):
        """The system's own word says why: no permission, or a disk that fails."""
        whole = self.run(tmp_path / "parts")
        read = Path.read_bytes

        def refusing(path):
            if path.name == "block-1-2.npz":
                raise OSError(number, os.strerror(number), str(path))
            return read(path)

        monkeypatch.setattr(Path, "read_bytes", refusing)
        with warned("damaged-part", "block-1-2.npz", os.strerror(number)):
            np.testing.assert_equal(self.run(tmp_path / "parts"), whole)

    @pytest.mark.parametrize("text", ["", "[1]", "3", "[" * 100_000, "\xff", '{"question"'])
    def test_a_question_that_is_damaged_is_refused(self, tmp_path, text):
        """Whose blocks they are is not known then."""
        self.run(tmp_path / "parts")
        (tmp_path / "parts" / "question.json").write_text(text, "latin-1")
        with refused(pb.InputError, "question-missing", "question.json", "remove"):
            self.run(tmp_path / "parts")

    def test_joblib_s_configuration_is_heeded(self):
        """Under `parallel_config` the user's back end and number of workers run the blocks."""
        calls = []

        def task(key):
            calls.append(joblib.parallel.get_active_backend()[0].nesting_level)
            return self.square(key)

        with joblib.parallel_config(backend="threading", n_jobs=2):
            result = self.run(None, task=task)
        assert len(calls) == len(result) == 6

    def test_dictionaries_of_arrays_come_back_as_they_were(self, tmp_path):
        """Numbers, texts and a single text, by name, from the folder as from the task."""

        def named(key):
            return {
                "prob": np.full((2, 3), key[1] / 10, np.float32),
                "label": np.array(["no", "yes"]),
                "choice": np.array('{"depth": 3}'),
            }

        first = self.run(tmp_path / "parts", task=named)
        again = self.run(tmp_path / "parts", task=self.square)  # nothing is computed again
        for key in self.keys:
            assert first[key].keys() == again[key].keys()
            for name, array in first[key].items():
                assert again[key][name].dtype == array.dtype
                assert np.array_equal(again[key][name], array)
