// npm runs this after an install. It builds when the compiler is there and is silent when it is not
// (`npm ci --omit=dev`, or an installed package, which carries its own dist/).
import { createRequire } from "node:module";

try {
  createRequire(import.meta.url).resolve("typescript/package.json");
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  process.exit(0);
}
await import("./build.mjs");
