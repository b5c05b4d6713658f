// What a published file says of a call without a valid answer: one of a few fixed texts. A provider's own words may hold
// anything and stay on the machine that heard them.

/** The error of a published row or attempt with this status; null for `ok` and for a call that never finished. */
export function publishedError(status: string): string | null {
  if (status === "ok" || status === "incomplete") return null;
  if (/^\d{3}$/.test(status)) return `HTTP ${status}`;
  if (status === "invalid_output" || status === "invalid_transport_output") return "Invalid model output";
  if (status === "transport_error" || status === "timeout") return "Transport error";
  return "Provider error";
}
