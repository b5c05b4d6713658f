// AI agents and evaluation: decisions that a harness takes before or after a model is called.
import { accessLevel } from "./agents/access-level.ts";
import { cheapestModel } from "./agents/cheapest-model.ts";
import { eventHandler } from "./agents/event-handler.ts";
import { toolCall } from "./agents/tool-call.ts";
import type { Category } from "./task.ts";

export const agents: Category = {
  id: "agents",
  name: "AI agents & evals",
  description: "Decisions that an agent or its harness takes around a model call.",
  tasks: [accessLevel, cheapestModel, eventHandler, toolCall],
};
