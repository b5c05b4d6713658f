// README's first command: installs what is missing, builds, evaluates both baselines over the whole corpus and says
// what to try next. It needs Node and npm, no key and no network but the npm registry (and that only the first time).
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Decision Bench needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(2);
}

const step = (text) => console.log(`\n» ${text}`);
const run = (command, args) => {
  try {
    execFileSync(command, args, { cwd: root, stdio: "inherit" });
  } catch (error) {
    // The command has said what is wrong.
    process.exit(typeof error.status === "number" ? error.status : 1);
  }
};

const installed = join(root, "node_modules", ".package-lock.json");
const lock = join(root, "package-lock.json");
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  step("Installing (about a minute the first time)");
  // No script of a package runs, whatever npm's version; our own would build, which comes next.
  const install = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  const npm = process.env.npm_execpath;
  if (npm === undefined) run("npm", install);
  else run(process.execPath, [npm, ...install]);
}

const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);
const cli = join(root, "dist", "cli.js");
if (!existsSync(cli) || statSync(cli).mtimeMs < newest(join(root, "src"))) {
  step("Building");
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
}

step("Evaluating both baselines over the whole corpus");
run(process.execPath, [
  cli,
  "--root",
  root,
  "run",
  "--model",
  "baseline-uniform,baseline-lexical",
  "--jobs",
  "8",
]);

console.log(`
The ledgers are in runs/. What to try next:

  npx bench score ${runOf("baseline-lexical")}
  npx bench sql "select task, round(avg(correct::int), 3) as accuracy, count(*) as n from answers group by task order by accuracy"
  npx bench run --model local --api-model <name> --limit 20 --dry-run
`);

/** The run that was just made; its name ends with a digest of its settings. */
function runOf(model) {
  const names = readdirSync(join(root, "runs")).filter(
    (name) => name.startsWith(`${model}-`) && !name.endsWith("-subset"),
  );
  return (
    names
      .map((name) => ({ name, at: statSync(join(root, "runs", name)).mtimeMs }))
      .sort((a, b) => b.at - a.at)[0]?.name ?? "<run>"
  );
}
