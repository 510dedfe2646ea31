import { isOutsideContent } from "../boilerplate/is-boilerplate.ts";
import { quoteStart } from "../change-summaries/quote.ts";
import type {
  StructureChange,
  StructureComparison,
  StructureContext,
} from "../html-comparison/structure-change.ts";
import type { Link, Page } from "../html-parsing/page.ts";
import { parseHtml } from "../html-parsing/parse-html.ts";
import { isSpam } from "../noise/mask-text.ts";
import { maskUrl } from "../noise/urls.ts";
import { type NoiseMemory, wasSeen } from "../noise-memory/noise-memory.ts";
import { isMild, type Severity, severityOf } from "../severity/severity.ts";
import { foldSpace } from "../spaces-and-invisible-characters/fold-space.ts";
import { hostItem, hostOf, registrable } from "../third-party-hosts/hosts.ts";
import type { KnownHosts } from "../third-party-hosts/known-hosts.ts";
import { alignLinks, type LinkPair, type Placed } from "./align-links.ts";
import { LinkedWords } from "./linked-words.ts";
import { localeSwap } from "./locale-swap.ts";
import { findSharedTokens } from "./shared-tokens.ts";

type Retargeted = { before: Placed; after: Placed };

/** Finds links whose target changed, text that became a link or no longer is one, and links that no reader sees. */
export function compareLinks(context: StructureContext): void {
  const { older, newer, found } = context;
  const pairs = alignLinks(older, newer);
  const words = new LinkedWords(older, newer);
  const judge = new LinkJudge(context, words);
  const retargeted = pairs.filter(isRetargeted);
  const localeSwaps = swappedLocale(retargeted);
  for (const pair of localeSwaps) found.changes.push(localeChange(pair));
  const isSwapped = new Set<LinkPair>(localeSwaps);
  const hasOtherToken: ReadonlySet<LinkPair> = findSharedTokens(retargeted);
  for (const pair of pairs) {
    if (isSwapped.has(pair)) continue;
    if (isRetargeted(pair) && !hasOtherToken.has(pair)) judge.judgeRetargeted(pair);
    else if (pair.before && pair.after) judge.judgeSameTarget(pair.before, pair.after);
    else if (pair.after) judge.judgeAdded(pair.after);
    else if (pair.before) judge.judgeRemoved(pair.before);
  }
}

function isRetargeted(pair: LinkPair): pair is Retargeted {
  const { before, after } = pair;
  if (!before || !after) return false;
  return before.to !== after.to || isLessSecure(before.link, after.link);
}

class LinkJudge {
  readonly #known: KnownHosts;
  readonly #memory: NoiseMemory;
  readonly #found: StructureComparison;
  readonly #words: LinkedWords;
  readonly #linksToMany: boolean;
  readonly #isConsentNew: boolean;
  readonly #contacts: ReadonlySet<string>;
  readonly #namesOfOne: ReadonlySet<string>;
  readonly #reported = new Set<string>();

  constructor({ older, known, memory, found }: StructureContext, words: LinkedWords) {
    this.#known = known;
    this.#memory = memory;
    this.#found = found;
    this.#words = words;
    this.#linksToMany = linksToManyHosts(older);
    this.#isConsentNew = !asksConsent(older);
    this.#contacts = new Set(older.links.filter(isContact).map(({ href }) => maskUrl(href)));
    this.#namesOfOne = namesOfOneTarget(older.links);
  }

  /** Judges a link whose target changed. */
  judgeRetargeted(pair: Retargeted): void {
    const { link } = pair.after;
    const old = pair.before.link;
    const label = link.text === "" ? "without words" : quoteStart(link.text, 60);
    const host = hostOf(link.href);
    const isNew = this.#remembersAsNew(link);
    if (isNew && link.hidden !== "")
      return this.#report(severityOf.hiddenLink, `Hidden link to ${host}`, link, old, "hidden-text");
    if (isContact(link) && isContact(old)) {
      const summary = `${isMail(link) ? "Mail" : "Telephone"} link now goes to ${contactOf(link)}`;
      return this.#report(severityOf.contactLinkChanged, summary, link, old);
    }
    const leadsTo = `Link ${label} leads to ${host}`;
    if (isNew) return this.#report(severityOf.linkLeadsToNewHost, leadsTo, link, old);
    if (pair.before.to === pair.after.to) {
      const severity = inContent(link, severityOf.linkNoLongerEncrypted);
      const summary = `Link ${label} is no longer encrypted`;
      return this.#collect(severity, "no longer encrypted", summary, link, old.href);
    }
    const isOnSameHost = this.#isSameHost(old, link);
    const isSameLink = this.#isSameLink(old, link);
    if (host !== "" && !isOnSameHost && (link.zone === "" || isSameLink))
      return this.#collect(severityOf.linkLeadsToOtherHost, "lead to another host", leadsTo, link, old.href);
    // The target of a link with campaign tags changes with the campaign.
    const isOffer = isCampaign(old) && isCampaign(link) && isOnSameHost;
    const targetSeverity = isOffer ? severityOf.campaignLinkTargetChanged : severityOf.linkTargetChanged;
    const isOne = isSameLink && link.hidden === "";
    const severity = isOne ? targetSeverity : inContent(link, targetSeverity);
    this.#collect(severity, "lead elsewhere", `Link ${label} leads elsewhere`, link, old.href);
  }

