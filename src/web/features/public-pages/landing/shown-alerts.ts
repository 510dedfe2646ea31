import type { Severity } from "#detection/verdict/verdict.ts";

export type ShownAlert = { severity: Severity; summary: string };

/** Every alert on the landing page; shown-alerts.test.ts verifies that the detector produces exactly these. */
export const shownAlerts = {
  form: { severity: "critical", summary: "Form sends to collect.example" },
  defacement: { severity: "critical", summary: "Looks defaced: “HACKED by nobody”" },
  scope: { severity: "important", summary: "“*.api.vendor.example” added" },
  opened: { severity: "critical", summary: "Status 400 → 200" },
  securityTxt: {
    severity: "important",
    summary: "Contact: mailto:security@shop.example → mailto:desk@shop.example",
  },
  lookup: { severity: "important", summary: '"back in stock" appeared in the visible text' },
  script: { severity: "critical", summary: "New script host cdn.widgets.example" },
  redirect: { severity: "notice", summary: "Leads to https://shop.example/signin" },
  nothing: { severity: "info", summary: "No change" },
} as const satisfies Record<string, ShownAlert>;
