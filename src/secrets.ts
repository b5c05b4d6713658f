// What a credential, an address or a private path looks like. One list for the loader of models.json, the redaction of
// everything that is written, and the scan of what is published.

/** Texts that look like an API key or a token, whoever issued it. Names of models must not: `xai.grok-4-fast`, `hf-small`. */
export const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/,
  /\b(?:ghp|gho|ghs|ghu|hf|gsk|npm)_[A-Za-z0-9]{16,}/,
  /\b(?:github_pat_|glpat-|xox[abprs]-|ya29\.)[A-Za-z0-9_-]{16,}/,
  /\bxai-[A-Za-z0-9]{20,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{30,}/,
  // Only where a run of such characters begins: looked for at each of its places, a long run would take long.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]*/,
  /\bBearer\s+[A-Za-z0-9._~+/-]{8,}/i,
];

// A pattern that is tried again at each place of a long run takes minutes for a text of a megabyte. These behind-looks let
// it begin only where the first of all its tries in a run would: at the first edge of a word in it. Behind "_" a word has no
// edge at its beginning.
const NAME_BEGINS = String.raw`(?=[a-z0-9-])(?<=(?<![a-z0-9-]\.|[a-z0-9-])(?:(?<=_)[a-z0-9]+\.?)?(?:-+\.)*-*)`;
const PART_BEGINS = String.raw`(?=[a-z0-9-])(?<=(?<![a-z0-9-])(?:(?<=_)[a-z0-9]+)?-*|\.(?:com|net|org|io|dev|cloud|local|internal|lan|corp))`;
const SCHEME_BEGINS = `(?=[a-z])(?<=(?<![a-z0-9+.-])[0-9+.-]*)`;

const DOMAIN = new RegExp(
  String.raw`\b${PART_BEGINS}[a-z0-9-]+\.(?:com|net|org|io|dev|cloud|local|internal|lan|corp)\b`,
  "i",
);

/**
 * Texts that tell where something is reached: URLs, addresses, host names with a port or of a kind that hosts have.
 *
 * A bare name with a port (`buildhost:8080`) is none of them: versions of models are written the same way (`gpt-4:0613`,
 * `codestral:2501`), and so are shares, times and places in files (`rows:288`). The hosts that the environment names are
 * known, and are found and masked as they stand, such a one too.
 */
export const HOST_SHAPES: readonly RegExp[] = [
  new RegExp(String.raw`${SCHEME_BEGINS}[a-z][a-z0-9+.-]*:\/\/\S+`, "i"),
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\[(?=[0-9a-f:.]*::)[0-9a-f:.]*\]/i,
  /\blocalhost\b/i,
  new RegExp(String.raw`\b${NAME_BEGINS}[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}:\d{2,5}\b`, "i"),
  new RegExp(
    String.raw`\b${NAME_BEGINS}[a-z0-9-]+(?:\.[a-z0-9-]+)+\.(?:com|net|org|io|ai|dev|app|cloud|co|run|local|internal|lan|corp)\b`,
    "i",
  ),
  DOMAIN,
];

/** {@link HOST_SHAPES} for a name: "Z.ai" or "Example.com" may be what a vendor is called. */
export const HOST_SHAPES_IN_NAMES: readonly RegExp[] = HOST_SHAPES.filter((shape) => shape !== DOMAIN);

/** Names of fields whose value is a credential whatever it looks like. */
export const SECRET_FIELD =
  /^(?:.*[-_ ])?(?:(?:proxy[-_ ]?)?authorization|api[-_ ]?key|(?:access|refresh|id|auth|session|bearer)[-_ ]?token|bearer|(?:secret|private|access)[-_ ]?key|secret|client[-_ ]?secret|password|passwd|(?:set-)?cookies?|credentials?)$/i;

/** Names of fields whose value tells where something is reached whatever it looks like. */
export const ADDRESS_FIELD = /^(?:.*[-_ ])?(?:(?:base[-_ ]?)?ur[il]|api[-_ ]?base|host|hostname)$/i;

/** Texts that name somebody's home folder, on whatever machine. */
export const HOME_SHAPES: readonly RegExp[] = [
  /(?<![\w.-])\/(?:home|Users)\/[\w.-]+/,
  /\b[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4}[^\\/\s"'<>|]+/i,
];