  /** Judges a link whose target stayed the same; a value in the address or the linked words may differ. */
  judgeSameTarget(before: Placed, after: Placed): void {
    const [old, now] = [before.link, after.link];
    if (isObfuscated(old) !== isObfuscated(now)) {
      const how = isObfuscated(now) ? "hidden from robots" : "open to robots";
      const summary = `Address ${after.to.replace(/^mailto:/, "").slice(0, 80)} is now ${how}`;
      const severity = inContent(now, severityOf.linkAddressObfuscationChanged);
      this.#collect(severity, `to addresses are ${how}`, summary, now, old.href);
    } else if (
      old.text !== now.text &&
      old.text !== "" &&
      now.text !== "" &&
      this.#words.areInSameText(old, now)
    ) {
      const severity = inContent(now, severityOf.linkWordsChanged);
      const summary = `Link is now ${quoteStart(now.text, 60)}`;
      this.#collect(severity, "have new text", summary, now, old.text, now.text);
    }
  }

  judgeAdded({ link }: Placed): void {
    const host = hostOf(link.href);
    const isNew = this.#remembersAsNew(link);
    if (link.hidden !== "" && (isNew || (isSpam(link.text) && host !== ""))) {
      this.#report(severityOf.hiddenLink, `Hidden link to ${host}`, link, null, "hidden-text");
    } else if (isNew && (link.text !== "" || link.zone !== "advertisement")) {
      // A consent dialog appears as a whole and names the site's partners.
      const isPartner = link.zone === "consent" && this.#isConsentNew && !isSpam(link.text);
      const hostSeverity = this.#linksToMany ? severityOf.newLinkHostAmongMany : severityOf.newLinkHost;
      const severity = isPartner ? severityOf.newConsentPartner : hostSeverity;
      this.#collect(severity, `lead to ${host}, which is new`, `New link to ${host}`, link, null);
    } else if (isContact(link) && /[@\d]/.test(link.href) && !this.#contacts.has(maskUrl(link.href))) {
      const summary = `New ${isMail(link) ? "mail" : "telephone"} link to ${contactOf(link)}`;
      this.#collect(severityOf.contactLinkAdded, "go to a new contact", summary, link, null);
    } else if (!isOutsideContent(link) && this.#words.isAddedToText(link)) {
      const summary = `${quoteStart(link.text, 60)} is now a link`;
      this.#collect(severityOf.wordsBecameLink, "were added to existing words", summary, link, null);
    } else this.#collect(severityOf.linkAdded, "were added", "1 link was added", link, null);
  }

  judgeRemoved({ link }: Placed): void {
    if (!isOutsideContent(link) && this.#words.isRemovedFromText(link)) {
      const summary = `${quoteStart(link.text, 60)} is no longer a link`;
      this.#collect(severityOf.linkBecameWords, "are plain text now", summary, link, link.href, null);
    } else this.#collect(severityOf.linkRemoved, "were removed", "1 link was removed", link, link.href, null);
  }

