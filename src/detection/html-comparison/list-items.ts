import type { Link, Page, Script } from "../html-parsing/page.ts";
import { asksPassword, passwordItem } from "../links-and-forms/compare-forms.ts";
import { memoizeByObject } from "../memoize.ts";
import { containersIn } from "../scripts/compare-scripts.ts";
import { addressesIn, scriptShape } from "../scripts/scripts.ts";
import { hostItem, hostOf, registrable } from "../third-party-hosts/hosts.ts";

/** Lists what may come back without being new: hosts that pages load from or link to, shapes of scripts. */
export function listItems(...pages: Page[]): string[] {
  const items = new Set<string>();
  for (const page of pages) {
    for (const item of scriptItems(page.scripts)) items.add(item);
    for (const { src } of page.loaded?.scripts ?? []) if (src) items.add(hostItem("script", src));
    for (const host of page.loaded?.hosts ?? []) items.add(`host ${registrable(host)}`);
    for (const style of page.styles) items.add(hostItem("style", style));
    for (const frame of page.frames) items.add(hostItem("frame", frame.src));
    for (const item of linkItems(page.links)) items.add(item);
    for (const form of page.forms) {
      if (hostOf(form.action) !== "") items.add(hostItem("form", form.action));
      if (asksPassword(form)) items.add(passwordItem(form));
    }
  }
  return [...items];
}

const scriptItems = memoizeByObject((scripts: Script[]) => {
  const items = new Set<string>();
  for (const { src, code, type } of scripts) {
    for (const container of containersIn(src ?? code)) items.add(`container ${container}`);
    if (src) items.add(hostItem("script", src));
    else if (type === "") {
      items.add(`inline ${scriptShape(code)}`);
      for (const address of addressesIn(code)) items.add(hostItem("inline", address));
    }
  }
  return items;
});

const linkItems = memoizeByObject(
  (links: Link[]) => new Set(links.map(({ href }) => hostItem("link", href))),
);
