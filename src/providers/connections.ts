// The connections to one endpoint, directly or through a proxy: one for each exchange that is under way, kept for the next
// when it ended well. A pool of undici's will not do: it makes a new connection for a call that was given up, only to
// find that nobody wants it, and what is still being made it leaves alone for up to the connect timeout.
import type { Socket } from "node:net";
import { buildConnector, Client, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { UserError } from "../errors.ts";
import type { Environment } from "../workspace.ts";
import type { Endpoint } from "./endpoints.ts";

/** A connection that takes longer than this is given up, in ms; a call's own limit may be shorter. */
const CONNECT_TIMEOUT_MS = 10_000;

/** What one exchange goes through; it is nobody else's meanwhile. */
export interface Connection {
  readonly dispatcher: Dispatcher;
  /** The exchange ended well: the next one may have it. */
  release(): void;
  /** Ends it at once, whatever it is doing. */
  drop(): void;
}

export interface Connections {
  /** An idle connection, or one that opens with its first request. */
  take(): Connection;
  /** Ends every connection, whatever it is doing. */
  destroy(): Promise<void>;
}

/**
 * Opens no connection yet. A remote endpoint is reached through `HTTPS_PROXY` unless `NO_PROXY` names it; loopback
 * never is.
 *
 * @param jobs so many idle connections are kept at most.
 * @throws {UserError} when `HTTPS_PROXY` is not an http(s) URL.
 */
export function openConnections(endpoint: Endpoint, jobs: number, env: Environment): Connections {
  const open = dispatcherFor(endpoint, env);
  const idle: OneConnection[] = [];
  const all = new Set<OneConnection>();
  const end = async (one: OneConnection): Promise<void> => {
    all.delete(one);
    await one.destroy();
  };
  return {
    take() {
      const one = idle.pop() ?? new OneConnection(open);
      all.add(one);
      return {
        dispatcher: one.dispatcher,
        release: () => {
          if (idle.length < Math.max(1, jobs) && all.has(one)) idle.push(one);
          else void end(one);
        },
        drop: () => void end(one),
      };
    },
    async destroy() {
      idle.length = 0;
      await Promise.all([...all].map(end));
    },
  };
}

type Track = (connect: buildConnector.connector) => buildConnector.connector;

class OneConnection {
  readonly dispatcher: Dispatcher;
  readonly #sockets = new Set<Socket>();

  constructor(open: (track: Track) => Dispatcher) {
    this.dispatcher = open((connect) => (options, callback) => {
      // The types say that nothing comes back; it is the socket, and undici itself relies on that.
      const socket = connect(options, callback) as unknown as Socket;
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      return socket;
    });
  }

  async destroy(): Promise<void> {
    const done = this.dispatcher.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await done;
  }
}

function dispatcherFor(endpoint: Endpoint, env: Environment): (track: Track) => Dispatcher {
  const options = { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const proxy = env.HTTPS_PROXY || env.https_proxy;
  if (endpoint.loopback || !proxy) {
    return (track) => new Client(endpoint.origin, { ...options, connect: track(connector) });
  }
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new UserError("HTTPS_PROXY is not an http or https URL: expected http://host:port");
  }
  return (track) =>
    new EnvHttpProxyAgent({
      ...options,
      // A second tunnel would be opened for what is asked while the answer before is still being put away.
      connections: 1,
      connect: track(connector),
      // Everything is given, so that undici reads no variable of its own accord.
      httpProxy: "",
      httpsProxy: proxy,
      noProxy: env.NO_PROXY ?? env.no_proxy ?? "",
      clientFactory: (origin, given) => {
        const { connect } = given as { connect: buildConnector.connector };
        return new Client(origin, { connect: track(connect) });
      },
    });
}
