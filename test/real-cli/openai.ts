// As much of OpenAI's Responses API as Codex needs: streamed items, and errors with a status.
import {
  beginEvents,
  breakOff,
  isBreak,
  type Play,
  type Stub,
  sendJson,
  sendPage,
  startStub,
} from "./stub.ts";

/** Scenarios in which the whole answer comes, and why it is said to be incomplete. */
const STOPS: Readonly<Record<string, string>> = {
  "token-limit": "max_output_tokens",
  filter: "content_filter",
};

/** `answer` is what a correct model says. */
export function startOpenAi(answer: object, command: string): Promise<Stub> {
  const say = (text: string) => ({
    type: "message",
    id: "msg_marked-4711",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const refusal = { ...say(""), content: [{ type: "refusal", refusal: "I cannot help with that." }] };
  const good = say(JSON.stringify(answer));
  const play: Play = (scenario, body, response) => {
    const status = /^http-(\d+)$/.exec(scenario)?.[1];
    if (status !== undefined) {
      return sendJson(response, Number(status), {
        error: { message: "scripted", type: "server_error", code: null },
      });
    }
    if (scenario === "not-json") return sendPage(response);
    const send = beginEvents(response);
    const id = "resp_marked-4711";
    send("response.created", { response: { id, status: "in_progress", model: body.model } });
    if (scenario === "stall") return;
    if (isBreak(scenario)) {
      if (scenario.endsWith("-in-text")) {
        send("response.output_item.added", { output_index: 0, item: { ...good, status: "in_progress" } });
        send("response.output_text.delta", { output_index: 0, content_index: 0, delta: '{"answers": {' });
      }
      if (scenario.endsWith("-after-text")) {
        send("response.output_item.added", { output_index: 0, item: good });
        send("response.output_item.done", { output_index: 0, item: good });
      }
      return breakOff(scenario, response);
    }
    const call = {
      type: "function_call",
      id: "fc_1",
      call_id: "call_1",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: command }),
      status: "completed",
    };
    const last = (body.input as { type?: string }[]).at(-1)?.type;
    const tool = scenario === "tool" && last !== "function_call_output";
    const item = tool
      ? call
      : scenario === "prose"
        ? say("Well, yes.")
        : scenario === "refusal"
          ? refusal
          : good;
    send("response.output_item.added", { output_index: 0, item });
    send("response.output_item.done", { output_index: 0, item });
    const usage = {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 13 },
      output_tokens: 25,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 145,
    };
    const reason = STOPS[scenario];
    if (reason !== undefined) {
      const details = { id, status: "incomplete", incomplete_details: { reason }, usage, output: [item] };
      send("response.incomplete", { response: { ...details, model: body.model } });
      response.end();
      return;
    }
    send("response.completed", {
      response: { id, status: "completed", model: body.model, usage, output: [item] },
    });
    response.end();
  };
  return startStub("/v1/responses", play);
}
