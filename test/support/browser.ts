// The built site in headless Chromium, served from this machine; everything that goes wrong on a page is kept.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { createGzip } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** Where Chromium is: CHROMIUM_PATH, else where Debian puts it. */
export function chromiumPath(): string | undefined {
  return process.env.CHROMIUM_PATH ?? PLACES.find((path) => existsSync(path));
}

export interface Shown {
  readonly page: Page;
  /** Errors on the console or thrown, and requests to other hosts or for files that are not there. */
  readonly problems: string[];
  /** Bytes that were transferred, compressed. */
  readonly transferred: () => number;
  readonly close: () => Promise<void>;
}

export interface View {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** A site that is served, and a browser to look at it. */
export class SiteBrowser {
  readonly #server: Server;
  readonly #browser: Browser;
  readonly address: string;
  #sent = 0;

  private constructor(server: Server, browser: Browser) {
    this.#server = server;
    this.#browser = browser;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Serves a folder; `headers` go with every file. */
  static async open(site: string, headers: Readonly<Record<string, string>> = {}): Promise<SiteBrowser> {
    const executablePath = chromiumPath();
    if (executablePath === undefined) throw new Error("Chromium is not installed: set CHROMIUM_PATH");
    let opened: SiteBrowser | undefined;
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site");
      const name = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      const path = join(site, normalize(decodeURIComponent(name)));
      if (!path.startsWith(site) || !existsSync(path) || !statSync(path).isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, {
        ...headers,
        "content-type": TYPES[extname(path)] ?? "application/octet-stream",
        "content-encoding": "gzip",
      });
      const gzip = createReadStream(path).pipe(createGzip());
      gzip.on("data", (piece: Buffer) => {
        if (opened !== undefined) opened.#sent += piece.length;
      });
      gzip.pipe(response);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        // Whatever asks for another host finds none, a worker too.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
      ],
    });
    opened = new SiteBrowser(server, browser);
    return opened;
  }

  /** Opens a page in a browser context of its own, and waits until it has drawn what it draws at first. */
  async show(path: string, view?: View): Promise<Shown> {
    const shown = await this.blank(view);
    await shown.page.goto(`${this.address}/${path}`, { waitUntil: "networkidle" });
    return shown;
  }

  /** An empty page in a browser context of its own, watched from now on. */
  async blank(view: View = { width: 1440, scheme: "light" }): Promise<Shown> {
    const context = await this.#browser.newContext({
      viewport: { width: view.width, height: 900 },
      colorScheme: view.scheme,
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(?:data|blob):/.test(url) && !url.startsWith(this.address)) problems.push(`asked for ${url}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    const before = this.#sent;
    return { page, problems, transferred: () => this.#sent - before, close: () => context.close() };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await new Promise((closed) => this.#server.close(closed));
  }
}
