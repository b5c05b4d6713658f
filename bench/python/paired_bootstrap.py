"""The task bootstrap of every pair of runs in plain Python loops, to compare the warehouse with.

Reads a JSON list of [run, row, task, correct] from the file named by the first argument and prints a JSON list of
[run_a, run_b, low, high]: the 2.5 % and 97.5 % quantiles, by linear interpolation, of the difference in accuracy over
2,000 repetitions that each draw as many tasks as there are, with replacement.
"""

import json
import random
import sys
from itertools import combinations

REPETITIONS = 2000


def quantile(ordered, share):
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def main(path):
    with open(path, encoding="utf-8") as file:
        answers = json.load(file)
    runs = {}
    task_of = {}
    for run, row, task, correct in answers:
        runs.setdefault(run, {})[row] = int(correct)
        task_of[row] = task
    out = []
    for a, b in combinations(sorted(runs), 2):
        right_a, right_b = runs[a], runs[b]
        sums = {}
        for row, correct in right_a.items():
            if row in right_b:
                total = sums.setdefault(task_of[row], [0, 0])
                total[0] += correct - right_b[row]
                total[1] += 1
        tasks = [tuple(sums[task]) for task in sorted(sums)]
        draw = random.Random(1).choices
        count = len(tasks)
        differences = []
        for _ in range(REPETITIONS):
            difference = rows = 0
            for gain, size in draw(tasks, k=count):
                difference += gain
                rows += size
            differences.append(difference / rows)
        differences.sort()
        out.append([a, b, quantile(differences, 0.025), quantile(differences, 0.975)])
    json.dump(out, sys.stdout)


main(sys.argv[1])
