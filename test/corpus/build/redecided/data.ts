// The computed tasks of the category data, decided again from the state alone.

// biome-ignore lint/suspicious/noExplicitAny: the states are read as a stranger would
type State = any;

function holidayWeekday({ week_before: before, week_in_question: week, week_after: after }: State): string {
  const below = (day: string): number => week[day] / (before[day] + after[day]);
  return Object.keys(week).reduce((least, day) => (below(day) < below(least) ? day : least));
}

export const DATA_RULES: Readonly<Record<string, (state: State) => string>> = {
  "DAT-7": holidayWeekday,
};
