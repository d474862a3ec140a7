"""Files of curves and of what is read off them."""

import dataclasses
import math
from typing import Any

from plumbline.curves import (
    Curve,
    CurveSettings,
    both_conditions,
    curve_spec,
    draw_curve,
    params_for,
    unused_settings,
)
from plumbline.curves.best_threshold import best_threshold, refuse_other_curve
from plumbline.curves.readings import point_at
from plumbline.formatting import number
from plumbline.predictions import Predictions
from plumbline.python_calls import literal
from plumbline.reporting.curve_again import curve_call
from plumbline.workbench.questions.cases import cases_of, model_of
from plumbline.workbench.questions.curve import curve_of, second_of, shown_of
from plumbline.workbench.questions.difference import difference_of
from plumbline.workbench.questions.exporting.artifact import (
    Artifact,
    choosing,
    line,
    sentences,
    sentences_of,
)
from plumbline.workbench.questions.exporting.script import Code, file_name, reading_arguments
from plumbline.workbench.questions.inquiry import Inquiry
from plumbline.workbench.questions.iso_cost import answer as iso_cost_answer
from plumbline.workbench.questions.reading import answer as reading_answer
from plumbline.workbench.questions.reading import counted_lines
from plumbline.workbench.questions.subgroups import answer as subgroups_answer
from plumbline.workbench.questions.subgroups import subgroup_curves

MOST_POINTS = 4000  # columns in which the points of a group are told apart


def curve(inquiry: Inquiry) -> Artifact:
    """Return the curve; its number is y at the threshold, where the question has one."""
    drawn, data = curve_of(inquiry), inquiry.chosen()
    second = second_of(inquiry)

    def marks() -> dict[str, Any]:
        points = _points_at(inquiry, drawn)
        return {"hull": shown_of(inquiry).get("hull", False), "points": points, "second": second}

    def page(name: str) -> str:
        from plumbline.reporting.curve_page import curve_page

        return curve_page(
            drawn,
            data,
            bests={},
            cases=None,
            command=None,
            name=name,
            file=file_name(inquiry),
            read=reading_arguments(inquiry),
            marks=marks(),
        )

    return Artifact(
        json=lambda: {
            **_card(drawn, data),
            **({} if second is None else {"second": _card(second, data)}),
        },
        rows=lambda: _points(drawn, second),
        sentences=sentences_of(drawn),
        code=_code(inquiry, drawn),
        figure=lambda: _figure(drawn, **marks()),
        filtered=False,
        page=page,
    )


def _card(curve: Curve, data: Predictions) -> dict[str, Any]:
    numbers = {name: value for name, value in curve.to_dict().items() if name != "settings"}
    return {**curve_spec(curve, data), **numbers}


def _points(curve: Curve, second: Curve | None) -> Any:
    """Return the points of a curve as a table; those of a second one below, told apart by y."""
    if second is None:
        return curve.to_frame("pyarrow")
    import pyarrow as pa

    tables = [one.to_frame("pyarrow") for one in (curve, second)]
    named = [
        table.append_column("y_title", pa.array([one.y_title] * len(table)))
        for table, one in zip(tables, (curve, second), strict=True)
    ]
    return pa.concat_tables(named, promote_options="permissive")


def _code(inquiry: Inquiry, curve: Curve) -> Code:
    second, data = second_of(inquiry), inquiry.chosen()
    again = [f"result = {_call('curve', data, curve.settings)}"]
    if second is not None:
        again.append(f"second = {_call('curve', data, second.settings)}")
    return Code(tuple(again), _number(inquiry, curve))


