// What a chat completion holds: the text of the model, or the reason why there is none that counts.
import { quoteBriefly } from "../answers/text.ts";
import { envelopeProblem, member } from "./response.ts";

export interface Completion {
  /** The model's text, unchanged; null when there is none. */
  readonly text: string | null;
  readonly finishReason: string | null;
  /** Why the text is not to be read as an answer; null when it is. */
  readonly problem: {
    readonly status: "invalid_output" | "model_error";
    readonly error: string;
    readonly retryable: boolean;
  } | null;
}

/** Reads the body of a 2xx answer. Only the first choice counts; one was asked for. */
export function readCompletion(body: unknown): Completion {
  const choices = member(body, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const error = member(choice === undefined ? body : choice, "error");
  if (error !== undefined && error !== null) {
    return { text: null, finishReason: null, problem: envelopeProblem(error) };
  }
  if (choice === undefined) return refuse(null, null, "no choices in the answer");

  const reason = member(choice, "finish_reason");
  const finishReason = typeof reason === "string" ? reason : null;
  const message = member(choice, "message");
  const content = readContent(member(message, "content"));
  const { text } = content;
  if (content.tool || calls(member(message, "tool_calls")) || calls(member(message, "function_call"))) {
    return refuse(text, finishReason, "the model called a tool");
  }
  const refusal = content.refusal ?? member(message, "refusal");
  if (typeof refusal === "string" && refusal !== "") {
    return refuse(text, finishReason, `the model refused: ${quoteBriefly(refusal)}`);
  }
  if (finishReason === "length") return refuse(text, finishReason, "the answer was cut at the token limit");
  if (finishReason === "content_filter")
    return refuse(text, finishReason, "the answer was withheld by a filter");
  if (text === null) return refuse(null, finishReason, content.problem ?? "no content in the answer");
  return { text, finishReason, problem: null };
}

function refuse(text: string | null, finishReason: string | null, error: string): Completion {
  return { text, finishReason, problem: { status: "invalid_output", error, retryable: false } };
}

/** True for anything that is a call: not null, not an empty list. */
function calls(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

interface Content {
  readonly text: string | null;
  readonly refusal?: unknown;
  readonly tool: boolean;
  readonly problem?: string;
}

/** Content is a text or a list of parts. Parts of a model's reasoning are not part of its answer. */
function readContent(content: unknown): Content {
  if (typeof content === "string") return { text: content, tool: false };
  if (content === undefined || content === null) return { text: null, tool: false };
  if (!Array.isArray(content))
    return { text: null, tool: false, problem: "the content is neither text nor a list" };
  const texts: string[] = [];
  let refusal: unknown;
  for (const part of content) {
    const type = member(part, "type");
    const text = member(part, "text");
    if ((type === "text" || type === "output_text") && typeof text === "string") texts.push(text);
    else if (type === "refusal") refusal = member(part, "refusal") || "no reason given";
    else if (typeof type === "string" && /tool|function/.test(type)) return { text: null, tool: true };
    else if (type !== "thinking" && type !== "reasoning") {
      return { text: null, tool: false, problem: "a part of the content is not text" };
    }
  }
  return { text: texts.length === 0 ? null : texts.join(""), refusal, tool: false };
}
