// As much of Anthropic's Messages API as Claude Code needs: streamed messages, and errors with a status.
import type { ServerResponse } from "node:http";
import {
  beginEvents,
  breakOff,
  isBreak,
  type Play,
  type Stub,
  sendJson,
  sendPage,
  sendTo,
  startStub,
} from "./stub.ts";

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

/** Scenarios in which the whole answer comes as a text, and why the model is said to have stopped. */
const STOPS: Readonly<Record<string, string>> = {
  text: "end_turn",
  "token-limit": "max_tokens",
  refusal: "refusal",
};

/** `answer` is what a correct model says. */
export function startAnthropic(answer: object, command: string): Promise<Stub> {
  const play: Play = (scenario, body, response) => {
    const status = /^http-(\d+)$/.exec(scenario)?.[1];
    if (status !== undefined) {
      sendJson(response, Number(status), {
        type: "error",
        error: { type: "api_error", message: "scripted" },
      });
    } else if (scenario === "stall") message(body, response, null, "end_turn");
    else if (scenario === "not-json") sendPage(response);
    else if (isBreak(scenario)) {
      message(body, response, null, "end_turn");
      if (scenario.endsWith("-text")) {
        const send = sendTo(response);
        send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
        const text = scenario.endsWith("-in-text") ? "{" : JSON.stringify(answer);
        send("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
        if (scenario.endsWith("-after-text")) send("content_block_stop", { index: 0 });
      }
      breakOff(scenario, response);
    } else if (scenario in STOPS) {
      const stopReason = STOPS[scenario] ?? "end_turn";
      message(body, response, [{ type: "text", text: JSON.stringify(answer) }], stopReason);
    } else if (scenario === "prose")
      message(body, response, [{ type: "text", text: "Well, yes." }], "end_turn");
    else if (scenario === "tool" && !answersTool(body)) {
      message(
        body,
        response,
        [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command } }],
        "tool_use",
      );
    } else {
      const block = { type: "tool_use", id: "toolu_2", name: "StructuredOutput", input: answer } as const;
      message(body, response, [block], "tool_use");
    }
  };
  return startStub("/v1/messages", play);
}

/** Whether the last message brings the result of a tool. */
function answersTool(body: Record<string, unknown>): boolean {
  const last = (body.messages as { content: unknown }[]).at(-1)?.content;
  return Array.isArray(last) && last.some((part) => part.type === "tool_result");
}

/** One message, streamed; without blocks it never goes on after its beginning. */
function message(
  body: Record<string, unknown>,
  response: ServerResponse,
  blocks: readonly Block[] | null,
  stopReason: string,
): void {
  const send = beginEvents(response);
  const usage = {
    input_tokens: 100,
    cache_creation_input_tokens: 7,
    cache_read_input_tokens: 13,
    output_tokens: 1,
  };
  const head = { id: "msg_marked-4711", type: "message", role: "assistant", model: body.model, content: [] };
  send("message_start", { message: { ...head, stop_reason: null, stop_sequence: null, usage } });
  if (blocks === null) return;
  blocks.forEach((block, index) => {
    const isText = block.type === "text";
    send("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  });
  send("message_delta", {
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: 25 },
  });
  send("message_stop", {});
  response.end();
}
