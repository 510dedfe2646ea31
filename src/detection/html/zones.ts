import type { HtmlNode } from "./parse-html.ts";
import type { Part } from "./weigh.ts";

/** Parts of a page that come and go by themselves, and lists that turn: not what a reader came for. */
export type Zone = "" | "consent" | "widget" | "dialog" | "advertisement" | "rotation" | "list";

const consentVendor =
  /onetrust|optanon|\bot-(?:pc|sdk|floating)|didomi|usercentrics|cookiebot|cybotcookiebot|truste_|trust-?arc|iubenda|qc-?cmp|sp_message|tarteaucitron|axeptio|klaro|osano|termly|borlabs|\bcky-|evidon|shopify-pc|cmpbox|\bcc-(?:window|banner|revoke)/;
const consentWords =
  /cookie|consent|gdpr|ccpa|quantcast|\bcmp\b|privacy-?(?:banner|popup|prompt|manager|preference|overlay)/;
// A policy about cookies is content even when its container says cookie.
const consentContent =
  /policy|declaration|statement|article|page|post|content-wrapper|\bno-?cookie|cookies-(?:enabled|disabled)/;
const widget =
  /intercom|zendesk|zopim|livechat|live-chat|chat-?(widget|bot|box|button|launcher|window)|\bdrift-|tawk|crisp-client|olark|freshchat|helpshift|hubspot-messages|grecaptcha|recaptcha|h-captcha|turnstile|snackbar|\btoast|addthis|sharethis|addtoany|usabilla|hotjar|\b_hj|qualtrics|medallia|kampyle|survey|goog-te|skiptranslate|google_translate|onesignal|web-?push|\bdebug\b|_logs?\b|\bnotif(ication)?s?-(bar|banner|toast|center)|geo-?(ip|redirect|popup|banner|loc)|country-?(selector|switch|redirect|popup)|smart-?banner|app-?banner|back-to-top|newsletter|trustpilot|\byotpo|bazaarvoice|\bvjs-|video-?player|jwplayer|brightcove|\bplyr|\bacsb|userway|accessibility-(widget|menu|tool)/;
const dialog =
  /\bmodals?\b|\bmodal-|-modal\b|pop-?(up|in|over)\b|\boverlay\b|lightbox|off-?canvas|\bdrawer\b|\btooltip/;
const advertisement =
  /(^|[\s_-])(advert\w*|ad-?(slot|unit|container|wrapper|banner|block)|adsbygoogle|dfp|gpt-?ad|google_ads\w*|sponsored|taboola|outbrain|criteo|promo-?(bar|banner|strip))($|[\s_-])/;
// Too short a name to prove anything by itself.
const called = /(^|[\s_-])ads?($|[\s_-])/;
const rotation =
  /carousel|slider|slideshow|rotator|swiper|\bslick|\bsplide|\bglide\b|\bowl-|marquee|testimonial|random|instagram|twitter-timeline|social-?feed|\bweather\b/;
// Lists that a site fills by itself: told of like anything else, but folded where they turn often.
const list =
  /recommend|\brelated|you-?may|also-?(like|bought)|trending|most-?(read|popular|viewed)|\bpopular\b|best-?sell|suggest(ed|ions)|up-?sell|cross-?sell|recently-?viewed/;
const ticker = /\bticker|stock-?(ticker|quote)|market-?(data|ticker)/;

const wholePage = new Set(["html", "body", "main", "article"]);
const inline = new Set("a button span label li input select option td th img p i b em strong svg".split(" "));

// How much a part of its kind says at most; what says more is what a reader came for, whatever it is called.
const MOST = { banner: 1200, launcher: 1000, dialog: 6000, advertisement: 1500 };

/** The zone an element opens: its names say which, its shape must agree. */
export function zoneOf(node: HtmlNode, area: string, part: Part): Zone {
  if (part.holdsMain || wholePage.has(node.tag)) return "";
  const names = `${node.attributes.id ?? ""} ${node.attributes.class ?? ""}`.toLowerCase();
  if (asksConsent(names, area, part)) return "consent";
  if (part.share > 0.3) return "";
  return (names.length > 1 ? namedZone(node, names, part) : "") || spokenZone(node, part);
}

