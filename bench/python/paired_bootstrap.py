"""The task bootstrap of every pair of published results in plain Python loops.

Usage: paired_bootstrap.py [--sums | --choices] FOLDER

Reads row_id, task and correct from FOLDER/<model>/predictions.jsonl. For every pair of models each of 2,000 repetitions
draws as many tasks as there are, with replacement, adds up the differences in correct answers over the rows of the drawn
tasks, row by row, and divides by the number of these rows: the definition, as one writes it down.

Two quicker ways of the same: with --sums the differences of a task are added up once a pair, and a draw adds a sum; with
--choices the tasks of a repetition come, besides, from one call of random.choices, which draws in C.

Prints a JSON list of [model_a, model_b, low, high], the 2.5 % and 97.5 % quantiles by linear interpolation between
order statistics; on standard error, a JSON object with Python's version, the seconds that the pairs took without the
reading (wall clock) and the peak memory of the process in MB. Standard library only.
"""

import json
import random
import resource
import sys
import time
from itertools import combinations
from pathlib import Path

REPETITIONS = 2000


def read_model(path):
    """Gives row id -> (task, 1 or 0)."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            rows[record["row_id"]] = (record["task"], int(record["correct"]))
    return rows


def by_task(rows_a, rows_b):
    """Gives the differences in correct answers on the shared rows, a list a task."""
    tasks = {}
    for row, (task, correct) in rows_a.items():
        if row in rows_b:
            tasks.setdefault(task, []).append(correct - rows_b[row][1])
    return [tasks[task] for task in sorted(tasks)]


def bootstrap(rng, tasks):
    count = len(tasks)
    statistics = []
    for _ in range(REPETITIONS):
        difference = rows = 0
        for _ in range(count):
            for row in tasks[rng.randrange(count)]:
                difference += row
                rows += 1
        statistics.append(difference / rows)
    return statistics


def bootstrap_sums(rng, tasks):
    count = len(tasks)
    differences = [sum(task) for task in tasks]
    sizes = [len(task) for task in tasks]
    statistics = []
    for _ in range(REPETITIONS):
        difference = rows = 0
        for _ in range(count):
            task = rng.randrange(count)
            difference += differences[task]
            rows += sizes[task]
        statistics.append(difference / rows)
    return statistics


def bootstrap_choices(rng, tasks):
    sums = [(sum(task), len(task)) for task in tasks]
    statistics = []
    for _ in range(REPETITIONS):
        difference = rows = 0
        for drawn_difference, drawn_rows in rng.choices(sums, k=len(sums)):
            difference += drawn_difference
            rows += drawn_rows
        statistics.append(difference / rows)
    return statistics


def quantile(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def main(arguments):
    ways = {"--sums": bootstrap_sums, "--choices": bootstrap_choices}
    repeat = ways.get(arguments[0], bootstrap)
    folder = Path(arguments[-1])
    models = {path.parent.name: read_model(path) for path in folder.glob("*/predictions.jsonl")}
    read = time.perf_counter()
    rng = random.Random(20260923)
    out = []
    for a, b in combinations(sorted(models), 2):
        statistics = sorted(repeat(rng, by_task(models[a], models[b])))
        out.append([a, b, quantile(statistics, 0.025), quantile(statistics, 0.975)])
    done = time.perf_counter()
    json.dump(out, sys.stdout)
    version = ".".join(str(number) for number in sys.version_info[:3])
    # In bytes on macOS, in KB elsewhere.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    json.dump({"version": version, "pairs_s": done - read, "peak_mb": peak}, sys.stderr)


main(sys.argv[1:])
