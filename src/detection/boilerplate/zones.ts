import type { HtmlNode } from "../html-parsing/parse-html.ts";
import type { Part } from "./measure-elements.ts";

/** Parts of a page that come and go on their own, and lists that rotate: not what a reader came for. */
export type Zone = "" | "consent" | "widget" | "dialog" | "advertisement" | "rotation" | "list";

const consentVendor =
  /onetrust|optanon|\bot-(?:pc|sdk|floating)|didomi|usercentrics|cookiebot|cybotcookiebot|truste_|trust-?arc|iubenda|qc-?cmp|sp_message|tarteaucitron|axeptio|klaro|osano|termly|borlabs|\bcky-|evidon|shopify-pc|cmpbox|\bcc-(?:window|banner|revoke)/;
const consentWords =
  /cookie|consent|gdpr|ccpa|quantcast|\bcmp\b|privacy-?(?:banner|popup|prompt|manager|preference|overlay)/;
// A cookie policy is content even if its container is named after cookies.
const consentContent =
  /policy|declaration|statement|article|page|post|content-wrapper|\bno-?cookie|cookies-(?:enabled|disabled)/;
const widget =
  /intercom|zendesk|zopim|livechat|live-chat|chat-?(widget|bot|box|button|launcher|window)|\bdrift-|tawk|crisp-client|olark|freshchat|helpshift|hubspot-messages|grecaptcha|recaptcha|h-captcha|turnstile|snackbar|\btoast|addthis|sharethis|addtoany|usabilla|hotjar|\b_hj|qualtrics|medallia|kampyle|survey|goog-te|skiptranslate|google_translate|onesignal|web-?push|\bdebug\b|_logs?\b|\bnotif(ication)?s?-(bar|banner|toast|center)|geo-?(ip|redirect|popup|banner|loc)|country-?(selector|switch|redirect|popup)|smart-?banner|app-?banner|back-to-top|newsletter|trustpilot|\byotpo|bazaarvoice|\bvjs-|video-?player|jwplayer|brightcove|\bplyr|\bacsb|userway|accessibility-(widget|menu|tool)/;
const dialog =
  /\bmodals?\b|\bmodal-|-modal\b|pop-?(up|in|over)\b|\boverlay\b|lightbox|off-?canvas|\bdrawer\b|\btooltip/;
const advertisement =
  /(^|[\s_-])(advert\w*|ad-?(slot|unit|container|wrapper|banner|block)|adsbygoogle|dfp|gpt-?ad|google_ads\w*|sponsored|taboola|outbrain|criteo|promo-?(bar|banner|strip))($|[\s_-])/;
// This name is too short to prove anything on its own.
const adName = /(^|[\s_-])ads?($|[\s_-])/;
const rotation =
  /carousel|slider|slideshow|rotator|swiper|\bslick|\bsplide|\bglide\b|\bowl-|marquee|testimonial|random|instagram|twitter-timeline|social-?feed|\bweather\b/;
// Lists that a site fills automatically: reported like anything else, but in the digest only if they change often.
const list =
  /recommend|\brelated|you-?may|also-?(like|bought)|trending|most-?(read|popular|viewed)|\bpopular\b|best-?sell|suggest(ed|ions)|up-?sell|cross-?sell|recently-?viewed/;

const wholePage = new Set(["html", "body", "main", "article"]);
const inline = new Set("a button span label li input select option td th img p i b em strong svg".split(" "));

// Maximum number of characters in each kind of part; a longer one is what a reader came for, whatever its name.
const MAX_CHARS = { banner: 1200, launcher: 1000, dialog: 6000, advertisement: 1500 };

/** The zone that an element opens: its id and class say which, its size and content must agree. */
export function zoneOf(node: HtmlNode, area: string, part: Part): Zone {
  if (part.holdsMain || wholePage.has(node.tag)) return "";
  const names = `${node.attributes.id ?? ""} ${node.attributes.class ?? ""}`.toLowerCase();
  if (asksConsent(names, area, part)) return "consent";
  if (part.share > 0.3) return "";
  return (names.length > 1 ? namedZone(node, names, part) : "") || declaredZone(node, part);
}

/** A banner is short and has a button; a longer text is a policy unless it has the buttons of a consent dialog. */
function asksConsent(names: string, area: string, part: Part): boolean {
  const isVendor = consentVendor.test(names) && !/cookie-?(?:policy|declaration)/.test(names);
  if (
    !isVendor &&
    (area === "main" || part.share >= 0.5 || !consentWords.test(names) || consentContent.test(names))
  )
    return false;
  const hasButton = part.count("buttons") > 0;
  if (isVendor ? hasButton || part.length <= MAX_CHARS.banner : hasButton && part.length <= MAX_CHARS.banner)
    return true;
  return part.count("accepts") > 0;
}

