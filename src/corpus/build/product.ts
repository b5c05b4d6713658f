// Product management: decisions about when something is ready to rely on.
import { adoptedRelease } from "./product/adopted-release.ts";
import { featureState } from "./product/feature-state.ts";
import { shipDecision } from "./product/ship-decision.ts";
import { specificationStatus } from "./product/specification-status.ts";
import type { Category } from "./task.ts";

export const product: Category = {
  id: "product",
  name: "Product management",
  description: "Decisions about readiness, adoption and priorities.",
  tasks: [shipDecision, featureState, adoptedRelease, specificationStatus],
};
