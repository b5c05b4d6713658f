// What is measured and how, word for word, and everything to take away.
import { html } from "npm:htl";
import { FileAttachment } from "observablehq:stdlib";
import { bytes, count, NONE } from "./format.js";
import { fileUrl, type Site, shard, site } from "./site.js";
import { dataTable } from "./table.js";

interface SqlFile {
  readonly name: string;
  readonly stage: string;
  readonly kind: string;
  readonly sql: string;
}

/** What is shown word for word. */
interface ProtocolData {
  readonly prompt: {
    readonly version: string;
    readonly sha256: string;
    readonly policy: string;
    readonly user: string;
    readonly schema_name: string;
  };
  readonly sql: readonly SqlFile[];
  readonly pages: readonly PageQuery[];
}

interface PageQuery {
  readonly file: string;
  readonly text: string;
}

interface Sources {
  readonly sources: readonly {
    readonly dataset: string | null;
    readonly source_kind: string | null;
    readonly license: string | null;
    readonly rows: number;
    readonly tasks: number;
  }[];
  readonly wordings: readonly {
    readonly prompt_version: string | null;
    readonly prompt_sha256: string | null;
    readonly results: number;
  }[];
}

interface Download {
  readonly group: string;
  readonly path: string;
  /** Where it lies; the name may differ. */
  readonly file: string;
  readonly bytes: number;
}

/** A link to a file by its path; only its name when it is not there. */
type Link = (path: string, text?: string) => Node | string;

export async function protocolPage(): Promise<DocumentFragment> {
  const [known, data, sources, downloads] = await Promise.all([
    site(),
    FileAttachment("../data/protocol.json").json() as Promise<ProtocolData>,
    FileAttachment("../data/sources.json").json() as Promise<Sources>,
    shard<readonly Download[]>("downloads/index.json"),
  ]);
  const files = new Map(downloads.map((download) => [download.path, download]));
  const link: Link = (path, text) => {
    const found = files.get(path);
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (found === undefined) return name;
    return html`<a href=${downloadUrl(found.file, known)} download=${name}>${text ?? name}</a>`;
  };
  const page = html.fragment`
    ${rules(link)}
    ${prompt(data, sources)}
    ${corpus(known, sources, downloads, link)}
    ${limits(link)}
    ${sql(data.sql, known)}
    ${queries(data.pages)}
    ${downloadList(downloads, link)}`;
  addEventListener("hashchange", openAddressed);
  // The parts that an address may name are in the page only after this.
  requestAnimationFrame(openAddressed);
  return page;
}

/** Opens the part that the address names and goes there. */
function openAddressed(): void {
  let id: string;
  try {
    id = decodeURIComponent(location.hash.slice(1));
  } catch {
    return;
  }
  const part = id === "" ? null : document.getElementById(id);
  if (part === null) return;
  const details = part.closest("details");
  if (details !== null) details.open = true;
  part.scrollIntoView();
}

function downloadUrl(path: string, { about }: Site): string {
  return fileUrl(`downloads/${path.split("/").map(encodeURIComponent).join("/")}`, about.digest);
}

function rules(link: Link): HTMLElement {
  return html`<section id="protocol">
    <h2>The protocol in short</h2>
    <p>A row is one decision: a record, one question about it, at least two options, one right answer. Every model gets the
      same rows, the same wording and the options in the same order, one row a conversation.</p>
    <ul>
      <li><b>Closed book.</b> A model sees the record and the question, and nothing else: no tools, no files, no search, no
        other rows, no example. The right answer, the reasons for it and where a row comes from never reach a request.
        Agents on the command line are run without their tools, and a call of any tool makes an answer invalid.</li>
      <li><b>The record is evidence.</b> It is not trusted; orders inside it change nothing.</li>
      <li><b>One answer.</b> A label and a probability for every option, as JSON. An answer that is not in the form counts as
        wrong, and as an error; nothing is repaired or guessed, and no model is asked again because of what it answered.</li>
      <li><b>Failures of transport</b> (no connection, too many requests, a fault of the server) may be repeated. A row that
        ends in an error is wrong, and is shown as an error beside the accuracy.</li>
      <li><b>Pictures</b> go to models that are registered as able to see; all others get the text alone. That is said where
        it matters.</li>
      <li><b>Floors.</b> Baselines that are no models, one that draws at random and one that matches words, answer the
        same rows.</li>
      <li><b>Standing.</b> Only full results on the active corpus are ranked, and only results of one wording are held against
        each other.</li>
    </ul>
    <p>In full: ${link("docs/protocol.md")}, and what the figures say and do not say:
      ${link("docs/statistics.md")}.</p>
  </section>`;
}

