// Whether a consent banner may be on the page: a quick look that spares most pages the slower search.
export const mentionsConsent = () => {
  const words =
    /cookie|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|datenschutz|privacidad|confidentialit|privacy|personvern|informasjonskapsl|kakor|evästee|ciasteczk|soubory|sütik|クッキー|쿠키|隐私|隱私/i;
  const marks = "cookie|consent|gdpr|cmp|didomi|usercentrics|onetrust|truste|privacy|sp_message";
  const named = marks
    .split("|")
    .map((mark) => `[id*="${mark}" i],[class*="${mark}" i],iframe[src*="${mark}" i]`);
  return words.test(document.body?.textContent ?? "") || document.querySelector(named.join()) !== null;
};
