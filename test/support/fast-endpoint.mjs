// The endpoint for benchmarks, in a process of its own: `node fast-endpoint.mjs [delay in ms]` answers every request
// after a fixed delay with a valid completion, and prints its base URL once it listens. It does as little as it can.
// `DELETE /stats` says what came since the last such request, and begins to count anew.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";

const delayMs = Number(process.argv[2] ?? 20);
const MARK = '"enum":';

let seen = nothing();

function nothing() {
  return { bodies: new Set(), requests: 0, inFlight: 0, mostInFlight: 0, first: null, last: null };
}

const server = createServer((request, response) => {
  if (request.url === "/stats") {
    tell(response);
    return;
  }
  const mine = seen;
  mine.first ??= performance.now();
  mine.requests += 1;
  mine.inFlight += 1;
  mine.mostInFlight = Math.max(mine.mostInFlight, mine.inFlight);
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const sent = Buffer.concat(chunks);
    mine.bodies.add(createHash("sha1").update(sent).digest("latin1"));
    const body = answerTo(sent.toString("utf8"));
    const send = () => {
      mine.inFlight -= 1;
      mine.last = performance.now();
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    };
    if (delayMs > 0) setTimeout(send, delayMs);
    else send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`));
process.once("SIGTERM", () => process.exit(0));
process.stdin.resume();
// Ends with whoever started it.
process.stdin.once("end", () => process.exit(0));

/** Times are in ms, from the arrival of the first request to the last answer. */
function tell(response) {
  const { bodies, requests, mostInFlight, first, last } = seen;
  seen = nothing();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({
      requests,
      distinct: bodies.size,
      first_ms: first,
      last_ms: last,
      most_in_flight: mostInFlight,
    }),
  );
}

/** The labels stand in the schema of `response_format`, unescaped; in the prompt they are escaped. */
function answerTo(text) {
  const start = text.lastIndexOf(MARK);
  const labels =
    start === -1 ? ["yes", "no"] : JSON.parse(text.slice(start + MARK.length, text.indexOf("]", start) + 1));
  const rest = labels.length > 1 ? 0.4 / (labels.length - 1) : 0;
  const probabilities = labels.map(
    (label, index) => `${JSON.stringify(label)}:${index === 0 ? 1 - rest * (labels.length - 1) : rest}`,
  );
  const content = `{"answers":{"decision":{"label":${JSON.stringify(labels[0])},"probabilities":{${probabilities}}}}}`;
  return JSON.stringify({
    id: "chatcmpl-0123456789abcdef",
    object: "chat.completion",
    created: 1700000000,
    model: "fast-model-2025-01-01",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 400,
      completion_tokens: 40,
      total_tokens: 440,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
  });
}