function prompt({ prompt: { version, sha256, policy, user, schema_name } }: ProtocolData, sources: Sources) {
  const foreign = sources.wordings.filter((wording) => wording.prompt_sha256 !== sha256);
  const others = foreign.reduce((sum, { results }) => sum + results, 0);
  return html`<section id="prompt">
    <h2>The wording</h2>
    <p>Version <code>${version}</code>, SHA-256 <code class="text">${sha256}</code>. The digest is made of these texts: the
      first is the system message, the second the user message of a row whose fields hold their own names. The answer's schema is
      called <code>${schema_name}</code> where an API wants a name.
      ${
        others === 0
          ? "All results of this report were made with it."
          : `${count(others)} of the results of this report were made with another wording.`
      }</p>
    <h3>System message</h3>
    <pre class="text" tabindex="0" aria-label="System message">${policy}</pre>
    <h3>User message</h3>
    <pre class="text" tabindex="0" aria-label="User message">${user}</pre>
  </section>`;
}

function corpus(
  { corpus: active, tasks }: Site,
  { sources }: Sources,
  downloads: readonly Download[],
  link: Link,
): HTMLElement {
  if (active === null)
    return html`<section id="corpus"><h2>Corpus</h2><p class="nothing">There is no corpus.</p></section>`;
  const described = downloads.some(({ path }) => path === "corpus/SOURCES.md");
  return html`<section id="corpus">
    <h2>The corpus and its sources</h2>
    <p><b class="text">${active.suite}</b> ${active.version}: ${count(active.rows)} rows, ${count(tasks.length)} tasks. Frozen by
      the SHA-256 <code class="text">${active.sha256}</code> over its rows.
      ${
        described
          ? html`Packages, licences and attributions of the sources, and what was taken from each:
            ${link("corpus/SOURCES.md")}.`
          : ""
      }</p>
    ${dataTable({
      caption: `Data sets of the corpus, ${count(new Set(sources.map(({ dataset }) => dataset)).size)} in all`,
      columns: [
        {
          label: "Data set",
          heading: true,
          cell: (row) => row.dataset ?? "not said",
          sort: (row) => row.dataset,
        },
        { label: "Kind", cell: (row) => row.source_kind ?? NONE, sort: (row) => row.source_kind },
        { label: "Licence", cell: (row) => row.license ?? "not said", sort: (row) => row.license },
        { label: "Rows", numeric: true, cell: (row) => count(row.rows), sort: (row) => row.rows },
        { label: "Tasks", numeric: true, cell: (row) => count(row.tasks), sort: (row) => row.tasks },
      ],
      rows: sources,
    })}
  </section>`;
}

function limits(link: Link): HTMLElement {
  return html`<section id="limits">
    <h2>Limits</h2>
    <ul>
      <li>The sources are public. A model may have met a record in training; a high score here is weaker evidence than the same
        score on records that nobody has published.</li>
      <li>The intervals of Wilson take rows as independent. Rows of one task resemble each other; the intervals over tasks
        (jackknife) allow for that, and are mostly the wider and the safer ones. With few tasks both are rough.</li>
      <li>A task has few rows. A difference on one task is a reason to look, not a result.</li>
      <li>Tests of pairs are corrected for their number among the full results of one prompt, not for looking at a hundred slices.</li>
      <li>A probability is what a model wrote, not what it computed inside.</li>
      <li>Costs are what providers report or prices times tokens; none of it is an invoice. What is unknown is said, and not
        counted as nothing.</li>
      <li>Latencies hold the network, the load of calls at once and retries. They were measured at different times and
        places.</li>
      <li>Providers change models behind one name. A result says what answered on its days.</li>
      <li>One question with fixed options is not the work of a department.</li>
    </ul>
    <p>Mistakes that were found in a frozen corpus stand in ${link("docs/errata.md")}.</p>
  </section>`;
}

