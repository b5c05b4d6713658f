// Facts about telephone numbers: reserved example numbers and the kind of line that each stands for.
import type { Extraction, Fact } from "./extraction.ts";

/** Countries whose numbering plan is widely documented. */
const REGIONS =
  "AE AR AT AU BD BE BG BR CA CH CN CO CZ DE DK EE EG ES FI FR GB GR HK HR HU ID IE IL IN IS IT JP KE KR LT LU LV MA MY NG NL NO " +
  "NZ PE PH PK PL PT RO RU SA SE SG SI SK TH TR TW UA US UY VN ZA";
const KINDS = ["FIXED_LINE", "MOBILE", "PREMIUM_RATE", "SHARED_COST", "TOLL_FREE", "VOIP"];

interface Library {
  PhoneNumberUtil: {
    getInstance(): {
      getExampleNumberForType(region: string, kind: number): { getCountryCode(): number } | null;
      getNumberType(number: unknown): number;
      format(number: unknown, form: number): string;
    };
  };
  PhoneNumberType: Record<string, number>;
  PhoneNumberFormat: { INTERNATIONAL: number };
}

export const phoneNumbers: Extraction = {
  id: "google-libphonenumber",
  title: "Telephone numbering plans",
  registry: "npm",
  package: "google-libphonenumber",
  version: "3.2.47",
  license: "(MIT AND Apache-2.0)",
  files: ["dist/libphonenumber.js"],
  attribution: "Google, libphonenumber (Apache-2.0); packaged by Rui Marinho, google-libphonenumber (MIT).",
  taken:
    "For widely documented countries and six kinds of line, the example number of that kind in international form, where " +
    "the plan's own rules give it the same kind.",
  async extract(unpacked) {
    const { default: library } = (await unpacked.load()) as unknown as { default: Library };
    const plans = library.PhoneNumberUtil.getInstance();
    const facts: Fact[] = [];
    for (const region of REGIONS.split(" ")) {
      for (const kind of KINDS) {
        const type = library.PhoneNumberType[kind] ?? -1;
        const example = plans.getExampleNumberForType(region, type);
        if (example === null || !example.getCountryCode() || plans.getNumberType(example) !== type) continue;
        const number = plans.format(example, library.PhoneNumberFormat.INTERNATIONAL);
        facts.push({ id: `${region}/${kind}`, region, kind, calling_code: example.getCountryCode(), number });
      }
    }
    return { "phone-numbers.jsonl": facts };
  },
};
