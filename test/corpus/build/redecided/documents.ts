// The computed tasks of the category documents, decided again from the state alone.

// biome-ignore lint/suspicious/noExplicitAny: the states are read as a stranger would
type State = any;

/** Locales by the language and country of a document, where the country alone would mislead or is not a plain code. */
const TAGS: Readonly<Record<string, string>> = {
  Albanian: "sq-AL",
  Basque: "eu-ES",
  Bulgarian: "bg-BG",
  Catalan: "ca-ES",
  "Chinese (simplified)": "zh-Hans-SG",
  Croatian: "hr-BA",
  Estonian: "et-EE",
  Filipino: "fil-PH",
  French: "fr-BE",
  German: "de-AT",
  Greek: "el-GR",
  Indonesian: "id-ID",
  Italian: "it-IT",
  Korean: "ko-KR",
  Latvian: "lv-LV",
  Malay: "ms-SG",
  Portuguese: "pt-PT",
  "Serbian (Latin script)": "sr-Latn-RS",
  Slovenian: "sl-SI",
  Vietnamese: "vi-VN",
};
const REGIONS: Readonly<Record<string, string>> = {
  Australia: "AU",
  Belize: "BZ",
  Chile: "CL",
  Colombia: "CO",
  Guam: "GU",
  India: "IN",
  Mexico: "MX",
  Panama: "PA",
  Philippines: "PH",
  "Puerto Rico": "PR",
  Spain: "ES",
  "United States": "US",
};

/** By the order of the fields in the platform's own short date. */
function printedDate({ printed, document }: State): string {
  const { language, country } = document;
  const tag = TAGS[language] ?? `${language === "English" ? "en" : "es"}-${REGIONS[country]}`;
  const format = new Intl.DateTimeFormat(tag, { dateStyle: "short", timeZone: "UTC", calendar: "gregory" });
  const order = format.formatToParts(0).flatMap(({ type }) => (type === "literal" ? [] : [type]));
  const numbers: string[] = printed.match(/\d+/g);
  const field = (name: "day" | "month" | "year"): string =>
    (numbers[order.indexOf(name)] ?? "").padStart(2, "0");
  return `20${field("year")}-${field("month")}-${field("day")}`;
}

/** By local start and end as texts: on a working day, and between the hours, as texts too. */
function meetingSlot({ attendees, slots }: State, original: string): string {
  const offsets = original.split("; ").map((part) => Number(/ (-?\d+) min$/.exec(part)?.[1]));
  const fits = slots.filter(({ starts_at_utc }: State) =>
    attendees.every(({ works_from, works_until }: State, i: number) => {
      const [start = "", end = ""] = [0, 60].map((minutes) =>
        new Date(Date.parse(starts_at_utc) + ((offsets[i] ?? Number.NaN) + minutes) * 60_000).toUTCString(),
      );
      const sameDay = start.slice(0, 16) === end.slice(0, 16);
      const weekday = /^(Mon|Tue|Wed|Thu|Fri),/.test(start);
      return sameDay && weekday && start.slice(17, 22) >= works_from && end.slice(17, 22) <= works_until;
    }),
  );
  return fits.length === 0 ? "no-slot" : fits.map(({ slot }: State) => slot).join("+");
}

export const DOCUMENT_RULES: Readonly<Record<string, (state: State, original: string) => string>> = {
  "DOC-2": printedDate,
  "DOC-7": meetingSlot,
};
