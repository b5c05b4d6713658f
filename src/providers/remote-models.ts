// Which models an endpoint says that it has: `GET <base>/models`, in the forms that servers give it.
import type { Environment } from "../workspace.ts";
import type { Endpoint, EndpointVariables } from "./endpoints.ts";
import { authorization, HttpClient, type HttpLimits } from "./http.ts";
import { member, problemOf, serverMessage, tryJson } from "./response.ts";

/** Longest name that is shown, in UTF-16 units; a longer one is none of a model. */
const LONGEST_ID = 300;

/** What came of asking. */
export type RemoteModels =
  | { readonly ids: readonly string[] }
  /** `offered` is false for a server that has no such list: nothing is wrong with it then. */
  | { readonly problem: string; readonly offered: boolean };

/** Asks an endpoint once. Never rejects for anything that it does; texts are as they came. */
export async function listRemoteModels(
  endpoint: Endpoint,
  variables: EndpointVariables,
  options: HttpLimits & { readonly env: Environment },
): Promise<RemoteModels> {
  const client = new HttpClient(endpoint, { jobs: 1, env: options.env });
  try {
    const headers = authorization(endpoint);
    const exchange = await client.exchange({ method: "GET", path: "/models", headers, body: null }, options);
    const body = exchange.text === null ? undefined : tryJson(exchange.text);
    const problem = problemOf(exchange, body ?? exchange.text);
    if (problem !== null) return refusal(problem, endpoint, variables);
    if (body === undefined) return { problem: "the answer is not JSON", offered: true };
    const ids = idsOf(body);
    if (ids !== null) return { ids };
    const said = serverMessage(body);
    return {
      problem: `the answer is no list of models${said === null ? "" : `: ${said}`}`,
      offered: true,
    };
  } finally {
    await client.close();
  }
}

function refusal(
  { status, error }: { readonly status: string; readonly error: string },
  endpoint: Endpoint,
  variables: EndpointVariables,
): RemoteModels {
  if (status === "401" || status === "403") {
    const what =
      endpoint.key === null
        ? `it wants a key: set ${variables.key}`
        : `it does not accept the key in ${variables.key}`;
    return { problem: `${what} (${error})`, offered: true };
  }
  if (status === "404" || status === "405" || status === "501") {
    return {
      problem: `it does not list its models (HTTP ${status}); a run does not need that`,
      offered: false,
    };
  }
  return { problem: error, offered: true };
}

/**
 * The names in `{"data": [{"id": …}]}` (chat completions), `{"models": [{"name": …}]}` (native) or a bare list of either,
 * each once, in the server's order; null for anything else.
 */
function idsOf(body: unknown): string[] | null {
  const list = [body, member(body, "data"), member(body, "models")].find(Array.isArray);
  if (list === undefined) return null;
  const ids = new Set<string>();
  for (const item of list) {
    const id = [item, member(item, "id"), member(item, "name")].find((name) => typeof name === "string");
    if (typeof id === "string" && id !== "" && id.length <= LONGEST_ID) ids.add(id);
  }
  return list.length > 0 && ids.size === 0 ? null : [...ids];
}
