import { alike } from "./compare-text.ts";
import { type Link, type Page, resolve, type Script } from "./extract-page.ts";
import { hostOf, isVendor, registrable } from "./noise/hosts.ts";
import { isSpam } from "./noise/mask-text.ts";
import { hostsIn, isDataOnly, isVendorSnippet, risksOf, scriptShape } from "./noise/scripts.ts";
import { maskUrl } from "./noise/urls.ts";
import { type NoiseMemory, wasSeen } from "./noise-memory.ts";
import type { Ignored, ReasonKind, Severity } from "./verdict.ts";

/** One difference in what a browser would run, follow, send or show elsewhere. */
export type StructureChange = {
  kind: ReasonKind;
  severity: Severity;
  summary: string;
  where: string;
  before: string | null;
  after: string | null;
};

export type StructureComparison = { changes: StructureChange[]; ignored: Ignored[] };

/** Compares what stands behind the text: scripts, frames, forms, links, refresh, title and meta. */
export function compareStructure(older: Page, newer: Page, memory: NoiseMemory): StructureComparison {
  const known = new KnownHosts(older, newer);
  const changes: StructureChange[] = [];
  const ignored: Ignored[] = [];
  compareScripts(older, newer, known, memory, changes, ignored);
  compareFrames(older, newer, known, changes, ignored);
  compareForms(older, newer, known, changes);
  compareLinks(older, newer, known, changes);
  compareHead(older, newer, changes);
  return { changes, ignored };
}

/** Hosts the old page already spoke of, and the page's own. */
class KnownHosts {
  readonly #hosts = new Set<string>();
  readonly #own = new Set<string>();
  readonly #brands = new Set<string>();

  constructor(older: Page, newer: Page) {
    for (const page of [older, newer]) {
      if (hostOf(page.base)) this.#own.add(registrable(hostOf(page.base)));
    }
    const canonical = older.metas.find((meta) => meta.name === "canonical" || meta.name === "og:url");
    if (canonical && hostOf(canonical.content)) this.#own.add(registrable(hostOf(canonical.content)));
    for (const own of this.#own) if (brandOf(own) !== "") this.#brands.add(brandOf(own));
    for (const link of older.links) this.#add(link.href);
    for (const script of older.scripts) {
      if (script.src) this.#add(script.src);
      else for (const host of hostsIn(script.code)) this.#hosts.add(registrable(host));
    }
    for (const frame of older.frames) this.#add(frame.src);
    for (const form of older.forms) this.#add(form.action);
    for (const node of older.nodes) {
      if (node.kind !== "element") continue;
      const { src, href, srcset, content } = node.attributes;
      for (const value of [src, href, srcset, content]) if (value) this.#add(value);
    }
  }

  #add(href: string): void {
    const host = hostOf(href);
    if (host) this.#hosts.add(registrable(host));
  }

  isOwn(host: string): boolean {
    return host === "" || this.#own.has(registrable(host)) || this.#brands.has(brandOf(host));
  }

  /** Neither the page's own nor on the old page nor a service that comes and goes. */
  isForeign(host: string): boolean {
    return host !== "" && !this.isOwn(host) && !this.#hosts.has(registrable(host));
  }

  isNews(host: string): boolean {
    return this.isForeign(host) && !isVendor(host);
  }
}

/** The name a company keeps across countries: shop.de, shop.at, shop.co.uk; "" where anyone could have it. */
function brandOf(host: string): string {
  const match = /^([\w-]{4,})\.(?:com|[a-z]{2}|co\.[a-z]{2}|com\.[a-z]{2})$/.exec(registrable(host));
  return match?.[1] ?? "";
}

