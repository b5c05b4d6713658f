// Facts about the releases of an application runtime: when each came out, and how often it was downloaded.
import type { Extraction } from "./extraction.ts";

interface Release {
  version: string;
  prerelease: boolean;
  published_at: string;
  total_downloads: number;
}

export const runtimeReleases: Extraction = {
  id: "electron-releases",
  title: "Releases of the Electron runtime",
  registry: "npm",
  package: "electron-releases",
  version: "3.1171.0",
  license: "MIT",
  files: ["index.json"],
  attribution: "Electron contributors, electron-releases (MIT).",
  taken: "For every final release from 1.0.0 to 19.x: version, day, and the number of downloads.",
  async extract(unpacked) {
    const releases = unpacked.json("index.json") as Release[];
    return {
      "runtime-releases.jsonl": releases
        .filter(({ version, prerelease }) => !prerelease && /^([1-9]|1\d)\.\d+\.\d+$/.test(version))
        .filter(({ total_downloads }) => total_downloads > 0)
        .map(({ version, published_at, total_downloads }) => ({
          id: version,
          released: published_at.slice(0, 10),
          downloads: total_downloads,
        })),
    };
  },
};
