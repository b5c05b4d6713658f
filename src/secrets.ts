// What a credential, an address or a private path looks like. One list for the loader of models.json, the redaction of
// everything that is written, and the scan of what is published.

/** Texts that look like an API key or a token, whoever issued it. */
export const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/,
  /\b(?:ghp|gho|ghs|ghu|github_pat|glpat|hf|gsk|xai|xox[abprs]|ya29|npm)[-_.][A-Za-z0-9_.-]{16,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/,
  /\bBearer\s+[A-Za-z0-9._~+/-]{8,}/i,
];

/** Texts that tell where something is reached: URLs, addresses, host names with a port or of a kind that hosts have. */
export const HOST_SHAPES: readonly RegExp[] = [
  /[a-z][a-z0-9+.-]*:\/\/\S+/i,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\blocalhost\b/i,
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}:\d{2,5}\b/i,
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)+\.(?:com|net|org|io|ai|dev|app|cloud|co|run|local|internal|lan|corp)\b/i,
  /\b[a-z0-9-]+\.(?:com|net|org|io|dev|cloud|local|internal|lan|corp)\b/i,
];

/** Names of fields whose value is a credential whatever it looks like. */
export const SECRET_FIELD =
  /^(?:.*[-_ ])?(?:authorization|api[-_ ]?key|apikey|x-api-key|access[-_ ]?token|refresh[-_ ]?token|id[-_ ]?token|bearer|secret|client[-_ ]?secret|password|passwd|cookie|set-cookie|credentials?)$/i;
