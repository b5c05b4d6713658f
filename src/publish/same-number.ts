// When two figures are the same: the one rule for every figure that is computed again.

/** How far two measurements may be apart, relative to the larger one: sums in another order differ in their last digits. */
const RELATIVE = 1e-9;
/** What is this near to nothing may be nothing. */
const ABSOLUTE = 1e-15;

/** Two whole numbers must be equal; of anything else the last digits may differ. */
export function isSameNumber(a: number, b: number): boolean {
  if (a === b) return true;
  if (Number.isInteger(a) && Number.isInteger(b)) return false;
  const apart = Math.abs(a - b);
  return apart <= ABSOLUTE || apart <= RELATIVE * Math.max(Math.abs(a), Math.abs(b));
}
