"""Published numbers, on the data they were published for: `make test-data DATA=folder`."""

import numpy as np
import pytest

import plumbline as pb

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def networks(data_folder):
    """Return the two networks' test predictions by name."""
    found = {}
    for name in ("wideresnet-16-4-cifar-10", "densenet-bc-100-cifar-100"):
        file = np.load(data_folder / "neural_networks" / f"{name}.npz")
        found[name] = pb.Predictions.from_arrays(file["labels"], file["probs"])
    return found


@pytest.mark.parametrize(
    ("name", "accuracy", "ece", "nll", "brier", "brier_error"),
    [
        ("wideresnet-16-4-cifar-10", 0.9109, 0.053716, 0.3782, 0.14387, 5e-6),
        ("densenet-bc-100-cifar-100", 0.7541, 0.142153, 1.2256, 0.3845, 5e-5),
    ],
)
def test_two_networks_have_their_known_scores(
    networks, name, accuracy, ece, nll, brier, brier_error
):
    """Accuracy, top-label ECE, negative log likelihood and Brier score, to the digits given."""
    data = networks[name]
    assert pb.accuracy(data) == pytest.approx(accuracy, abs=1e-12)
    found = pb.calibration_error(data, view="top-label", bins="equal-width:15")
    assert found.value == pytest.approx(ece, abs=5e-7)
    assert pb.log_loss(data) == pytest.approx(nll, abs=5e-5)
    assert pb.brier_score(data) == pytest.approx(brier, abs=brier_error)
    assert found.p_value == 0.002  # both are overconfident beyond any doubt


def test_resnet110_has_its_published_error(data_folder):
    """15 right-closed bins of equal width on (right or wrong, confidence): 0.047504."""
    import pyarrow.parquet as pq

    table = pq.read_table(data_folder / "neural_networks" / "resnet110-cifar-10-top1.parquet")
    right = table["true_label"].to_numpy() == table["pred_label"].to_numpy()
    data = pb.Predictions.from_arrays(right, table["confidence"].to_numpy())
    error = pb.calibration_error(data, bins=pb.EqualWidth(15))
    assert error.value == pytest.approx(0.047504, abs=5e-7)


def test_wideresnet_is_certain_of_a_quarter_of_its_images(networks):
    """2,469 confidences are exactly 1, and the complement still keeps the log loss finite."""
    data = networks["wideresnet-16-4-cifar-10"]
    assert int((data.prob.max(axis=1) == 1).sum()) == 2469
    assert np.isfinite(pb.log_loss(data))
    assert pb.impossible_rows(data) == 0


def test_hpc_predictions_read_from_a_file_by_their_own_names(data_folder):
    """Four classes in ten resamples with the columns' own names: --actual and --prob serve."""
    path = data_folder / "r_examples" / "hpc_cv.parquet"
    data = pb.read(path, actual="obs", prob={c: c for c in ("VF", "F", "M", "L")})
    assert (data.n, data.classes) == (3467, ("VF", "F", "M", "L"))
    predicted = [str(name) for name in data.attributes["pred"]]
    answers = [data.classes[c] for c in data.predicted]
    assert answers == predicted


def test_the_two_class_example_agrees_with_its_predicted_column(data_folder):
    """Both probability columns are read and the positive class is the last."""
    path = data_folder / "r_examples" / "two_class_example.parquet"
    data = pb.read(path, actual="truth", prob={"Class1": "Class1", "Class2": "Class2"})
    assert data.classes[data.positive] == "Class2"
    likely = np.array(data.classes)[data.most_likely]
    assert likely.tolist() == np.array(data.classes)[data.label].tolist()  # the file's answers
    assert pb.calibration_test(data).n == 500
