// Decides the computed support tasks from a row's state alone, by code written apart from the build.

// biome-ignore lint/suspicious/noExplicitAny: the states of several tasks, read as a stranger would
type State = any;

/** In days since 1970, apart from the builder's calendar. */
const day = (date: string): number => Math.round(Date.parse(date) / 86_400_000);

function releaseSupport(state: State): string {
  const entry = state.schedule.find((e: { line: string }) => e.line === state.customer_line);
  const delivery = day(state.ticket_date) + state.days_to_delivery;
  if (delivery > day(entry.last_day)) return "end-of-life";
  if (delivery < day(entry.released)) return "not released";
  const later = [entry.long_term_from ?? "9999-01-01", entry.critical_only_from].map(
    (d) => delivery >= day(d),
  );
  return ["current", "active-lts", "maintenance"][later.lastIndexOf(true) + 1] ?? "";
}

export const SUPPORT_RULES: Readonly<Record<string, (state: State) => string>> = {
  "SUP-3": releaseSupport,
};
