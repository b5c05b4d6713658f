// What both imitations of a model's service share: a server on loopback that keeps every request it got.
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Stub {
  /** The origin; the first part of a path is the scenario. */
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** What a service does with one request for an answer. */
export type Play = (scenario: string, body: Record<string, unknown>, response: ServerResponse) => void;

/** Starts a service; requests whose path does not end in `answers` get an empty answer. */
export async function startStub(answers: string, play: Play): Promise<Stub> {
  const seen: SeenRequest[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    seen.push({ path, headers: request.headers, text });
    const scenario = path.split("/")[1] ?? "";
    const wanted = request.method === "POST" && new URL(path, "http://stub").pathname.endsWith(answers);
    if (wanted) play(scenario, JSON.parse(text), response);
    else sendJson(response, 200, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": "req_marked-0815" });
  response.end(JSON.stringify(body));
}

/** Begins a stream of events; what is returned sends one. */
export function beginEvents(response: ServerResponse): (type: string, data: object) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_marked-0815" });
  return sendTo(response);
}

/** Sends one event of a stream that has begun. */
export function sendTo(response: ServerResponse): (type: string, data: object) => void {
  return (type, data) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
}

/** An answer with status 200 that is a page of somebody else, a portal's say. */
export function sendPage(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/html" });
  response.end("<html><body>Sign in to this network</body></html>");
}

/** Scenarios in which a stream of events that has begun is never whole. */
export function isBreak(scenario: string): boolean {
  return /^(?:malformed|unfinished|cut)(?:-|$)/.test(scenario);
}

/** Ends such a stream: with an event that is no JSON, as if it were whole, or with the connection. */
export function breakOff(scenario: string, response: ServerResponse): void {
  if (scenario.startsWith("cut")) {
    // What was written first is to arrive first.
    setTimeout(() => response.destroy(), 50);
    return;
  }
  if (scenario.startsWith("malformed")) {
    response.write("event: content_block_delta\ndata: {this is no JSON\n\n");
  }
  response.end();
}