  /** Whether a link leads to a new host, which the memory then knows. */
  #remembersAsNew({ href }: Link): boolean {
    const item = hostItem("link", href);
    const isNew = this.#known.isNewTarget(href) && !wasSeen(this.#memory, item);
    if (isNew) this.#found.alarmed.push(item);
    return isNew;
  }

  /**
   * Whether it is one link with another target, changed by somebody, and not another link in its position: lists and
   * advertisements exchange their links, also those with the same words ("Read more").
   */
  #isSameLink(before: Link, after: Link): boolean {
    if (after.text !== before.text) return false;
    if (after.text === "") return after.zone === "" && after.place === before.place;
    return (
      !exchangesLinks.has(after.zone) || (after.zone !== "advertisement" && this.#namesOfOne.has(after.text))
    );
  }

  #isSameHost(before: Link, after: Link): boolean {
    const [old, now] = [hostOf(before.href), hostOf(after.href)];
    if (old === "" || now === "") return this.#known.isOwnHost(old) && this.#known.isOwnHost(now);
    return registrable(old) === registrable(now);
  }

  /** Reports a change on its own, at most once per summary and address. */
  #report(
    severity: Severity,
    summary: string,
    link: Link,
    old: Link | null,
    kind: StructureChange["kind"] = "link",
  ): void {
    const key = `${summary}\n${link.href}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#found.changes.push({
      kind,
      severity,
      summary,
      ...locate(link),
      before: old?.href ?? null,
      after: link.href,
    });
  }

  /** Reports a change that is summarized with others of the same wording. */
  #collect(
    severity: Severity,
    wording: string,
    summary: string,
    link: Link,
    before: string | null,
    after: string | null = link.href,
  ): void {
    const label = isMild({ severity }) && isOutsideContent(link) ? { label: true as const } : {};
    const together = `links ${wording}`;
    const change = { severity, summary, ...locate(link), together, ...label, before, after };
    this.#found.changes.push({ kind: "link", ...change });
  }
}

const exchangesLinks = new Set<Link["zone"]>(["advertisement", "rotation", "list"]);

/** The words that name one target: all links with them lead to the same address. */
function namesOfOneTarget(links: Link[]): Set<string> {
  const byName = Map.groupBy(links, ({ text }) => text);
  const isOne = (same: Link[]) => same.every(({ href }) => href === same[0]?.href);
  return new Set([...byName].filter(([, same]) => isOne(same)).map(([name]) => name));
}

// Characters of a contact each of whose letters is escaped.
const MAX_ESCAPED = 800;

/** The address or number that a link goes to. */
function contactOf({ href }: Link): string {
  const contact = (maskUrl(href).replace(/^\w+:/, "").split("?")[0] ?? "").slice(0, MAX_ESCAPED);
  // Some pages hide an address from robots in two ways: its letters are escaped behind Cloudflare's protection.
  const readable = parseHtml(contact).map(({ text }) => text);
  return foldSpace(readable.join("")).slice(0, 80);
}

function asksConsent(page: Page): boolean {
  return page.blocks.some(({ zone }) => zone === "consent");
}

// A page that links to more hosts than this is a collection of links: one more host means little.
const MANY_HOSTS = 20;

function linksToManyHosts(page: Page): boolean {
  const hosts = new Set(page.links.map(({ href }) => registrable(hostOf(href))));
  return hosts.size > MANY_HOSTS;
}

// Fewer links than this may lead to another language because an author changed them by hand.
const FEWEST_SWAPPED = 4;

/** The links that differ only in language or country, if they are most of the links that differ. */
function swappedLocale(retargeted: Retargeted[]): Retargeted[] {
  const bySwap = Map.groupBy(retargeted, ({ before, after }) => localeSwap(before.to, after.to) ?? "");
  bySwap.delete("");
  const swapped = [...bySwap.values()].filter((pairs) => pairs.length >= FEWEST_SWAPPED).flat();
  return swapped.length > retargeted.length / 2 ? swapped : [];
}

function localeChange({ before, after }: Retargeted): StructureChange {
  const swap = localeSwap(before.to, after.to) ?? "";
  return {
    kind: "link",
    severity: severityOf.linksSwitchedLocale,
    summary: `Link leads to another language or country: ${swap}`,
    where: after.link.area,
    together: `links lead to another language or country: ${swap}`,
    before: before.link.href,
    after: after.link.href,
  };
}

function locate({ area, place, text }: Link): Pick<StructureChange, "where" | "place"> {
  return { where: area, place: `${place} “${text.slice(0, 60)}”` };
}

function isLessSecure(before: Link, after: Link): boolean {
  return /^https:/i.test(before.href) && /^http:/i.test(after.href);
}

function isContact(link: Link): boolean {
  return isMail(link) || /^(?:tel|sms):/i.test(link.href);
}

function isMail(link: Link): boolean {
  return /^mailto:/i.test(link.href) || link.href.includes("/cdn-cgi/l/email-protection#");
}

/** Whether Cloudflare hides the link's address from clients that run no scripts. */
function isObfuscated(link: Link): boolean {
  return link.href.includes("/cdn-cgi/l/email-protection#");
}

const campaign = /[?&](?:amp;)?utm_(?:source|medium|campaign)=/i;

function isCampaign({ href }: Link): boolean {
  return campaign.test(href.replace(/%3f/gi, "?").replace(/%26/g, "&").replace(/%3d/gi, "="));
}

/** The severity of a change to a link in the main content; elsewhere the change only explains. */
function inContent(link: Link, severity: Severity): Severity {
  return isOutsideContent(link) ? severityOf.linkOutsideContent : severity;
}