def _number(inquiry: Inquiry, curve: Curve) -> str:
    """Return the number of the first line of `result`: y at the threshold, else the area below."""
    threshold = inquiry.values("reading").get("threshold")
    lines = counted_lines(inquiry, curve) if threshold is not None else None
    if threshold is not None and lines and curve.lines:
        first, counted = curve.lines[0], lines[0]
        _, y = point_at(first, curve, counted, threshold)
        if y is not None and not math.isnan(y):
            line, t = "result.lines[0]", literal(counted.at(threshold))
            if curve.settings.direction != "ascending":
                return f"{line}.y[{line}.threshold >= {t}][-1]"
            if first.threshold[0] == -math.inf:
                return f"{line}.y[{line}.threshold <= {t}][-1]"
            return f"{line}.y[{line}.threshold >= {t}][0]"
    area = curve.areas[0] if curve.lines and curve.named_area is not None else None
    return "result" if area is None or math.isnan(area) else "result.areas[0]"


def _points_at(inquiry: Inquiry, curve: Curve) -> dict[str, list[tuple[float, float]]]:
    """Return where every line is at the threshold of the question, under the name of that."""
    threshold = inquiry.values("reading").get("threshold")
    lines = counted_lines(inquiry, curve) if threshold is not None and not curve.x_names else None
    if threshold is None or not lines:
        return {}
    points = [
        point_at(line, curve, counted, threshold)
        for line, counted in zip(curve.lines, lines, strict=True)
    ]
    known = [(x, y) for x, y in points if x is not None and not math.isnan(x) and not math.isnan(y)]
    return {f"threshold {number(threshold)}": known}


def _call(function: str, data: Predictions, settings: CurveSettings, **more: Any) -> str:
    """Return the call that draws a curve with these settings from `data`, or a difference.

    It leaves out what it would refuse: settings that change nothing.
    """
    unused = unused_settings(data, settings, difference=function == "curve_difference")
    return curve_call(settings, f"pb.{function}", unused=unused, **more)


def _figure(curve: Curve, **marks: Any) -> Any:
    from plumbline.plots import curve_figure

    return curve_figure(curve, **marks)


def reading(inquiry: Inquiry) -> Artifact:
    """Return counts and rates at a threshold, line by line."""
    drawn, answer = curve_of(inquiry), reading_answer(inquiry)
    lines = [_flat(line) for line in answer["lines"]]
    return Artifact(
        json=lambda: answer,
        rows=lambda: lines,
        sentences=sentences(
            answer["reason"], *(line["presentation"]["summary"] for line in answer["lines"])
        ),
        code=_code(inquiry, drawn),
        filtered=False,
    )


