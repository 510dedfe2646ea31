import type { Severity } from "#detection/severity/severity.ts";

/** How severe the notifications about checks, deliveries and billing are; a change has the severity of its verdict. */
export const noticeSeverity = {
  // Checks of a job
  failing: "important",
  interrupted: "important",
  recovered: "notice",
  signedOut: "important",
  // Info keeps it in the list of notifications: `alerts/announce.ts` doesn't send it to channels.
  recoveredUnnoticed: "info",
  frequentChangeToDigest: "info",

  // Channels and triggers
  deliveryFailed: "important",

  // Plan and billing
  upgraded: "info",
  downgraded: "important",
  cancelled: "notice",
  resumed: "info",
  paymentFailed: "important",
  paymentReceived: "info",
  planEndsSoon: "important",
} as const satisfies Record<string, Severity>;
