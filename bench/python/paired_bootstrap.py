"""The task bootstrap of every pair of published results, as one writes it by hand in plain Python.

Usage: paired_bootstrap.py [--choices] FOLDER

Reads row_id, task and correct from FOLDER/<model>/predictions.jsonl. For every pair of models it adds up, once, the
differences in correct answers and the shared rows of every task; then each of 2,000 repetitions draws as many tasks as
there are, with replacement, in a loop with one randrange a draw, and divides the sum of the drawn differences by the
sum of the drawn rows. With --choices the tasks of a repetition come from one call of random.choices, which draws in C.

Prints a JSON list of [model_a, model_b, low, high], the 2.5 % and 97.5 % quantiles by linear interpolation between
order statistics; on standard error, a JSON object with Python's version, the seconds that the pairs took without the
reading (wall clock) and the processor time of the whole process. Standard library only.
"""

import json
import random
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


def task_sums(rows_a, rows_b):
    """Gives the difference in correct answers and the number of shared rows, a list each with an entry a task."""
    differences, sizes = {}, {}
    for row, (task, correct) in rows_a.items():
        if row in rows_b:
            differences[task] = differences.get(task, 0) + correct - rows_b[row][1]
            sizes[task] = sizes.get(task, 0) + 1
    tasks = sorted(sizes)
    return [differences[task] for task in tasks], [sizes[task] for task in tasks]


def bootstrap(rng, differences, sizes):
    count = len(sizes)
    statistics = []
    for _ in range(REPETITIONS):
        difference = rows = 0
        for _ in range(count):
            task = rng.randrange(count)
            difference += differences[task]
            rows += sizes[task]
        statistics.append(difference / rows)
    return statistics


def bootstrap_choices(rng, differences, sizes):
    tasks = list(zip(differences, sizes))
    statistics = []
    for _ in range(REPETITIONS):
        difference = rows = 0
        for drawn_difference, drawn_rows in rng.choices(tasks, k=len(tasks)):
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
    repeat = bootstrap_choices if "--choices" in arguments else bootstrap
    folder = Path([argument for argument in arguments if argument != "--choices"][0])
    models = {path.parent.name: read_model(path) for path in folder.glob("*/predictions.jsonl")}
    read = time.perf_counter()
    rng = random.Random(20260923)
    out = []
    for a, b in combinations(sorted(models), 2):
        statistics = sorted(repeat(rng, *task_sums(models[a], models[b])))
        out.append([a, b, quantile(statistics, 0.025), quantile(statistics, 0.975)])
    done = time.perf_counter()
    json.dump(out, sys.stdout)
    version = ".".join(str(number) for number in sys.version_info[:3])
    json.dump({"version": version, "pairs_s": done - read, "cpu_s": time.process_time()}, sys.stderr)


main(sys.argv[1:])
