// One HTTP exchange, for every provider that speaks HTTP: one time limit over all of it, one size limit, no redirects,
// and never a thrown error or a host in a message. undici's `dispatch` is used directly: its `request` cannot be
// abandoned while a connection is being made, and it costs a stream for each answer.
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { wholeWords } from "../answers/text.ts";
import { errorCode, errorMessage, whyTooManyFiles } from "../errors.ts";
import type { Environment } from "../workspace.ts";
import { type Connection, type Connections, openConnections } from "./connections.ts";
import { decodeBody } from "./encoding.ts";
import type { Endpoint } from "./endpoints.ts";
import { MAX_BODY_BYTES } from "./provider.ts";
import { onAbort } from "./stops.ts";

/** How much of a body that did not arrive whole is kept for the raw file, in UTF-16 units. */
const MAX_PARTIAL = 64 * 1024;
/** A timer with more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Below the base URL, e.g. `/chat/completions`. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpLimits {
  /** Over the whole exchange, from the call to the last byte, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What is wrong with an exchange that did not bring a whole, readable answer. */
export interface HttpFailure {
  readonly status: "transport_error" | "invalid_transport_output" | "incomplete";
  readonly error: string;
  readonly retryable: boolean;
}

export interface HttpExchange {
  readonly failure: HttpFailure | null;
  /** null when no answer began. */
  readonly httpStatus: number | null;
  readonly headers: IncomingHttpHeaders;
  /** The body; of a failed exchange at most its first 64 KiB; null when no answer began. */
  readonly text: string | null;
}

/** The header that lets us in. None goes to a loopback endpoint without a key. */
export function authorization(endpoint: Endpoint): Readonly<Record<string, string>> {
  return endpoint.key === null ? {} : { authorization: `Bearer ${endpoint.key}` };
}

/** The connections to one endpoint. */
export class HttpClient {
  readonly #endpoint: Endpoint;
  readonly #connections: Connections;
  /** What ends each exchange that is under way. */
  readonly #open = new Set<() => void>();
  #closed = false;

  /**
   * @param jobs how many exchanges can be under way at once; each has its own connection.
   * @throws {UserError} when `HTTPS_PROXY` is set and not a URL.
   */
  constructor(endpoint: Endpoint, options: { readonly jobs: number; readonly env: Environment }) {
    this.#endpoint = endpoint;
    this.#connections = openConnections(endpoint, options.jobs, options.env);
  }

