// Sales & commerce: decisions about accounts, offers and invoices.
import { industrySector } from "./commerce/industry-sector.ts";
import { invoiceTax } from "./commerce/invoice-tax.ts";
import { travelOffer } from "./commerce/travel-offer.ts";
import type { Category } from "./task.ts";

export const commerce: Category = {
  id: "commerce",
  name: "Sales & commerce",
  description: "Decisions about accounts, offers and invoices.",
  tasks: [industrySector, invoiceTax, travelOffer],
};