def _flat(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line as one row: a rate and the ends of its interval are columns."""
    row = {name: value for name, value in line.items() if not isinstance(value, (list, dict))}
    for rate in line["rates"]:
        name = rate["name"]
        row |= {name: rate["value"], f"{name}_low": rate["low"], f"{name}_high": rate["high"]}
    return row


def iso_cost(inquiry: Inquiry) -> Artifact:
    """Return where errors cost least, line by line."""
    answer = iso_cost_answer(inquiry)
    return _of_lines(answer, answer["lines"])


def subgroups(inquiry: Inquiry) -> Artifact:
    """Return the points of the curve in every group of an attribute."""
    fields = {**inquiry.fields, "width": MOST_POINTS}
    answer = subgroups_answer(dataclasses.replace(inquiry, fields=fields))
    rows = [
        {"group": group["name"], "model": line["model"], "threshold": t, "x": x, "y": y}
        for group in answer["groups"]
        for line in group["lines"]
        for t, x, y in zip(*(line[name].tolist() for name in ("threshold", "x", "y")), strict=True)
    ]
    curves = subgroup_curves(inquiry)
    settings, data = curves.settings, inquiry.chosen()
    groups = {group.name: both_conditions(settings.where, group) for group in curves.groups}
    call_of_one = _call("curve", data, dataclasses.replace(settings, where=None)).removesuffix(")")
    code = Code(
        (
            f"groups = {literal(groups)}",
            "result = {",
            f"    name: {call_of_one}, where=where)",
            "    for name, where in groups.items()",
            "}",
        ),
        "{name: curve.areas for name, curve in result.items()}",
    )

    def figure() -> Any:
        from plumbline.plots import multiples_figure

        return multiples_figure(
            {group.name: group.curve or group.reason or "" for group in curves.groups}
        )

    artifact = _of_lines(answer, rows)
    return dataclasses.replace(
        artifact, sentences=curves.notes, code=code, figure=figure, filtered=False
    )


def _of_lines(answer: dict[str, Any], rows: list[dict[str, Any]]) -> Artifact:
    """Return what only the workbench computes: its answer, without code."""
    flat = [
        {name: value for name, value in row.items() if not isinstance(value, (list, dict))}
        for row in rows
    ]
    return Artifact(
        json=lambda: answer, rows=lambda: flat, sentences=sentences(*answer.get("notes", ()))
    )


def optimum(inquiry: Inquiry) -> Artifact:
    """Return the best threshold of one model: that of the question, else the first."""
    values, settings = inquiry.values("optimum"), _with_y(inquiry)
    goal, subject_to = values.get("goal", "max"), values.get("subject_to") or None
    model, data = model_of(inquiry), inquiry.chosen()
    data = data if model is None else data.select(model=model)
    refuse_other_curve(data, settings, y=settings.y, subject_to=subject_to)
    named = {
        "goal": goal,
        "subject_to": subject_to,
        "sort_by": settings.sort_by,
        "where": settings.where,
        "target": settings.target,
        "level": settings.level,
        "resamples": settings.resamples,
        "rng": settings.seed or 0,
        "params": params_for(
            settings.params, settings.y, subject_to, settings.sort_by, settings.where
        )
        or None,
    }
    key = ("best_threshold", inquiry.selection, model, settings.y, repr(named))
    result = inquiry.memory.once(
        key, lambda: best_threshold(data, settings.y, progress=inquiry.progress, **named)
    )

    def figure() -> Any:
        one = draw_curve(data, settings, settings.seed or 0, inquiry.progress)
        return _figure(one, best=result)

    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=sentences_of(result),
        code=Code((*choosing(model), line("optimum", named, first=(settings.y,))), "result.value"),
        figure=figure,
        filtered=False,
    )


def _with_y(inquiry: Inquiry) -> CurveSettings:
    settings, y = curve_of(inquiry).settings, inquiry.values("optimum").get("y")
    return settings if y is None else dataclasses.replace(settings, y=y)


def cases(inquiry: Inquiry) -> Artifact:
    """Return all rows between two thresholds."""
    result, model = cases_of(inquiry, most=None), model_of(inquiry)
    settings = curve_of(inquiry).settings if inquiry.fields.get("curve") is not None else None
    params = (
        {} if settings is None else params_for(settings.params, settings.sort_by, settings.where)
    )
    values = inquiry.values("cases")
    named: dict[str, Any] = {
        **{end: values[end] for end in ("low", "high") if end in values},
        "sort_by": None if settings is None else settings.sort_by,
        "where": inquiry.selection.where,
        "target": inquiry.selection.target if settings is None else settings.target,
        "params": params or None,
    }

    def figure() -> Any:
        data = inquiry.chosen() if model is None else inquiry.chosen().select(model=model)
        assert settings is not None  # else there is no figure  # noqa: S101
        return _figure(
            draw_curve(data, settings, settings.seed or 0, inquiry.progress), cases=result
        )

    return Artifact(
        json=lambda: {"model": model, **result.to_dict()},
        rows=result.rows,
        sentences=sentences_of(result),
        code=Code((*choosing(model), line("cases_between", named)), "result.n"),
        figure=None if settings is None else figure,
        filtered=False,
    )


def difference(inquiry: Inquiry) -> Artifact:
    """Return the difference of two models' curves."""
    result, models = difference_of(inquiry), inquiry.values("difference").get("models")
    data = inquiry.chosen()
    settings = dataclasses.replace(curve_of(inquiry).settings, band="none")
    more = {} if models is None else {"models": models}

    def figure() -> Any:
        from plumbline.plots import difference_figure

        return difference_figure(result)

    return Artifact(
        json=result.to_dict,
        rows=result.rows,
        sentences=sentences_of(result),
        code=Code(
            (f"result = {_call('curve_difference', data, settings, **more)}",),
            "abs(result.difference).max()",
        ),
        figure=figure,
        filtered=False,
    )
