// What DuckDB says of a statement that it cannot read, as people read it.

/** The message of an error; some come as JSON, with the place as bytes, which their text shows anyhow. */
export function sqlErrorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (!text.startsWith('{"exception_type"')) return text;
  let detail: { readonly exception_type?: unknown; readonly exception_message?: unknown };
  try {
    detail = JSON.parse(text) as typeof detail;
  } catch (cause) {
    if (cause instanceof SyntaxError) return text;
    throw cause;
  }
  const { exception_type: type, exception_message: message } = detail;
  return typeof message === "string" ? `${String(type)} Error: ${message}` : text;
}
