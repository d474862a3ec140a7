"""The fingerprint of a table: one table, one fingerprint; another table, another one."""

import numpy as np
import pytest

from every_column import table
from plumbline import Predictions, read


class TestFingerprint:
    """One table, one fingerprint; another table, another one."""

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "arrow"])
    def test_the_format_of_the_file_does_not_matter(self, tmp_path, dtype, ending):
        """What is read back from any format has the fingerprint of what was written."""
        data = table(dtype=dtype)
        data.write(tmp_path / f"data.{ending}")
        assert read(tmp_path / f"data.{ending}").fingerprint() == data.fingerprint()

    def test_it_is_these_digits_on_every_machine(self):
        """The digits are pinned: they may not depend on the platform or on a library's version."""
        data = Predictions.from_arrays(
            ["no", "yes", "no"],
            [0.1, 0.75, 0.5],
            row=["x", "y", "z"],
            weight=[1, 2, 0.5],
            attributes={"age": [31, 54, 40], "name": ["Ž", None, "b c"]},
        )
        expected = "1511ed6d385d31a80aa94921e496e77d80bfecc4ebd2997234ffc26d297c656c"
        assert data.fingerprint() == expected

    def test_any_change_changes_it(self):
        """A value, the order of rows, a name, a missing value, a column: each gives others."""
        data = table()
        frame = data.to_frame("pandas")
        changes = (
            lambda f: f.assign(age=f.age.where(f.index != 5, 1)),
            lambda f: f.iloc[::-1],
            lambda f: f.assign(model=f.model.replace("a", "c")),
            lambda f: f.assign(pressure=f.pressure.fillna(0.0)),
            lambda f: f.assign(**{"pain kind": f["pain kind"].replace("typical", "atypical")}),
            lambda f: f.rename(columns={"dose": "dosis"}),
            lambda f: f.drop(columns="weight"),
            lambda f: f.assign(fold=(f.fold + 1) % 3),
            lambda f: f.iloc[1:],
        )
        hashes = {Predictions.from_frame(change(frame)).fingerprint() for change in changes}
        assert len(hashes | {data.fingerprint()}) == 1 + len(changes)

    def test_ratings_and_answers_count(self):
        """Tables without probabilities have a fingerprint too."""
        labels = [["0", "1", "1"], ["0", "1", "0"]]
        hashes = {
            Predictions.from_arrays([0, 1, 1], classes=["0", "1"], **others).fingerprint()
            for others in (
                {"predicted": labels[0]},
                {"predicted": labels[1]},
                {"score": [0.0, 1.0, 2.0]},
                {"score": [0.0, 1.0, 2.5]},
            )
        }
        assert len(hashes) == 4

    def test_zeros_and_missing_values_have_one_form(self):
        """Minus zero is zero, and every NaN is the same."""
        odd = np.array([np.nan, -0.0, 1.0])
        odd[0] = np.frombuffer(np.uint64(0x7FF8000000000123).tobytes())[0]
        plain = np.array([np.nan, 0.0, 1.0])
        one, two = (
            Predictions.from_arrays(
                [0, 1, 1], [0.2, 0.6, 0.7], attributes={"x": values}
            ).fingerprint()
            for values in (odd, plain)
        )
        assert one == two
