import { hostItem, hostOf, registrable } from "../noise/hosts.ts";
import { isSpam } from "../noise/mask-text.ts";
import { isFrame } from "../noise/text-key.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory.ts";
import type { Link, Page } from "../page.ts";
import type { Severity } from "../verdict.ts";
import { alignLinks, type LinkPair, type Placed } from "./align-links.ts";
import type { KnownHosts } from "./known-hosts.ts";
import { LinkedWords } from "./linked-words.ts";
import { localeSwap } from "./locale-swap.ts";
import type { StructureChange, StructureComparison } from "./structure-change.ts";

type Led = { before: Placed; after: Placed };

/** Finds links that lead elsewhere than before, words that became links or are none any more, links no reader sees. */
export function compareLinks(
  older: Page,
  newer: Page,
  known: KnownHosts,
  memory: NoiseMemory,
  found: StructureComparison,
): void {
  const pairs = alignLinks(older, newer);
  const words = new LinkedWords(older, newer);
  const judge = new LinkJudge(known, memory, found, words, isCrowd(older), !asksConsent(older));
  const led = pairs.filter(isLed);
  const swapped = swappedLocale(led);
  for (const pair of swapped) found.changes.push(localeChange(pair));
  const isSwapped = new Set<LinkPair>(swapped);
  for (const pair of pairs) {
    if (isSwapped.has(pair)) continue;
    if (isLed(pair)) judge.led(pair);
    else if (pair.before && pair.after) judge.stood(pair.before, pair.after);
    else if (pair.after) judge.came(pair.after);
    else if (pair.before) judge.went(pair.before);
  }
}

function isLed(pair: LinkPair): pair is Led {
  const { before, after } = pair;
  if (!before || !after) return false;
  return before.to !== after.to || isUnsafer(before.link, after.link);
}

class LinkJudge {
  readonly #known: KnownHosts;
  readonly #memory: NoiseMemory;
  readonly #found: StructureComparison;
  readonly #words: LinkedWords;
  readonly #crowd: boolean;
  readonly #isConsentNew: boolean;
  readonly #reported = new Set<string>();

  constructor(
    known: KnownHosts,
    memory: NoiseMemory,
    found: StructureComparison,
    words: LinkedWords,
    crowd: boolean,
    isConsentNew: boolean,
  ) {
    this.#known = known;
    this.#memory = memory;
    this.#found = found;
    this.#words = words;
    this.#crowd = crowd;
    this.#isConsentNew = isConsentNew;
  }