function compareScripts(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  changes: StructureChange[],
  ignored: Ignored[],
): void {
  const seen = new Set<string>();
  for (const script of newer.scripts) {
    if (!script.src) continue;
    const host = hostOf(script.src);
    if (seen.has(host)) continue;
    seen.add(host);
    if (/^(data|blob):/i.test(script.src) && !older.scripts.some((old) => old.src?.startsWith("data:"))) {
      changes.push(script1("critical", "New script in a data address", script.src));
    } else if (known.isNews(host) && !wasSeen(memory, `script ${registrable(host)}`)) {
      changes.push(script1("critical", `New script host ${host}`, script.src));
    } else if (known.isForeign(host)) {
      ignored.push({ place: "script", before: null, after: script.src, why: "tracking" });
    }
  }
  const oldShapes = new Set<string>();
  const oldInline = older.scripts.filter(runsInline);
  for (const script of oldInline) oldShapes.add(scriptShape(script.code));
  for (const script of newer.scripts.filter(runsInline))
    judgeInline(script, oldInline, oldShapes, known, memory, changes, ignored);
}

function runsInline(script: Script): boolean {
  return script.src === null && script.type === "" && script.code.trim() !== "";
}

function judgeInline(
  script: Script,
  oldInline: Script[],
  oldShapes: Set<string>,
  known: KnownHosts,
  memory: NoiseMemory,
  changes: StructureChange[],
  ignored: Ignored[],
): void {
  const { code } = script;
  const foreign = [...hostsIn(code)].filter((host) => known.isNews(host));
  const shape = scriptShape(code);
  const novel = !oldShapes.has(shape) && !wasSeen(memory, `inline ${shape}`);
  if (!novel && foreign.length === 0) return;
  const excerpt = code.trim().replace(/\s+/g, " ").slice(0, 300);
  const data = isDataOnly(shape);
  const risks = risksOf(code);
  const edited = novel && oldInline.some((old) => isEdit(old.code, code));
  if (foreign.length > 0 && (!data || foreign.length < 3) && (novel || !data)) {
    changes.push(script1("critical", `Inline script names a new host ${foreign[0]}`, excerpt));
  } else if (!data && !edited && risks.length > 0 && !isVendorSnippet(code)) {
    changes.push(script1("important", `New inline script: ${risks[0]}`, excerpt));
  } else {
    ignored.push({ place: "inline script", before: null, after: excerpt, why: data ? "token" : "build" });
  }
}

/** Whether a script is another version of one that stood there. */
function isEdit(before: string, after: string): boolean {
  const ratio = before.length / Math.max(1, after.length);
  if (ratio < 0.4 || ratio > 2.5) return false;
  return alike(before.slice(0, 20_000), after.slice(0, 20_000)) > 0.6;
}

function script1(severity: Severity, summary: string, after: string): StructureChange {
  return { kind: "script", severity, summary, where: "script", before: null, after: after.slice(0, 500) };
}

function compareFrames(
  older: Page,
  newer: Page,
  known: KnownHosts,
  changes: StructureChange[],
  ignored: Ignored[],
): void {
  const oldHosts = new Set(older.frames.map((frame) => registrable(hostOf(frame.src))));
  for (const frame of newer.frames) {
    const host = hostOf(frame.src);
    const danger =
      /^(javascript|data):/i.test(frame.src) &&
      !older.frames.some((old) => old.src.slice(0, 5) === frame.src.slice(0, 5));
    if (danger || (known.isNews(host) && !oldHosts.has(registrable(host)))) {
      oldHosts.add(registrable(host));
      changes.push({
        kind: "frame",
        severity: "critical",
        summary: `New ${frame.tag} from ${host || "a data address"}`,
        where: frame.place,
        before: null,
        after: frame.src.slice(0, 500),
      });
    } else if (known.isForeign(host)) {
      ignored.push({ place: frame.place, before: null, after: frame.src, why: "tracking" });
    }
  }
}