function namedZone(node: HtmlNode, names: string, part: Part): Zone {
  if (widget.test(names) && part.length <= MAX_CHARS.launcher) return "widget";
  if (isAdvertisement(names, part)) return "advertisement";
  if (dialog.test(names) && isDialog(node, part)) return "dialog";
  if (rotation.test(names)) return "rotation";
  return list.test(names) ? "list" : "";
}

/** An element that is only named "ad" must also link to or load something, or still be empty. */
function isAdvertisement(names: string, part: Part): boolean {
  if (part.length > MAX_CHARS.advertisement) return false;
  return advertisement.test(names) || (adName.test(names) && (part.length === 0 || part.count("leads") > 0));
}

/** A dialog is a box that can be closed, or one that is not shown yet. */
function isDialog(node: HtmlNode, part: Part): boolean {
  if (inline.has(node.tag) || part.length > MAX_CHARS.dialog) return false;
  return part.count("buttons") > 0 || hides(node) !== "" || node.attributes["aria-hidden"] === "true";
}

/** The zone that a tag, role or attribute declares. Live regions are not zones: they also hold prices and stock. */
function declaredZone({ tag, attributes }: HtmlNode, part: Part): Zone {
  const role = attributes.role ?? "";
  // The author asks search engines not to quote it, which is typical of small parts outside the content.
  if (attributes["data-nosnippet"] !== undefined && part.share < 0.05) return "widget";
  // Custom elements with such a name are always dialogs: sl-dialog, ion-modal.
  const isModal =
    /^dialog$|-(?:dialog|modal)$/.test(tag) ||
    /^(?:alert)?dialog$/.test(role) ||
    attributes["aria-modal"] === "true";
  if (isModal && part.length <= MAX_CHARS.dialog) return "dialog";
  if (/^(?:tooltip|log|timer)$/.test(role) && part.length <= MAX_CHARS.launcher) return "widget";
  return tag === "marquee" ? "rotation" : "";
}

const landmarkTags = new Set(["main", "nav", "header", "footer", "aside"]);
const areaByRole = new Map([
  ["main", "main"],
  ["navigation", "nav"],
  ["banner", "header"],
  ["contentinfo", "footer"],
  ["complementary", "aside"],
  ["search", "header"],
  ["menu", "nav"],
  ["menubar", "nav"],
]);
const areaByName: [string, RegExp][] = [
  ["footer", /(^|[\s_-])(footer|colophon)([\s_-]|$)/],
  [
    "header",
    /(^|\s)((site|page|global|main|top|app|gl|primary)[_-]?)?(header|masthead|topbar|top-bar)(\s|$)/,
  ],
  [
    "nav",
    /(^|[\s_-])(nav|navbar|navigation|breadcrumbs?|mega-?menu|main-?menu|menu|submenu|dropdown-menu)([\s_-]|$)/,
  ],
  ["aside", /(^|[\s_-])(sidebar|side-bar)([\s_-]|$)/],
];

/** The landmark that an element opens, "" if it opens none. */
export function areaOf(node: HtmlNode, outer: string, { share, holdsMain }: Part): string {
  const byTag = landmarkTags.has(node.tag) ? node.tag : undefined;
  const own = areaByRole.get(node.attributes.role ?? "") ?? byTag;
  // A table of contents inside main or aside belongs to it, and so do the header and footer of a section.
  if (own && !(outer === "main" && own !== "aside") && !(outer === "aside" && own === "nav")) return own;
  if (node.tag === "article" && outer === "") return "main";
  if (outer !== "" || holdsMain || share > 0.5 || node.tag === "body" || node.tag === "html") return "";
  const names = `${node.attributes.id ?? ""} ${node.attributes.class ?? ""}`.toLowerCase();
  if (names.length < 4) return "";
  for (const [area, pattern] of areaByName) if (pattern.test(names)) return area;
  return "";
}

/** How something is hidden: removed from the page (inert), or left in it where only machines read it (cloaked). */
export type Hidden = "" | "inert" | "cloaked";

const inertStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const cloakedStyle =
  /font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|(?:left|top|right|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:;|$)/i;

/** How an element is hidden if a browser recorded its visibility. What the author only collapsed is not hidden. */
export function hiddenWhenRendered(node: HtmlNode): Hidden {
  if (node.rendered === "cloaked") return "cloaked";
  return node.rendered === "hidden" ? hides(node) : "";
}

/** How the element's own tag and attributes hide it, "" if they don't. */
export function hides(node: HtmlNode): Hidden {
  const { attributes } = node;
  if (attributes.hidden !== undefined || node.tag === "template" || node.tag === "noscript") return "inert";
  if (attributes.style === undefined) return "";
  if (inertStyle.test(attributes.style)) return "inert";
  return cloakedStyle.test(attributes.style) ? "cloaked" : "";
}