  /** Sends one request and reads its answer. Never rejects. */
  async exchange(request: HttpRequest, limits: HttpLimits): Promise<HttpExchange> {
    const arrived = await this.#dispatch(request, limits);
    const { httpStatus, headers } = arrived;
    if (arrived.failure !== null) {
      // It ends anywhere: in the middle of a key, too, and half of one would be recognised by nobody.
      const partial = wholeWords(
        Buffer.concat(arrived.chunks).subarray(0, MAX_PARTIAL).toString("utf8").slice(0, MAX_PARTIAL),
      );
      return { failure: arrived.failure, httpStatus, headers, text: httpStatus === null ? null : partial };
    }
    let bytes = arrived.chunks.length === 1 ? (arrived.chunks[0] as Buffer) : Buffer.concat(arrived.chunks);
    const encoding = headers["content-encoding"];
    if (encoding !== undefined) {
      const decoded = await decodeBody(bytes, encoding, MAX_BODY_BYTES);
      if ("failure" in decoded) return { failure: decoded.failure, httpStatus, headers, text: "" };
      bytes = decoded.bytes;
    }
    const text = bytes.toString("utf8");
    if (!isUtf8(bytes)) {
      return { failure: unreadable("the answer is not UTF-8", true), httpStatus, headers, text };
    }
    return { failure: null, httpStatus, headers, text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
  }

  /** Ends every connection at once; exchanges under way, and later ones, end as `incomplete`. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stop of this.#open) stop();
    await this.#connections.destroy();
  }

  #dispatch(request: HttpRequest, limits: HttpLimits): Promise<Arrived> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let httpStatus: number | null = null;
      let headers: IncomingHttpHeaders = {};
      let settled = false;
      let controller: Dispatcher.DispatchController | undefined;
      let connection: Connection | undefined;

      const settle = (failure: HttpFailure | null): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        unwatch();
        this.#open.delete(stop);
        resolve({ failure, httpStatus, headers, chunks });
        if (failure === null) connection?.release();
        else {
          controller?.abort(ABANDONED);
          connection?.drop();
        }
      };
      const stop = (): void => settle(STOPPED);
      const timer = setTimeout(
        () => settle(broken(`no complete answer within ${limits.timeoutMs / 1000} s`)),
        Math.min(limits.timeoutMs, MAX_TIMER_MS),
      );
      this.#open.add(stop);
      let unwatch = (): void => {};
      if (this.#closed) return stop();
      unwatch = onAbort(limits.signal, stop);
      if (settled) return;

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart: (given) => {
          controller = given;
          if (settled) given.abort(ABANDONED);
        },
        onResponseStart: (_, status, received) => {
          if (settled || status < 200) return;
          httpStatus = status;
          headers = received;
        },
        onResponseData: (_, chunk) => {
          if (settled) return;
          size += chunk.length;
          if (size > MAX_BODY_BYTES) settle(TOO_LARGE);
          else chunks.push(chunk);
        },
        onResponseEnd: () => settle(null),
        onResponseError: (_, error) => settle(broken(describeFailure(error))),
        // Without it undici throws where nobody can catch it.
        onRequestUpgrade: (given) => {
          given.abort(ABANDONED);
          settle(broken("the server changed to another protocol"));
        },
      };
      try {
        connection = this.#connections.take();
        connection.dispatcher.dispatch(
          {
            origin: this.#endpoint.origin,
            path: this.#endpoint.path + request.path,
            method: request.method,
            headers: { accept: "application/json", "accept-encoding": "identity", ...request.headers },
            body: request.body,
            // The one limit above covers them; undici's own count idle time only.
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          handler,
        );
      } catch (error) {
        settle(broken(describeFailure(error)));
      }
    });
  }
}

interface Arrived {
  readonly failure: HttpFailure | null;
  readonly httpStatus: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly chunks: readonly Buffer[];
}

const ABANDONED = new Error("abandoned");
const STOPPED: HttpFailure = {
  status: "incomplete",
  error: "stopped before an answer came",
  retryable: false,
};
const TOO_LARGE = unreadable(`the answer is larger than ${MAX_BODY_BYTES / (1024 * 1024)} MiB`, false);

/** A failure of the connection. */
export function broken(error: string): HttpFailure {
  return { status: "transport_error", error, retryable: true };
}

/** A failure of what came through it. */
export function unreadable(error: string, retryable: boolean): HttpFailure {
  return { status: "invalid_transport_output", error, retryable };
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ENOTFOUND: "the name of the endpoint could not be resolved",
  EAI_AGAIN: "the name of the endpoint could not be resolved",
  EHOSTUNREACH: "the endpoint cannot be reached",
  ENETUNREACH: "the endpoint cannot be reached",
  ETIMEDOUT: "no connection in time",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_SOCKET: "the connection was cut before the answer was complete",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer is not as long as announced",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are too large",
  UND_ERR_DESTROYED: "the connection was closed by us",
};

/** What undici ends a connection for though its bytes are HTTP; 102 and 103 it reads over. */
const UNASKED: Readonly<Record<string, string>> = {
  "bad response": "the server sent HTTP 100 (Continue), which nobody had asked for",
  "bad upgrade": "the server changed to another protocol",
};

/** An error of undici or of a socket in our words: its own message holds hosts, ports and addresses. */
function describeFailure(error: unknown): string {
  const limit = whyTooManyFiles(error);
  if (limit !== null) return limit;
  const code = errorCode(error) ?? "";
  const unasked = code === "UND_ERR_SOCKET" ? UNASKED[errorMessage(error)] : undefined;
  if (unasked !== undefined) return unasked;
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  if (known !== undefined) return known;
  if ((error as Error | null)?.name === "HTTPParserError") return "the answer is not HTTP";
  const refused = /^Proxy response \((\d{3})\)/.exec(errorMessage(error))?.[1];
  if (refused !== undefined) return `the proxy refused the connection (HTTP ${refused})`;
  if (/TLS|SSL|CERT/.test(code)) return `no secure connection (${code.slice(0, 60)})`;
  return /^[A-Z][A-Z0-9_]{0,60}$/.test(code) ? `the exchange failed (${code})` : "the exchange failed";
}
