// The connections to one endpoint: a pool of as many as there are jobs, directly or through a proxy, and a way to let go
// of all of them at once. undici's own `destroy` leaves those alone that are still being made, and they would hold the
// process for up to the connect timeout.
import type { Socket } from "node:net";
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { UserError } from "../errors.ts";
import type { Environment } from "../workspace.ts";
import type { Endpoint } from "./endpoints.ts";

/** A connection that takes longer than this is given up, in ms; a call's own limit may be shorter. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Ends every connection, whatever it is doing. */
  destroy(): Promise<void>;
}

/**
 * Opens no connection yet. A remote endpoint is reached through `HTTPS_PROXY` unless `NO_PROXY` names it; loopback
 * never is.
 *
 * @throws {UserError} when `HTTPS_PROXY` is not an http(s) URL.
 */
export function openConnections(endpoint: Endpoint, jobs: number, env: Environment): Connections {
  const sockets = new Set<Socket>();
  const track = (connect: buildConnector.connector): buildConnector.connector => {
    return (options, callback) => {
      // The types say that nothing comes back; it is the socket, and undici itself relies on that.
      const socket = connect(options, callback) as unknown as Socket;
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      return socket;
    };
  };
  const dispatcher = openDispatcher(endpoint, jobs, env, track);
  return {
    dispatcher,
    async destroy() {
      const done = dispatcher.destroy();
      for (const socket of sockets) socket.destroy();
      await done;
    },
  };
}

function openDispatcher(
  endpoint: Endpoint,
  jobs: number,
  env: Environment,
  track: (connect: buildConnector.connector) => buildConnector.connector,
): Dispatcher {
  const options = {
    connections: Math.max(1, jobs),
    pipelining: 1,
    allowH2: false,
    connect: track(buildConnector({ timeout: CONNECT_TIMEOUT_MS })),
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxy = env.HTTPS_PROXY || env.https_proxy;
  if (endpoint.loopback || !proxy) return new Pool(endpoint.origin, options);
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new UserError("HTTPS_PROXY is not an http or https URL: expected http://host:port");
  }
  return new EnvHttpProxyAgent({
    ...options,
    // Everything is given, so that undici reads no variable of its own accord.
    httpProxy: "",
    httpsProxy: proxy,
    noProxy: env.NO_PROXY ?? env.no_proxy ?? "",
    clientFactory: (origin, given) => {
      const { connect } = given as { connect: buildConnector.connector };
      return new Pool(origin, { connect: track(connect) });
    },
  });
}