function sql(files: readonly SqlFile[], { about }: Site): HTMLElement {
  const stages = [...new Set(files.map(({ stage }) => stage))];
  return html`<section id="sql">
    <h2>Every SQL file</h2>
    <p>Analysis ${about.analysis_version}, ${count(files.length)} files. Each reads earlier ones only. The links under the charts
      lead here.</p>
    ${stages.map(
      (stage) => html`<h3 class="stage">${stage.replace(/^\d+_/, "")}</h3>
        ${files.filter((file) => file.stage === stage).map(sqlFile)}`,
    )}
  </section>`;
}

/** Views answer for what figures mean; which of their columns a page takes, and where it counts on them, stands here. */
function queries(pages: readonly PageQuery[]): HTMLElement {
  return html`<section id="queries">
    <h2>What the pages ask</h2>
    <p>The numbers on the pages are the answers of these views to the queries below: those of <code>data/</code> as the programs that
      make the files, the others as SQL. Beyond that a page sorts, filters and rounds, and takes sums and shares of counts that
      it shows.</p>
    ${pages.map(
      ({ file, text }) => html`<details class="sql-file" id=${`query-${file}`}>
        <summary><code>${file}</code></summary>
        <pre class="text" tabindex="0" aria-label=${`Query for ${file}`}>${text}</pre>
      </details>`,
    )}
  </section>`;
}

function sqlFile({ name, kind, sql: text }: SqlFile): HTMLElement {
  return html`<details id=${`sql-${name}`} class="sql-file">
    <summary><code>${name}</code> <span class="kind">${kind}</span></summary>
    ${kind === "macros" ? macroNames(text).map((macro) => html`<span id=${`sql-${macro}`}></span>`) : ""}
    <pre class="text" tabindex="0" aria-label=${`SQL of ${name}`}>${text}</pre>
  </details>`;
}

/** The macros of a file of several: the links under charts name them too. */
function macroNames(text: string): string[] {
  return [...text.matchAll(/^CREATE MACRO (\w+)/gm)].map(([, macro = ""]) => macro);
}

const GROUPS: Readonly<Record<string, string>> = {
  results: "Published results",
  corpus: "Corpus",
  sql: "SQL",
  docs: "Documents",
};

function downloadList(downloads: readonly Download[], link: Link): HTMLElement {
  return html`<section id="downloads">
    <h2>Downloads</h2>
    <p>The files behind this report, as they are.</p>
    ${Object.entries(GROUPS).map(([group, title]) => {
      const files = downloads.filter((file) => file.group === group);
      if (files.length === 0) return "";
      const total = files.reduce((sum, file) => sum + file.bytes, 0);
      const size = `${count(files.length)} ${files.length === 1 ? "file" : "files"}, ${bytes(total)}`;
      const open = group === "results" || group === "corpus";
      const details = html`<details id=${`downloads-${group}`}>
        <summary>${title} (${size})</summary>
        ${dataTable({
          caption: `${title}: ${size}`,
          columns: [
            {
              label: "File",
              heading: true,
              cell: (file: Download) => link(file.path, file.path),
              sort: (file: Download) => file.path,
            },
            {
              label: "Size",
              numeric: true,
              cell: (file: Download) => bytes(file.bytes),
              sort: (file: Download) => file.bytes,
            },
          ],
          rows: files,
        })}
      </details>` as HTMLDetailsElement;
      details.open = open;
      return details;
    })}
  </section>`;
}
