// Compiles src/ to dist/. A folder beside dist/ is filled first and swapped in, so that a command that is
// running, or a build that fails, never meets half a program.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
const tsc = join(dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.tsc);
const fresh = join(root, `dist.new-${process.pid}`);
const old = join(root, `dist.old-${process.pid}`);
const dist = join(root, "dist");
try {
  execFileSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", fresh], {
    stdio: "inherit",
  });
  chmodSync(join(fresh, "cli.js"), 0o755);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} catch (error) {
  // The compiler has printed what is wrong; anything else is worth its own message.
  if (error.status === undefined) console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}
