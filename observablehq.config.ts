// How Observable Framework makes the report. `bench report` copies this file and reports/ into a folder of its own and
// runs Framework there: see docs/decisions/0013-report.md.

/** In the order of the menu; named here so that the search knows them all. */
const pages = [
  { name: "Leaderboard", path: "/index" },
  { name: "Compare", path: "/compare" },
  { name: "Calibration", path: "/calibration" },
  { name: "Tasks", path: "/tasks" },
  { name: "Cost and speed", path: "/cost" },
  { name: "Rows", path: "/rows" },
  { name: "SQL", path: "/sql" },
  { name: "Protocol and data", path: "/protocol" },
];

/** What a screen reader misses in Framework's frame: the language of the page, what the box beside the menu does, lists of links alone. */
const spoken = `<script type="module">
document.documentElement.lang = "en";
document.querySelector("#observablehq-sidebar-toggle")?.setAttribute("aria-label", "Menu");
const close = document.querySelector("ol > #observablehq-sidebar-close");
close?.parentElement.before(close);
</script>`;

export default {
  root: "reports",
  output: "site",
  title: "Decision Bench",
  home: "Decision Bench",
  pages,
  style: "style.css",
  // Everything below keeps the site from asking another host for anything.
  globalStylesheets: [],
  head: `<link rel="icon" href="data:,">${spoken}`,
  footer:
    'Every number on these pages is a line of SQL over published files: see <a href="./protocol.html">Protocol and data</a>.',
  search: true,
  // Pages are named with their extension, so that any static host finds them.
  preserveExtension: true,
  toc: false,
  pager: false,
};
