/** A page with a consent banner, in the structure that its maker documents. */
export type BannerPage = {
  /** Of the banner, its links and dialogs. */
  html: string;
  /** What the page remembers if the visitor rejected, accepted, or bought something. */
  script?: string;
};

const cover = "position:fixed;left:0;right:0;bottom:0;z-index:999;background:#fff;padding:20px";
const ask = "We use cookies and similar technologies to show you personalised content and advertising.";
/** Says in the page what was clicked, and closes the banner. */
const answer = (what: string, banner: string) =>
  `onclick="document.documentElement.dataset.answer='${what}';document.querySelector('${banner}').remove()"`;

/** Banners by makers, and ones that nobody's rules know. */
export const banners: Record<string, BannerPage> = {
  onetrust: {
    html: `<div id="onetrust-consent-sdk"><div class="onetrust-pc-dark-filter" style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>
      <div id="onetrust-banner-sdk" role="dialog" style="${cover}"><p>${ask}</p>
      <button id="onetrust-pc-btn-handler">Cookie settings</button>
      <button id="onetrust-reject-all-handler" ${answer("reject", "#onetrust-consent-sdk")}>Reject all</button>
      <button id="onetrust-accept-btn-handler" ${answer("accept", "#onetrust-consent-sdk")}>Accept all cookies</button></div></div>`,
  },
  cookiebot: {
    html: `<div id="CybotCookiebotDialog" role="dialog" style="${cover}"><p>${ask}</p>
      <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll" ${answer("reject", "#CybotCookiebotDialog")}>Use necessary cookies only</button>
      <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" ${answer("accept", "#CybotCookiebotDialog")}>Allow all cookies</button></div>`,
    script: `window.Cookiebot = { hasResponse: false, dialog: { visible: true } };`,
  },
  didomi: {
    html: `<div id="didomi-host"><div id="didomi-popup" class="didomi-popup-backdrop" style="${cover}"><div class="didomi-popup-container"><p>${ask}</p>
      <button class="didomi-continue-without-agreeing" ${answer("reject", "#didomi-host")}>Continue without agreeing</button>
      <button id="didomi-notice-agree-button" ${answer("accept", "#didomi-host")}>Agree</button></div></div></div>`,
    script: `window.Didomi = { setUserDisagreeToAll() { document.documentElement.dataset.answer = "reject"; document.querySelector("#didomi-host")?.remove(); }, getCurrentUserStatus: () => ({ purposes: {} }) };`,
  },
  klaro: {
    html: `<div id="klaro"><div class="klaro"><div class="cookie-notice" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="cm-btn cn-decline" ${answer("reject", "#klaro")}>I decline</button>
      <button class="cm-btn cm-btn-success" ${answer("accept", "#klaro")}>That's ok</button></div></div></div>`,
  },
  complianz: {
    html: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-show" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="cmplz-btn cmplz-deny" ${answer("reject", "#cmplz-cookiebanner-container")}>Deny</button>
      <button class="cmplz-btn cmplz-accept" ${answer("accept", "#cmplz-cookiebanner-container")}>Accept</button></div></div>`,
  },
  osano: {
    html: `<div class="osano-cm-window"><div class="osano-cm-dialog" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="osano-cm-denyAll osano-cm-button" ${answer("reject", ".osano-cm-window")}>Reject all</button>
      <button class="osano-cm-accept-all osano-cm-button" ${answer("accept", ".osano-cm-window")}>Accept all</button></div></div>`,
    script: `window.Osano = { cm: { dialogOpen: true } };`,
  },
  termly: {
    html: `<div id="termly-code-snippet-support"><div style="${cover}" role="dialog"><p>${ask}</p>
      <button data-tid="banner-decline" ${answer("reject", "#termly-code-snippet-support")}>Decline</button>
      <button data-tid="banner-accept" ${answer("accept", "#termly-code-snippet-support")}>Accept</button></div></div>`,
  },
  iubenda: {
    html: `<div id="iubenda-cs-banner" class="iubenda-cs-visible" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="iubenda-cs-reject-btn" ${answer("reject", "#iubenda-cs-banner")}>Reject</button>
      <button class="iubenda-cs-accept-btn" ${answer("accept", "#iubenda-cs-banner")}>Accept</button></div>`,
  },
  cookieyes: {
    html: `<div class="cky-overlay" style="position:fixed;inset:0"></div><div class="cky-consent-container" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="cky-btn cky-btn-reject" data-cky-tag="reject-button" ${answer("reject", ".cky-consent-container")}>Reject All</button>
      <button class="cky-btn cky-btn-accept" data-cky-tag="accept-button" ${answer("accept", ".cky-consent-container")}>Accept All</button></div>`,
  },
  quantcast: {
    html: `<div id="qc-cmp2-container"><div id="qc-cmp2-ui" role="dialog" style="${cover}"><p>We value your privacy. We and our partners store cookies.</p><div class="qc-cmp2-summary-buttons">
      <button mode="secondary">MORE OPTIONS</button><button mode="secondary" ${answer("reject", "#qc-cmp2-container")}>DISAGREE</button>
      <button mode="primary" ${answer("accept", "#qc-cmp2-container")}>AGREE</button></div></div></div>`,
  },
  "cookie notice (WordPress)": {
    html: `<div id="cookie-notice" role="dialog" class="cookie-notice-visible" style="${cover}"><span id="cn-notice-text">${ask}</span>
      <a href="#" id="cn-refuse-cookie" class="cn-button" ${answer("reject", "#cookie-notice")}>No</a>
      <a href="#" id="cn-accept-cookie" class="cn-button" ${answer("accept", "#cookie-notice")}>Ok</a></div>`,
  },
  borlabs: {
    html: `<div id="BorlabsCookieBox"><div class="_brlbs-box" role="dialog" style="${cover}"><p>Wir verwenden Cookies auf unserer Website.</p>
      <a href="#" class="_brlbs-refuse-btn _brlbs-cursor" data-cookie-refuse ${answer("reject", "#BorlabsCookieBox")}>Nur essenzielle Cookies akzeptieren</a>
      <a href="#" data-cookie-accept-all ${answer("accept", "#BorlabsCookieBox")}>Alle akzeptieren</a></div></div>`,
  },
  tarteaucitron: {
    html: `<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig" style="display:block;${cover}"><span>Ce site utilise des cookies</span>
      <button id="tarteaucitronAllDenied2" ${answer("reject", "#tarteaucitronRoot")}>Tout refuser</button>
      <button id="tarteaucitronPersonalize2" ${answer("accept", "#tarteaucitronRoot")}>Tout accepter</button></div></div>`,
  },
  "cookie script": {
    html: `<div id="cookiescript_injected" style="${cover}"><div>This website uses cookies</div>
      <div id="cookiescript_accept" role="button" ${answer("accept", "#cookiescript_injected")}>Accept all</div>
      <div id="cookiescript_reject" role="button" ${answer("reject", "#cookiescript_injected")}>Decline all</div></div>`,
  },
  usercentrics: {
    html: `<div id="usercentrics-button"><div id="uc-banner-modal" role="dialog" style="${cover}"><p>${ask}</p>
      <button id="uc-btn-deny-banner" ${answer("reject", "#usercentrics-button")}>Deny</button>
      <button id="uc-btn-accept-banner" ${answer("accept", "#usercentrics-button")}>Accept all</button></div></div>`,
  },
  axeptio: {
    html: `<div id="axeptio_overlay" class="axeptio_mount"><div class="axeptio_widget axeptio-widget--open" style="${cover}"><p>${ask}</p>
      <button id="axeptio_btn_dismiss" ${answer("reject", "#axeptio_overlay")}>No, thanks</button>
      <button id="axeptio_btn_acceptAll" ${answer("accept", "#axeptio_overlay")}>OK for me</button></div></div>`,
  },
  cookiefirst: {
    html: `<div class="cookiefirst-root"><div data-cookiefirst-widget="banner" role="dialog" style="${cover}"><p>${ask}</p>
      <button data-cookiefirst-action="reject" ${answer("reject", ".cookiefirst-root")}>Reject</button>
      <button data-cookiefirst-action="accept" ${answer("accept", ".cookiefirst-root")}>Accept all</button></div></div>`,
  },
  hubspot: {
    html: `<div id="hs-eu-cookie-confirmation" role="dialog" style="${cover}"><div id="hs-eu-cookie-confirmation-inner"><p>This website stores cookies on your computer.</p>
      <button id="hs-eu-confirmation-button" ${answer("accept", "#hs-eu-cookie-confirmation")}>Accept</button>
      <button id="hs-eu-decline-button" ${answer("reject", "#hs-eu-cookie-confirmation")}>Decline</button></div></div>`,
  },
  "moove (WordPress)": {
    html: `<aside id="moove_gdpr_cookie_info_bar" role="dialog" style="${cover}"><div class="moove-gdpr-info-bar-content"><p>${ask}</p>
      <button class="mgbutton moove-gdpr-infobar-allow-all" ${answer("accept", "#moove_gdpr_cookie_info_bar")}>Accept</button>
      <button class="mgbutton moove-gdpr-infobar-reject-btn" ${answer("reject", "#moove_gdpr_cookie_info_bar")}>Reject</button></div></aside>`,
  },
  "cookieconsent 2": {
    html: `<div id="cc--main"><div id="cm" role="dialog" style="${cover}"><div id="c-txt">${ask}</div>
      <button id="c-p-bn" ${answer("accept", "#cc--main")}>Accept all</button><button id="c-s-bn">Settings</button></div>
      <div id="s-cnt" style="${cover}"><button id="s-all-bn" ${answer("accept", "#cc--main")}>Accept all</button>
      <button id="s-rall-bn" ${answer("reject", "#cc--main")}>Reject all</button></div></div>`,
    script: `document.documentElement.classList.add("show--consent");`,
  },
  "cookieconsent 3": {
    html: `<div id="cc-main"><div class="cm-wrapper"><div class="cm cm--box" role="dialog" style="${cover}"><p class="cm__desc">${ask}</p>
      <button class="cm__btn" data-role="all" ${answer("accept", "#cc-main")}>Accept all</button>
      <button class="cm__btn" data-role="necessary" ${answer("reject", "#cc-main")}>Reject all</button></div></div></div>`,
  },
  shopify: {
    html: `<div id="shopify-pc__banner" role="alertdialog" style="${cover}"><p>${ask}</p>
      <button id="shopify-pc__banner__btn-accept" ${answer("accept", "#shopify-pc__banner")}>Accept</button>
      <button id="shopify-pc__banner__btn-decline" ${answer("reject", "#shopify-pc__banner")}>Decline</button></div>`,
  },
  pandectes: {
    html: `<div id="pandectes-banner" class="cc-window cc-banner" role="dialog" style="${cover}"><span class="cc-message">${ask}</span>
      <button class="cc-btn cc-deny" ${answer("reject", "#pandectes-banner")}>Decline</button>
      <button class="cc-btn cc-allow" ${answer("accept", "#pandectes-banner")}>Accept</button></div>`,
  },
  fides: {
    html: `<div id="fides-overlay"><div id="fides-overlay-wrapper"><div id="fides-banner-container"><div id="fides-banner" role="dialog" style="${cover}"><p>${ask}</p>
      <button class="fides-banner-button fides-reject-all-button" ${answer("reject", "#fides-overlay")}>Opt out of all</button>
      <button class="fides-banner-button fides-accept-all-button" ${answer("accept", "#fides-overlay")}>Opt in to all</button></div></div></div></div>`,
    script: `window.Fides = { initialized: true };`,
  },
  "funding choices": {
    html: `<div class="fc-consent-root"><div class="fc-dialog-overlay" style="position:fixed;inset:0"></div><div class="fc-dialog-container" style="${cover}"><div class="fc-dialog fc-choice-dialog" role="dialog"><p>The site asks for your consent to use your personal data: cookies and advertising.</p>
      <button class="fc-button fc-cta-consent" ${answer("accept", ".fc-consent-root")}>Consent</button>
      <button class="fc-button fc-cta-do-not-consent" ${answer("reject", ".fc-consent-root")}>Do not consent</button></div></div></div>`,
  },
  termsfeed: {
    html: `<div class="termsfeed-com---nb termsfeed-com---palette-light" role="dialog" style="${cover}"><div class="cc-nb-main-container"><p>${ask}</p>
      <button class="cc-nb-okagree" ${answer("accept", ".termsfeed-com---nb")}>I agree</button>
      <button class="cc-nb-reject" ${answer("reject", ".termsfeed-com---nb")}>I decline</button></div></div>`,
  },
  "an own banner, in English": {
    html: `<section class="notice-7" style="${cover}"><p>${ask}</p><button ${answer("reject", ".notice-7")}>Reject all</button>
      <button ${answer("accept", ".notice-7")}>Accept all</button></section>`,
  },
  "an own banner, in German": {
    html: `<section class="hinweis" style="${cover}"><p>Wir verwenden Cookies, um unsere Website zu verbessern. Datenschutz</p>
      <button ${answer("reject", ".hinweis")}>Alle ablehnen</button> <button ${answer("accept", ".hinweis")}>Alle akzeptieren</button></section>`,
  },
  "an own banner, in French": {
    html: `<section class="avis" style="${cover}"><p>Nous utilisons des cookies pour améliorer votre expérience.</p>
      <button ${answer("reject", ".avis")}>Tout refuser</button> <button ${answer("accept", ".avis")}>Tout accepter</button></section>`,
  },
  "an own banner that offers no rejection": {
    html: `<section class="only-ok" style="${cover}"><p>${ask}</p><button ${answer("accept", ".only-ok")}>Accept</button>
      <a href="/privacy">Privacy policy</a></section>`,
  },
  "a banner that rejects only after settings": {
    html: `<section class="with-settings" style="${cover}"><p>${ask}</p><button>Cookie settings</button>
      <button ${answer("accept", ".with-settings")}>Accept all</button></section>`,
  },
  "a wall that sells the way around": {
    html: `<section class="pay-wall" role="dialog" style="${cover}"><p>${ask} Or read without tracking.</p>
      <button ${answer("bought", ".pay-wall")}>Reject all and subscribe for 4.99 €</button>
      <button ${answer("accept", ".pay-wall")}>Accept all</button></section>`,
  },
  "a banner whose button leaves the page": {
    html: `<section class="leaving" style="${cover}"><p>${ask}</p><button onclick="location.href='/elsewhere'">Reject all</button>
      <button ${answer("accept", ".leaving")}>Accept all</button></section>`,
  },
  "a banner that stays when it is rejected": {
    html: `<section class="staying" style="${cover}"><p>${ask}</p><button>Reject all</button>
      <button ${answer("accept", ".staying")}>Accept all</button></section>`,
  },
  "a banner that locks the page": {
    html: `<div style="position:fixed;inset:0;background:rgba(0,0,0,.6)"></div><section class="locking" style="${cover}"><p>${ask}</p>
      <button ${answer("accept", ".locking")}>OK</button></section>`,
    script: `document.body.style.overflow = "hidden";`,
  },
};

const buys = `onclick="document.documentElement.dataset.answer='bought'"`;

/** Pages that look to a rule as if they had a banner: whatever it would click there is not one's. */
export const traps: Record<string, string> = {
  "a maker's button outside of a banner buys": `<div id="onetrust-consent-sdk"></div><div id="onetrust-banner-sdk" style="${cover}"><p>${ask}</p></div>
    <main><p>We use cookies.</p><button id="onetrust-reject-all-handler" ${buys}>Continue</button></main>`,
  "a button in a banner orders": `<div id="CybotCookiebotDialog" role="dialog" style="${cover}"><p>${ask}</p>
    <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll" ${buys}>Reject all and order now</button></div>`,
  "a maker's link leads to another site": `<div id="cookie-notice" role="dialog" class="cookie-notice-visible" style="${cover}"><span id="cn-notice-text">${ask}</span>
    <a href="http://other.test/" id="cn-refuse-cookie">No</a><a href="http://other.test/" id="cn-accept-cookie">Ok</a></div>`,
  "a shop of cookies has a cart over the page": `<div class="cookie-cart" role="dialog" style="${cover}"><p>Your cookies: 12 pieces of oatmeal and chocolate, freshly baked.</p>
    <button ${buys}>Reject the coupon and pay</button><button ${buys}>Buy now</button></div>`,
  "a maker's class is on an article's button": `<article class="cmplz-cookiebanner"><p>A review of all cookies of this bakery.</p></article>
    <button class="cmplz-btn cmplz-deny" ${buys}>Next</button>`,
};

/** What lies over a page and is no banner, although it has words and buttons of one. */
export const bystanders: Record<string, string> = {
  "a menu with a link to the privacy policy": `<div role="dialog" aria-modal="true" style="${cover}"><button>Close</button>
    <a href="/prices">Prices of everything</a> <a href="/privacy">Privacy</a></div>`,
  "a menu with a link to the cookie policy": `<div role="dialog" aria-modal="true" style="${cover}"><button>OK</button>
    <nav><a href="/prices">Prices of everything</a> <a href="/cookies">Cookie policy</a></nav></div>`,
  "a video of a player without cookies": `<div style="position:relative;height:300px">Prices of everything
    <iframe src="http://www.youtube-nocookie.test/embed/1" title="A film" style="position:absolute;inset:0;width:100%;height:100%"></iframe></div>`,
};

const story = Array.from(
  { length: 12 },
  (_, i) => `<p>Paragraph ${i} of a story that people want to read.</p>`,
).join("");

/** A page of a shop with its banner; its own buttons look tempting to a careless rule. */
const elsewhere = `document.documentElement.dataset.answer='elsewhere'`;

/** Banners that try to get us to click elsewhere, or to never end. */
export const hostileBanners: Record<string, BannerPage> = {
  "a label of a field outside": {
    html: `<section style="${cover}"><p>${ask}</p><label role="button" for="agree">Reject all</label></section>
      <input type="checkbox" id="agree" onclick="${elsewhere}">`,
  },
  "a button of a form outside": {
    html: `<form id="order" onsubmit="${elsewhere};return false"></form>
      <section style="${cover}"><p>${ask}</p><button form="order">Reject all</button></section>`,
  },
  "a button that sends its form to another site": {
    html: `<form style="${cover}" action="/ok" onsubmit="${elsewhere};return false"><p>${ask}</p>
      <button formaction="https://other.example/">Reject all</button></form>`,
  },
  "a button in a link to another site": {
    html: `<section style="${cover}"><p>${ask}</p><a href="https://other.example/" onclick="${elsewhere};return false"><span
      role="button" tabindex="0">Reject all</span></a></section>`,
  },
  "a link of a drawing to another site": {
    html: `<section style="${cover}"><p>${ask}</p><svg width="200" height="40"><a xlink:href="https://other.example/"
      onclick="${elsewhere};return false"><foreignObject width="200" height="40"><div role="button" tabindex="0">Reject all</div></foreignObject></a></svg></section>`,
  },
  "a form whose page has another base": {
    html: `<base href="https://other.example/"><form style="${cover}" action="/ok" onsubmit="${elsewhere};return false"><p>${ask}</p>
      <button>Reject all</button></form>`,
  },
  "a long text that buys at its end": {
    html: `<section style="${cover}"><p>${ask}</p><button onclick="${elsewhere}">Reject all<span
      style="font-size:1px">${" and more".repeat(60)} and buy now</span></button></section>`,
  },
  "fields named like what we ask": {
    html: `<form style="${cover}" id="cookie-form"><p>${ask}</p>${[
      "parentElement",
      "matches",
      "getRootNode",
      "innerText",
      "value",
      "children",
    ]
      .map((name) => `<input type="hidden" name="${name}">`)
      .join("")}<button type="submit" form="order" onclick="${elsewhere}">Reject all</button></form>
      <form id="order"></form>`,
  },
  "scripts that answer us with anything": {
    html: `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="dialog" style="${cover}"><p>${ask}</p>
      <button id="onetrust-reject-all-handler" form="order">Reject all</button></div></div>
      <form id="order" onsubmit="${elsewhere};return false"></form>`,
    script: `window.nextConsentStep = () => ({ kind: "ask", id: "x", snippet: "alert(1)" });
      Object.defineProperty(HTMLElement.prototype, "click", { value() { ${elsewhere} } });
      for (const name of ["OneTrust", "Cookiebot", "Didomi", "__tcfapi", "__cmp"])
        Object.defineProperty(window, name, { get() { for (const t = Date.now(); Date.now() - t < 300;); return () => ({}); } });`,
  },
  "an answer that never comes": {
    html: `<footer>We use cookies.</footer>`,
    script: `Object.defineProperty(window, "Cookiebot", { get() { for (;;); } });`,
  },
};

export function bannerPage({ html, script = "" }: BannerPage): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A shop</title></head><body>
    <header style="position:sticky;top:0"><a href="/">Shop</a> <a href="/cookies">Cookies</a>
    <button onclick="document.documentElement.dataset.answer='bought'">Buy now</button></header>
    <main><h1>A shop</h1>${story}<button onclick="document.documentElement.dataset.answer='deleted'">Reject all offers</button></main>
    <script>${script}</script>${html}</body></html>`;
}
