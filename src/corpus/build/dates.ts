// Calendar arithmetic on dates written as YYYY-MM-DD, without time zones.

/** The date `days` later (earlier if negative). */
export function addDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The same day of the month `months` later; the day must exist there. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const total = year * 12 + (month - 1) + months;
  const text = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(total / 12)}-${text((total % 12) + 1)}-${text(day)}`;
}
