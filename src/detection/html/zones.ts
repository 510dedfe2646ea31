import type { HtmlNode } from "./parse-html.ts";

/** Parts of a page that come and go by themselves: not what a reader came for. */
export type Zone = "" | "consent" | "widget" | "dialog" | "advertisement" | "rotation";

const consentVendor =
  /onetrust|optanon|\bot-(?:pc|sdk|floating)|didomi|usercentrics|cookiebot|cybotcookiebot|truste_|trust-?arc|iubenda|qc-?cmp|sp_message|tarteaucitron|axeptio|klaro|osano|termly|borlabs|\bcky-|evidon|shopify-pc|cmpbox|\bcc-(?:window|banner|revoke)/;
const consentWords =
  /cookie|consent|gdpr|ccpa|quantcast|\bcmp\b|privacy-?(?:banner|popup|prompt|manager|preference|overlay)/;
// A policy about cookies is content even when its container says cookie.
const consentContent =
  /policy|declaration|statement|article|page|post|content-wrapper|\bno-?cookie|cookies-(?:enabled|disabled)/;
const widget =
  /intercom|zendesk|zopim|livechat|live-chat|chat-?(widget|bot|box|button|launcher|window)|\bdrift-|tawk|crisp-client|olark|freshchat|helpshift|hubspot-messages|grecaptcha|recaptcha|h-captcha|turnstile|snackbar|\btoast|addthis|sharethis|addtoany|usabilla|hotjar|\b_hj|qualtrics|medallia|kampyle|survey|goog-te|skiptranslate|google_translate|onesignal|web-?push|\bdebug\b|_logs?\b|\bnotif(ication)?s?-(bar|banner|toast|center)|announcement|alert-?(bar|banner)|site-?alert|geo-?(ip|redirect|popup|banner|loc)|country-?(selector|switch|redirect|popup)|smart-?banner|app-?banner|back-to-top|newsletter|trustpilot|\byotpo|bazaarvoice|\bvjs-|video-?player|jwplayer|brightcove|\bplyr|\bacsb|userway|accessibility-(widget|menu|tool)/;
const dialog =
  /\bmodals?\b|\bmodal-|-modal\b|pop-?(up|in|over)\b|\boverlay\b|lightbox|off-?canvas|\bdrawer\b|\btooltip/;
// Notices that a visitor closes and that come and go with what they announce.
const dismissible = /\b(?:is-)?dismiss[ai]ble\b|\b(?:is-)?clos(?:e?able)\b/;
const advertisement =
  /(^|[\s_-])(ads?|advert\w*|ad-?(slot|unit|container|wrapper|banner|block)|adsbygoogle|dfp|gpt-?ad|google_ads\w*|sponsor(ed|s)?|taboola|outbrain|criteo|promos?|promotions?|promo-?(bar|banner|strip))($|[\s_-])/;
const rotation =
  /carousel|slider|slideshow|swiper|\bslick|\bsplide|\bglide\b|\bowl-|marquee|\bticker|recommend|\brelated|you-?may|also-?(like|bought)|trending|most-?(read|popular|viewed)|\bpopular\b|best-?sell|suggest(ed|ions)|up-?sell|cross-?sell|recently-?viewed|testimonial|random|instagram|twitter-timeline|social-?feed|\bweather\b|stock-?(ticker|quote)/;

const wholePage = new Set(["html", "body", "main", "article"]);

/** The zone an element opens, from its own names. `share` is its part of the page's text. */
export function zoneOf(node: HtmlNode, area: string, share: number, holdsMain: boolean): Zone {
  const { attributes } = node;
  const names = `${attributes.id ?? ""} ${attributes.class ?? ""}`.toLowerCase();
  const role = attributes.role ?? "";
  if (holdsMain || wholePage.has(node.tag)) return "";
  if (consentVendor.test(names) && !/cookie-?(?:policy|declaration)/.test(names)) return "consent";
  if (area !== "main" && share < 0.5 && consentWords.test(names) && !consentContent.test(names))
    return "consent";
  if (share > 0.3) return "";
  if (names.length > 1) {
    if (widget.test(names)) return "widget";
    if (advertisement.test(names)) return "advertisement";
    if (dialog.test(names)) return "dialog";
    if (rotation.test(names)) return "rotation";
    if (dismissible.test(names)) return "dialog";
  }
  if (attributes["data-close"] === "true" || attributes["data-dismissible"] !== undefined) return "dialog";
  // The author asks search engines not to quote it: small parts beside the content.
  if (attributes["data-nosnippet"] !== undefined && share < 0.05) return "widget";
  if (
    node.tag === "dialog" ||
    role === "dialog" ||
    role === "alertdialog" ||
    attributes["aria-modal"] === "true"
  ) {
    return "dialog";
  }
  if (/^(?:polite|assertive)$/.test(attributes["aria-live"] ?? "")) return "widget";
  if (role === "tooltip" || role === "status" || role === "alert" || role === "log" || role === "timer")
    return "widget";
  if (node.tag === "marquee") return "rotation";
  if (node.tag === "ins" && names.includes("adsbygoogle")) return "advertisement";
  return "";
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
export function areaOf(node: HtmlNode, outer: string, share: number, holdsMain: boolean): string {
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
  return node.sight === "hidden" && hides(node) === "inert" ? "inert" : "";
}

/** Whether the element's own attributes keep it from being seen. */
export function hides(node: HtmlNode): Hidden {
  const { attributes } = node;
  if (attributes.hidden !== undefined || node.tag === "template" || node.tag === "noscript") return "inert";
  if (attributes.style === undefined) return "";
  if (inertStyle.test(attributes.style)) return "inert";
  return cloakedStyle.test(attributes.style) ? "cloaked" : "";
}
