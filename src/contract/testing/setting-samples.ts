import type { SettingValues } from "../job-settings.ts";

/** One value per setting, different from the empty value; together they make a valid job. */
export const settingSamples: SettingValues = {
  note: "For the kitchen.\nOnly below €50.",
  tags: ["kitchen", "Ana’s list"],
  channels: ["email", "discord"],
  message: { title: "{{title}}", text: "**{{message}}**\n{{link}}" },
  request: {
    method: "POST",
    as: "json",
    body: '{"day":"{{date:yyyy-MM-dd}}"}',
    userAgent: "Prices/1.0",
    language: "de-DE",
  },
  tellFailures: { down: 3, gone: 10 },
  schedule: { zone: "Europe/Berlin", cron: "0 6 * * 1-5" },
  headers: [{ name: "X-Key", value: "hunter1" }],
  trigger: {
    url: "http://127.0.0.1:8080/hook",
    method: "PUT",
    body: '{"summary":"{{summary}}"}',
    strings: ["sold out"],
    headers: [{ name: "X-Hook", value: "hunter2" }],
  },
  lookup: { strings: ["In stock"], when: "appears" },
  selector: "main",
  awaited: true,
  waitFor: { selector: ".prices", seconds: 2 },
  browser: { device: "phone", colorScheme: "dark", language: "de-DE", timeZone: "Europe/Berlin" },
  proxies: ["direct"],
  secondOpinion: { use: "lower", matters: "Prices and refund terms" },
  ignore: [".ad", "/\\d+ views/"],
  joinsSelector: true,
  steps: [
    { do: "keep", text: "/EUR|€/", to: "" },
    { do: "sort", text: "", to: "" },
  ],
  compareAs: "page",
  notInherited: { selector: true, ignore: [".banner"] },
  alertIf: { match: "any", conditions: [{ what: "text", is: "added", text: "sale" }] },
  values: [{ name: "price", by: "selector", rule: "#price" }],
};