/** A banner is short and has a button; a longer text is a policy unless it ends in the buttons of a consent dialogue. */
function asksConsent(names: string, area: string, part: Part): boolean {
  const isVendor = consentVendor.test(names) && !/cookie-?(?:policy|declaration)/.test(names);
  if (
    !isVendor &&
    (area === "main" || part.share >= 0.5 || !consentWords.test(names) || consentContent.test(names))
  )
    return false;
  const hasButton = part.count("buttons") > 0;
  if (isVendor ? hasButton || part.length <= MOST.banner : hasButton && part.length <= MOST.banner)
    return true;
  return part.count("accepts") > 0;
}

function namedZone(node: HtmlNode, names: string, part: Part): Zone {
  if (widget.test(names) && part.length <= MOST.launcher) return "widget";
  if (isAdvertisement(names, part)) return "advertisement";
  if (dialog.test(names) && isDialog(node, part)) return "dialog";
  if (rotation.test(names) || (ticker.test(names) && part.count("quotes") > 0)) return "rotation";
  return list.test(names) ? "list" : "";
}

/** What is only called "ad" must lead somewhere or wait to be filled. */
function isAdvertisement(names: string, part: Part): boolean {
  if (part.length > MOST.advertisement) return false;
  return advertisement.test(names) || (called.test(names) && (part.length === 0 || part.count("leads") > 0));
}

/** A dialogue is a box that can be closed, or one that is not shown yet. */
function isDialog(node: HtmlNode, part: Part): boolean {
  if (inline.has(node.tag) || part.length > MOST.dialog) return false;
  return part.count("buttons") > 0 || hides(node) !== "" || node.attributes["aria-hidden"] === "true";
}

/** What an element says of itself without a name. Live regions hold prices and stock as well, so they are none. */
function spokenZone({ tag, attributes }: HtmlNode, part: Part): Zone {
  const role = attributes.role ?? "";
  // The author asks search engines not to quote it: small parts beside the content.
  if (attributes["data-nosnippet"] !== undefined && part.share < 0.05) return "widget";
  // An element of the author's own that is named so is no other thing: sl-dialog, ion-modal.
  const isModal =
    /^dialog$|-(?:dialog|modal)$/.test(tag) ||
    /^(?:alert)?dialog$/.test(role) ||
    attributes["aria-modal"] === "true";
  if (isModal && part.length <= MOST.dialog) return "dialog";
  if (/^(?:tooltip|log|timer)$/.test(role) && part.length <= MOST.launcher) return "widget";
  return tag === "marquee" ? "rotation" : "";
}

const areaByTag = new Map([
  ["main", "main"],
  ["nav", "nav"],
  ["header", "header"],
  ["footer", "footer"],
  ["aside", "aside"],
]);
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

/** The landmark an element opens, "" when it opens none. */
export function areaOf(node: HtmlNode, outer: string, { share, holdsMain }: Part): string {
  const own = areaByRole.get(node.attributes.role ?? "") ?? areaByTag.get(node.tag);
  // A contents list in the content or beside it belongs there; so do a section's header and footer.
  if (own && !(outer === "main" && own !== "aside") && !(outer === "aside" && own === "nav")) return own;
  if (node.tag === "article" && outer === "") return "main";
  if (outer !== "" || holdsMain || share > 0.5 || node.tag === "body" || node.tag === "html") return "";
  const names = `${node.attributes.id ?? ""} ${node.attributes.class ?? ""}`.toLowerCase();
  if (names.length < 4) return "";
  for (const [area, pattern] of areaByName) if (pattern.test(names)) return area;
  return "";
}

/** Not shown: taken out of the page, or left in it where only a machine reads it. */
export type Hidden = "" | "inert" | "cloaked";

const inertStyle = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const cloakedStyle =
  /font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|(?:left|top|right|text-indent)\s*:\s*-\d{3,}|clip\s*:\s*rect\(\s*0|(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*0(?:px)?\s*(?:;|$)/i;

/** How an element is hidden where a browser saw whether it is. A fold of the author's is no hiding. */
export function hidesInSight(node: HtmlNode): Hidden {
  if (node.sight === "cloaked") return "cloaked";
  return node.sight === "hidden" ? hides(node) : "";
}

/** Whether the element's own attributes keep it from being seen. */
export function hides(node: HtmlNode): Hidden {
  const { attributes } = node;
  if (attributes.hidden !== undefined || node.tag === "template" || node.tag === "noscript") return "inert";
  if (attributes.style === undefined) return "";
  if (inertStyle.test(attributes.style)) return "inert";
  return cloakedStyle.test(attributes.style) ? "cloaked" : "";
}
