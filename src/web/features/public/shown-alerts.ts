import type { Severity } from "#detection/verdict.ts";

export type ShownAlert = { severity: Severity; summary: string };

/** Every alert that the landing page shows; shown-alerts.test.ts has the detector make each just as it stands here. */
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
