// An HTTP proxy on loopback that notes what it is asked for. It refuses, takes the connection and says no more, or leads to one
// server under whatever name; and a server that speaks TLS.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";

export interface ScriptedProxy {
  /** With the credentials that it wants. */
  readonly url: string;
  /** `CONNECT host:port`, and for anything else method and URL. */
  readonly asked: readonly string[];
  /** What came as `proxy-authorization`, "" for none. */
  readonly credentials: readonly string[];
  /** Connections that are open now. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port of 127.0.0.1.
 *
 * @param says the whole answer to CONNECT.
 * @param port of 127.0.0.1, where every tunnel leads; nowhere unless given.
 */
export async function startProxy(says: string, port?: number): Promise<ScriptedProxy> {
  const asked: string[] = [];
  const credentials: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("connect", (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    credentials.push(request.headers["proxy-authorization"] ?? "");
    if (port !== undefined) {
      socket.write(says);
      return join(socket, port);
    }
    socket.resume();
    // A server of node leaves its half open.
    socket.on("end", () => socket.end());
    if (/^HTTP\/1\.1 200/.test(says)) socket.write(says);
    else socket.end(says);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    url: `http://some-user:proxy-secret-01@127.0.0.1:${own}`,
    asked,
    credentials,
    get connections() {
      return sockets.size;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The name that the certificate of {@link startTls} is for. */
export const TLS_HOST = "models.example.invalid";
/** A certificate of its own that holds for a hundred years; a process trusts it through `NODE_EXTRA_CA_CERTS`. */
export const TLS_CERTIFICATE = fixture("cert.pem");

/** Starts a server on a free port of 127.0.0.1 that speaks TLS as {@link TLS_HOST}, and plainly to the server on `behind`. */
export async function startTls(behind: number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createTlsServer(
    { key: readFileSync(fixture("key.pem")), cert: readFileSync(TLS_CERTIFICATE) },
    (socket) => join(socket, behind),
  );
  server.on("tlsClientError", () => {});
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Passes on what comes from either side; both end together. */
function join(socket: Socket, port: number): void {
  const onward = connect(port, "127.0.0.1");
  for (const [from, to] of [
    [socket, onward],
    [onward, socket],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}
