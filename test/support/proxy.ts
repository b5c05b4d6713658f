// An HTTP proxy on loopback that notes what it is asked for. It connects nobody: it refuses, or takes the connection and
// says no more.
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

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

/** Starts a proxy on a free port of 127.0.0.1; `says` is the whole answer to CONNECT. */
export async function startProxy(says: string): Promise<ScriptedProxy> {
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
    socket.resume();
    // A server of node leaves its half open.
    socket.on("end", () => socket.end());
    if (/^HTTP\/1\.1 200/.test(says)) socket.write(says);
    else socket.end(says);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://some-user:proxy-secret-01@127.0.0.1:${port}`,
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
