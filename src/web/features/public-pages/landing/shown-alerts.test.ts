import { expect, test } from "vitest";
import { compare } from "#detection/compare.ts";
import { emptyMemory } from "#detection/noise-memory/noise-memory.ts";
import { snapshotOf } from "#detection/snapshot/create-snapshot.ts";
import type { ContentKind, Snapshot, TextBlock } from "#detection/snapshot/snapshot.ts";
import { addLookups, findLookups } from "#detection/text-lookup/lookup.ts";
import type { Verdict } from "#detection/verdict/verdict.ts";
import { type ShownAlert, shownAlerts } from "./shown-alerts.ts";

const address = "https://shop.example/login";

function page(body: string, title = "Shop", more: Partial<Snapshot> = {}): Snapshot {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`;
  return { ...snapshotOf(html, "html", address), title, ...more };
}

const file = (text: string, kind: ContentKind, url: string, status = 200): Snapshot => ({
  ...snapshotOf(text, kind, url),
  status,
});

const judge = (before: Snapshot, after: Snapshot, similarity?: number): Verdict =>
  compare(before, after, emptyMemory(), similarity === undefined ? null : { similarity, regions: [] })
    .verdict;

const signIn = (action: string) =>
  page(
    `<main><h1>Sign in</h1><form action="${action}" method="post"><input name="email"><input name="password" type="password"></form></main>`,
  );
const offers = Array.from({ length: 12 }, (_, i) => `<p>Stove ${i}, for cold days in the north.</p>`).join(
  "",
);
const scope = (...hosts: string[]) =>
  page(`<main><h1>Scope</h1><ul>${hosts.map((host) => `<li>${host}</li>`).join("")}</ul></main>`);
const securityTxt = (contact: string) =>
  file(
    `Contact: mailto:${contact}\nExpires: 2027-01-01T00:00:00Z\n`,
    "text",
    "https://shop.example/.well-known/security.txt",
  );
const stock = (text: string) => {
  const block: TextBlock = { role: "paragraph", area: "main", text };
  return page(`<main><h1>Ember stove</h1><p>${text}</p></main>`, "Shop", { text: [block] });
};
const checkout = (script = "") => page(`<main><h1>Checkout</h1><p>Pay by card</p></main>${script}`);

const verdicts: Record<keyof typeof shownAlerts, () => Verdict> = {
  form: () => judge(signIn("/session"), signIn("https://collect.example/p")),
  defacement: () =>
    judge(
      page(`<main><h1>Northern Lights</h1>${offers}</main>`, "Northern Lights"),
      page("<h1>HACKED by nobody</h1><p>Your security is a joke.</p>", "HACKED"),
      34,
    ),
  scope: () =>
    judge(
      scope("www.vendor.example", "pay.vendor.example"),
      scope("www.vendor.example", "pay.vendor.example", "*.api.vendor.example"),
    ),
  opened: () => {
    const url = "https://api.example/internal/export";
    return judge(file("{}", "json", url, 400), file("{}", "json", url));
  },
  securityTxt: () => judge(securityTxt("security@shop.example"), securityTxt("desk@shop.example")),
  lookup: () => {
    const [before, after] = [stock("sold out"), stock("back in stock")];
    const rule = { strings: ["back in stock"], when: "appears" } as const;
    const matches = findLookups(before, after, { ...rule, strings: [...rule.strings] });
    return addLookups(judge(before, after), matches, rule.when);
  },
  script: () => judge(checkout(), checkout('<script src="https://cdn.widgets.example/pay.js"></script>')),
  redirect: () =>
    judge(
      page("<main><p>Members only</p></main>"),
      page("<main><p>Members only</p></main>", "Shop", {
        finalUrl: "https://shop.example/signin",
        redirects: [{ url: address, status: 301 }],
      }),
    ),
  nothing: () => judge(checkout(), checkout()),
};

/** The alert's severity and first reason; the summary may continue with further reasons. */
function firstReason({ severity, reasons, summary }: Verdict): ShownAlert {
  return { severity, summary: reasons[0]?.summary ?? summary };
}

const names = Object.keys(verdicts) as (keyof typeof shownAlerts)[];

test.for(names)("the detector produces the alert that the landing page shows: %s", (name) => {
  const verdict = verdicts[name]();
  const shownAlert = firstReason(verdict);
  expect(verdict.summary.startsWith(shownAlert.summary)).toBe(true);
  expect(shownAlert).toEqual(shownAlerts[name]);
});