  /** The same words lead elsewhere. */
  led(pair: Led): void {
    const { before, after } = pair;
    const { link } = after;
    const label = `“${link.text.slice(0, 60)}”`;
    const host = hostOf(link.href);
    const isNew = this.#isNew(link);
    if (isNew) this.#found.alarmed.push(hostItem("link", link.href));
    if (isNew && link.hidden !== "") return this.#report("critical", `Hidden link to ${host}`, link, before);
    if (isContact(link) && isContact(before.link)) {
      const to = after.to.replace(/^\w+:/, "").split("?")[0];
      return this.#report(
        "important",
        `${isMail(link) ? "Mail" : "Telephone"} link now goes to ${to}`,
        link,
        before,
      );
    }
    if (isNew) return this.#report("important", `Link ${label} leads to ${host}`, link, before);
    if (before.to === after.to)
      return this.#tell(
        isContent(link) ? "notice" : "info",
        "no longer encrypted",
        `Link ${label} is no longer encrypted`,
        link,
        before.link.href,
      );
    const isElsewhere = host !== "" && !this.#isSameHost(before.link, link);
    if (isElsewhere && link.zone === "")
      return this.#tell(
        "notice",
        "lead to another host",
        `Link ${label} leads to ${host}`,
        link,
        before.link.href,
      );
    // A link that is tagged for its campaign leads where the campaign does.
    const isOffer = isCampaign(before.link) && isCampaign(link) && this.#isSameHost(before.link, link);
    this.#tell(
      isContent(link) && !isOffer ? "notice" : "info",
      "lead elsewhere",
      `Link ${label} leads elsewhere`,
      link,
      before.link.href,
    );
  }

  /** The target is the same: a value in the address, or the words that are linked, may differ. */
  stood(before: Placed, after: Placed): void {
    const [old, now] = [before.link, after.link];
    if (isVeiled(old) !== isVeiled(now)) {
      const how = isVeiled(now) ? "hidden from robots" : "open to robots";
      const said = `Address ${after.to.replace(/^mailto:/, "").slice(0, 80)} is now ${how}`;
      this.#tell(isContent(now) ? "notice" : "info", `to addresses are ${how}`, said, now, old.href);
      return;
    }
    if (old.text !== now.text && old.text !== "" && now.text !== "" && this.#words.stand(old, now)) {
      const severity = isContent(now) ? "notice" : "info";
      this.#tell(
        severity,
        "have other words",
        `Link is now “${now.text.slice(0, 60)}”`,
        now,
        old.text,
        now.text,
      );
    }
  }

  came({ link }: Placed): void {
    const host = hostOf(link.href);
    const isNew = this.#isNew(link);
    if (isNew) this.#found.alarmed.push(hostItem("link", link.href));
    if (link.hidden !== "" && (isNew || (isSpam(link.text) && host !== ""))) {
      this.#report("critical", `Hidden link to ${host}`, link, null);
    } else if (isNew && (link.text !== "" || link.zone !== "advertisement")) {
      // A dialogue that asks for consent comes whole, and names its site's partners.
      const isPartner = link.zone === "consent" && this.#isConsentNew && !isSpam(link.text);
      const severity = this.#crowd || isPartner ? "notice" : "important";
      this.#tell(severity, `lead to ${host}, which is new`, `New link to ${host}`, link, null);
    } else if (isContent(link) && this.#words.cameToWords(link)) {
      const label = `“${link.text.slice(0, 60)}”`;
      this.#tell("notice", "stand on words that had none", `${label} is now a link`, link, null);
    } else this.#tell("info", "came", "1 link came", link, null);
  }

  went({ link }: Placed): void {
    if (isContent(link) && this.#words.leftWords(link)) {
      const label = `“${link.text.slice(0, 60)}”`;
      this.#tell("notice", "are plain words now", `${label} is no longer a link`, link, link.href, null);
    } else this.#tell("info", "went", "1 link went", link, link.href, null);
  }

  #isNew(link: Link): boolean {
    return this.#known.isNewTarget(link.href) && !wasSeen(this.#memory, hostItem("link", link.href));
  }

  #isSameHost(before: Link, after: Link): boolean {
    const [old, now] = [hostOf(before.href), hostOf(after.href)];
    if (old === "" || now === "") return this.#known.isItself(old) && this.#known.isItself(now);
    return registrable(old) === registrable(now);
  }

  /** Told of each on its own. */
  #report(severity: Severity, summary: string, link: Link, before: Placed | null): void {
    const kind = summary.startsWith("Hidden") ? "hidden-text" : "link";
    const key = `${summary}\n${link.href}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const from = before?.link.href ?? null;
    const { area: where, href: after } = link;
    this.#found.changes.push({ kind, severity, summary, where, place: placeOf(link), before: from, after });
  }

  #tell(
    severity: Severity,
    say: string,
    summary: string,
    link: Link,
    before: string | null,
    after: string | null = link.href,
  ): void {
    const { area: where } = link;
    const together = `links ${say}`;
    const isLabel = severity === "notice" && !isContent(link);
    this.#found.changes.push({
      kind: "link",
      severity,
      summary,
      where,
      place: placeOf(link),
      together,
      ...(isLabel ? { label: true as const } : {}),
      before,
      after,
    });
  }
}

function asksConsent(page: Page): boolean {
  return page.blocks.some(({ zone }) => zone === "consent");
}

// A page that links to more strangers than this gathers links: one more says little.
const CROWD = 20;

function isCrowd(page: Page): boolean {
  const hosts = new Set(page.links.map(({ href }) => registrable(hostOf(href))));
  return hosts.size > CROWD;
}

// Fewer links than this may lead to another language because someone wrote them so.
const FEWEST_SWAPPED = 4;

/** The links in which nothing but the language or the country differs, where that is most of those that differ. */
function swappedLocale(led: Led[]): Led[] {
  const bySwap = Map.groupBy(led, ({ before, after }) => localeSwap(before.to, after.to) ?? "");
  bySwap.delete("");
  const swapped = [...bySwap.values()].filter((pairs) => pairs.length >= FEWEST_SWAPPED).flat();
  return swapped.length > led.length / 2 ? swapped : [];
}

function localeChange({ before, after }: Led): StructureChange {
  const swap = localeSwap(before.to, after.to) ?? "";
  return {
    kind: "link",
    severity: "info",
    summary: `Link leads to another language or country: ${swap}`,
    where: after.link.area,
    together: `links lead to another language or country: ${swap}`,
    before: before.link.href,
    after: after.link.href,
  };
}

function placeOf(link: Link): string {
  return `${link.place} “${link.text.slice(0, 60)}”`;
}

function isUnsafer(before: Link, after: Link): boolean {
  return /^https:/i.test(before.href) && /^http:/i.test(after.href);
}

function isContact(link: Link): boolean {
  return isMail(link) || /^(?:tel|sms):/i.test(link.href);
}

function isMail(link: Link): boolean {
  return /^mailto:/i.test(link.href) || link.href.includes("/cdn-cgi/l/email-protection#");
}

/** Whether Cloudflare hides its address from those who run no scripts. */
function isVeiled(link: Link): boolean {
  return link.href.includes("/cdn-cgi/l/email-protection#");
}

const campaign = /[?&](?:amp;)?utm_(?:source|medium|campaign)=/i;

function isCampaign({ href }: Link): boolean {
  return campaign.test(href.replace(/%3f/gi, "?").replace(/%26/g, "&").replace(/%3d/gi, "="));
}

function isContent(link: Link): boolean {
  return link.zone === "" && !isFrame(link.area);
}
