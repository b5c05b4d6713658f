// For developers: takes the facts of the corpus anew from the packages they come from and writes data/sources.json
// and data/sources/*.jsonl. Usage: npx tsx scripts/extract-sources [--only ID,ID] [SCRATCH-FOLDER]
// With --only, the other sources stay as they are.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compareCodePoints } from "../../src/answers/canonical.ts";
import { stringifyJson } from "../../src/answers/json.ts";
import { type Source, sourcesSchema } from "../../src/corpus/build/sources.ts";
import { brandColors, colorNames, typefaces } from "./appearance.ts";
import { ariaRoles, browserCompat, webFeatures } from "./browsers.ts";
import {
  accountNumbers,
  confusables,
  countries,
  currencies,
  industries,
  languages,
  licenses,
  postalAreas,
  sqlStates,
} from "./codes.ts";
import { crawlers } from "./crawlers.ts";
import { countryNames, datePatterns, handwrittenDigits } from "./documents.ts";
import type { Extraction } from "./extraction.ts";
import { employment, federalHolidays, receipts } from "./government.ts";
import { iconTags } from "./icons.ts";
import { sortedMail } from "./mail.ts";
import { installNpm, openPackage, type UnpackedPackage } from "./packages.ts";
import { penguins } from "./penguins.ts";
import { cloudActions } from "./permissions.ts";
import { birdStrikes, births, earthquakes } from "./records.ts";
import { runtimeReleases } from "./releases.ts";
import { modelPrices, taxRates, timeZones, webhooks } from "./services.ts";
import { specifications } from "./specifications.ts";
import { travelModes } from "./studies.ts";
import { releaseSchedule } from "./support.ts";
import { phoneNumbers } from "./telephony.ts";
import { callingCodes, territoryLanguages } from "./territories.ts";
import { toolParameters } from "./tools.ts";

const EXTRACTIONS: readonly Extraction[] = [
  accountNumbers,
  ariaRoles,
  birdStrikes,
  births,
  brandColors,
  browserCompat,
  colorNames,
  callingCodes,
  cloudActions,
  confusables,
  countries,
  countryNames,
  crawlers,
  currencies,
  employment,
  federalHolidays,
  datePatterns,
  earthquakes,
  handwrittenDigits,
  iconTags,
  industries,
  languages,
  licenses,
  modelPrices,
  penguins,
  phoneNumbers,
  postalAreas,
  receipts,
  releaseSchedule,
  sortedMail,
  runtimeReleases,
  specifications,
  sqlStates,
  taxRates,
  territoryLanguages,
  timeZones,
  toolParameters,
  travelModes,
  typefaces,
  webFeatures,
  webhooks,
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { only: { type: "string" } },
  allowPositionals: true,
});
const only = values.only?.split(",");
const wanted = EXTRACTIONS.filter((e) => only === undefined || only.includes(e.id));
for (const id of only ?? []) {
  if (!wanted.some((e) => e.id === id)) throw new Error(`no source ${id}`);
}
const scratch = positionals[0] ?? mkdtempSync(join(tmpdir(), "decision-bench-sources-"));
if (!relative(root, scratch).startsWith("..")) {
  throw new Error("the scratch folder must be outside the project");
}

installNpm(wanted, scratch);
const opened = new Map<string, UnpackedPackage>(wanted.map((e) => [e.id, openPackage(e, scratch)]));
const installed = (id: string): UnpackedPackage => {
  const unpacked = opened.get(id);
  if (unpacked === undefined) throw new Error(`no source ${id}`);
  return unpacked;
};

const folder = join(root, "data", "sources");
mkdirSync(folder, { recursive: true });
const index = join(root, "data", "sources.json");
const kept =
  only === undefined
    ? []
    : sourcesSchema
        .parse(JSON.parse(readFileSync(index, "utf8")))
        .sources.filter(({ id }) => EXTRACTIONS.some((e) => e.id === id) && !only.includes(id));
const keptFiles = new Set(kept.flatMap((source) => source.facts.map(({ file }) => file)));
for (const name of readdirSync(folder)) if (!keptFiles.has(name)) rmSync(join(folder, name));

const sources: Source[] = [...kept];
for (const extraction of wanted) {
  const unpacked = installed(extraction.id);
  const facts: Source["facts"] = [];
  for (const [file, records] of Object.entries(await extraction.extract(unpacked, installed))) {
    const lines = [...records]
      .sort((a, b) => compareCodePoints(a.id, b.id))
      .map((record) => `${stringifyJson(record)}\n`)
      .join("");
    writeFileSync(join(folder, file), lines);
    const sha256 = createHash("sha256").update(lines, "utf8").digest("hex");
    facts.push({ file, sha256, records: records.length });
    console.log(`${file}: ${records.length} records, ${Buffer.byteLength(lines)} bytes`);
  }
  sources.push({
    id: extraction.id,
    title: extraction.title,
    registry: extraction.registry,
    package: extraction.package,
    version: extraction.version,
    license: extraction.license,
    integrity: unpacked.integrity,
    files: [...extraction.files],
    attribution: extraction.attribution,
    ...(extraction.rights === undefined ? {} : { rights: extraction.rights }),
    taken: extraction.taken,
    facts,
  });
}
sources.sort((a, b) => compareCodePoints(a.id, b.id));
const document = sourcesSchema.parse({ schema_version: 1, sources });
writeFileSync(index, `${JSON.stringify(document, null, 2)}\n`);
