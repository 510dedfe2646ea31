import { Random } from "./random.ts";

/** The content of a generated page; noise and edits are applied to it. */
export type Page = {
  kind: string;
  host: string;
  name: string;
  title: string;
  menu: { text: string; href: string }[];
  heading: string;
  sections: { heading: string; paragraphs: string[] }[];
  items: string[];
  table: [string, string][];
  links: { text: string; href: string }[];
  mail: string;
  formAction: string;
  password: boolean;
  footer: string[];
  /** Raw HTML that an attacker injected. */
  inHead: string;
  inBody: string;
};

const subjects =
  "The customer|The provider|Each member|Our partner|The administrator|A subscriber|The supplier|Any visitor|The account holder|Our support team".split(
    "|",
  );
const verbs =
  "may request|must confirm|is asked to review|agrees to keep|receives|can cancel|should report|has to renew|is entitled to|may transfer".split(
    "|",
  );
const objects =
  "the annual contract|a copy of the records|all personal settings|the delivery of goods|any open invoice|the service report|a written notice|the shared workspace|every active licence|the storage quota".split(
    "|",
  );
const tails =
  "within a reasonable period|before the end of the term|without further cost|as described in the annex|by electronic mail|at any branch office|under the conditions above|after a successful check|on behalf of the company|in accordance with local law".split(
    "|",
  );
const topics =
  "Scope|Definitions|Fees and payment|Delivery|Privacy|Liability|Support hours|Security|Release notes|Eligibility|Returns|Accounts|Data retention|Incident history|Requirements".split(
    "|",
  );
const names =
  "Northwind|Bluefin|Harbour|Lumen|Quartz|Meadow|Orbit|Kestrel|Saffron|Tundra|Willow|Cobalt".split("|");
const towns = "Aldersey|Brackwater|Corven|Dunmore|Eastholm|Fairleigh|Garrow|Hollin|Inverby|Kellmere".split(
  "|",
);
const kinds = [
  "terms",
  "news",
  "product",
  "docs",
  "status",
  "table",
  "login",
  "blog",
  "scope",
  "forum",
] as const;

export function sentence(random: Random): string {
  return `${random.pick(subjects)} ${random.pick(verbs)} ${random.pick(objects)} ${random.pick(tails)}.`;
}

/** A page of one of ten kinds, the same for the same seed. */
export function makePage(seed: number): Page {
  const random = new Random(seed);
  const kind = kinds[seed % kinds.length] as string;
  const name = random.pick(names);
  const host = `www.${name.toLowerCase()}.test`;
  const sections = random.some(topics, 3 + random.below(5)).map((heading) => ({
    heading,
    paragraphs: Array.from({ length: 1 + random.below(4) }, () =>
      Array.from({ length: 1 + random.below(4) }, () => sentence(random)).join(" "),
    ),
  }));
  const path = (text: string) => `/${text.toLowerCase().replace(/\W+/g, "-")}`;
  return {
    kind,
    host,
    name,
    title: `${sections[0]?.heading} | ${name}`,
    menu: random
      .some(["Products", "Pricing", "Company", "Careers", "Blog", "Contact", "Docs", "Partners"], 5)
      .map((text) => ({ text, href: path(text) })),
    heading: `${name} ${kind}`,
    sections,
    items: Array.from({ length: 4 + random.below(5) }, () => `${random.pick(objects)} ${random.pick(tails)}`),
    table: random.some(towns, 5).map((town) => [town, String(10 + random.below(900))]),
    links: random.some(topics, 4).map((text) => ({
      text: `${text} guide`,
      href: `https://docs.${name.toLowerCase()}.test${path(text)}`,
    })),
    mail: `contact@${name.toLowerCase()}.test`,
    formAction: "/search",
    password: kind === "login",
    footer: [`${name} Ltd, 12 ${random.pick(towns)} Road`, "Imprint", "Legal notice"],
    inHead: "",
    inBody: "",
  };
}