function compareForms(older: Page, newer: Page, known: KnownHosts, changes: StructureChange[]): void {
  const oldTargets = new Set(older.forms.map((form) => registrable(hostOf(form.action))));
  const oldPasswords = older.forms.filter(asksPassword).length;
  for (const form of newer.forms) {
    const host = hostOf(form.action);
    if (
      host !== "" &&
      !known.isOwn(host) &&
      !oldTargets.has(registrable(host)) &&
      !(form.zone !== "" && isVendor(host))
    ) {
      changes.push({
        kind: "form",
        severity: "critical",
        summary: `Form sends to ${host}`,
        where: form.place,
        before: null,
        after: form.action,
      });
      oldTargets.add(registrable(host));
    }
  }
  if (newer.forms.filter(asksPassword).length > oldPasswords && oldPasswords === 0) {
    const form = newer.forms.find(asksPassword);
    changes.push({
      kind: "form",
      severity: "important",
      summary: "New form asks for a password",
      where: form?.place ?? "",
      before: null,
      after: form?.action ?? "",
    });
  }
}

function asksPassword(form: Page["forms"][number]): boolean {
  return form.inputs.some((input) => input.type === "password");
}

function compareLinks(older: Page, newer: Page, known: KnownHosts, changes: StructureChange[]): void {
  const oldByText = groupLinks(older);
  const oldTargets = new Set(older.links.map((link) => target(link, older)));
  const reported = new Set<string>();
  const report = (
    kind: ReasonKind,
    severity: Severity,
    summary: string,
    link: Link,
    before: string | null,
  ) => {
    const key = `${summary}\n${link.href}`;
    if (reported.has(key)) return;
    reported.add(key);
    changes.push({ kind, severity, summary, where: link.area, before, after: link.href });
  };
  for (const link of newer.links) {
    const now = target(link, newer);
    if (oldTargets.has(now)) continue;
    const host = hostOf(link.href);
    const script = /^\s*(javascript|data|vbscript):/i.test(link.href);
    const before = oldByText
      .get(link.text)
      ?.find(
        (old) =>
          !newer.links.some(
            (other) => other.text === old.text && target(other, newer) === target(old, older),
          ),
      );
    if (link.hidden !== "" && (known.isNews(host) || isSpam(link.text))) {
      report("hidden-text", "critical", `Hidden link to ${host || link.href}`, link, null);
    } else if (before && link.text !== "" && known.isNews(host) && hostOf(before.href) !== host) {
      report("link", "important", `Link “${link.text.slice(0, 60)}” leads to ${host}`, link, before.href);
    } else if (before && isContent(link) && link.text !== "" && !script) {
      report("link", "notice", `Link “${link.text.slice(0, 60)}” leads elsewhere`, link, before.href);
    } else if (known.isNews(host)) {
      report("link", "notice", `New link to ${host}`, link, null);
    }
  }
}

function isContent(link: Link): boolean {
  return link.zone === "" && (link.area === "main" || link.area === "");
}

function groupLinks(page: Page): Map<string, Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of page.links) {
    const group = groups.get(link.text);
    if (group) group.push(link);
    else groups.set(link.text, [link]);
  }
  return groups;
}

function target(link: Link, page: Page): string {
  return maskUrl(/^(#|javascript:)/i.test(link.href) ? link.href : resolve(link.href, page.base));
}

function compareHead(older: Page, newer: Page, changes: StructureChange[]): void {
  if (newer.refresh !== null) {
    const to = /url\s*=\s*['"]?([^'"]+)/i.exec(newer.refresh)?.[1] ?? "";
    const was = /url\s*=\s*['"]?([^'"]+)/i.exec(older.refresh ?? "")?.[1] ?? "";
    if (to !== "" && maskUrl(to) !== maskUrl(was)) {
      changes.push({
        kind: "refresh",
        severity: "critical",
        summary: `Page now leads to ${hostOf(to) || to}`,
        where: "head",
        before: older.refresh,
        after: newer.refresh,
      });
    }
  }
  const oldBase = hostOf(older.base);
  const newBase = hostOf(newer.base);
  if (oldBase !== "" && newBase !== "" && registrable(oldBase) !== registrable(newBase)) {
    changes.push({
      kind: "link",
      severity: "critical",
      summary: `Base address now ${newBase}`,
      where: "head",
      before: older.base,
      after: newer.base,
    });
  }
}
