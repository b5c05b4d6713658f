// Loaded into the program before anything else: at its end it says which processor time it took, and whether the prototypes that
// everything shares are as they were. With FUZZ_SEAL nothing can be added to them from the first moment on. (Frozen ones would
// also keep every plain object from having a member "constructor" of its own.)
import { appendFileSync } from "node:fs";

const makers = [Object, Array, String, Number, Boolean, Function, RegExp, Map, Set, Promise, Error];
const shared = makers.flatMap((maker) => [maker, maker.prototype]);
const before = shared.map((holder) => Object.getOwnPropertyDescriptors(holder));

if (process.env.FUZZ_SEAL === "1") for (const holder of shared) Object.seal(holder);

process.on("exit", () => {
  const changed = shared.flatMap((holder, at) =>
    Reflect.ownKeys(holder).filter(
      (key) =>
        !Object.hasOwn(before[at], key) ||
        !Object.is(Object.getOwnPropertyDescriptor(holder, key).value, before[at][key].value),
    ),
  );
  const { user, system } = process.cpuUsage();
  const file = process.env.FUZZ_PROBE;
  if (file)
    appendFileSync(file, `${JSON.stringify({ ms: (user + system) / 1000, changed: changed.map(String) })}\n`);
});
