// Whether a consent banner may be on the page: a quick look that spares most pages the library and its rules. Each sign
// is weaker than what answer-consent.js and the library look for, so that no banner is missed.
export const findConsentSigns = ({ selectors }) => {
  const words =
    /cookie|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|datenschutz|privac|confidentialit|personvern|informasjonskapsl|kakor|evästee|ciasteczk|soubory|sütik|クッキー|쿠키|隐私|隱私/i;
  /** What a banner may say that names none of them. */
  const moreWords =
    /同意|согласи|файлы|δεδομέν|adatkezel|accept|akzeptier|reject|refus|ablehn|désactive|nécessaires|weiger|afwij[sz]|verwerp|wijs alles|akkoord|notwendig|noodzakelijk|essenziell|funktional|einwilligung|zustimm|auswahl|partn|store and|access|zugriff|stocker|publicités|werbeleistung|wir |technolog|personalised|almacena|dispositivo|urządzeni|galetes/i;
  const refusals =
    /cookie|consent|reject|refus|ablehn|weiger|afwij[sz]|rechaz|rifiut|odrzu|avvisa|notwendig|nécessaires|noodzakelijk/i;
  const marks = "cookie|consent|gdpr|cmp|didomi|usercentrics|onetrust|truste|privacy|sp_message".split("|");
  const named = marks.map((mark) => `[id*="${mark}" i],[class*="${mark}" i]`).join();
  const namedFrames = marks.map((mark) => `iframe[src*="${mark}" i]`).join();
  const buttons = "button,input[type=button],input[type=submit],a,[role=button],[class*=button]";
  const menus = "nav,[role=navigation],[role=menu],[role=menubar]";
  const root = document.body ?? document.documentElement;
  const speaksOfConsent =
    words.test(root?.textContent ?? "") || document.querySelector(`${named},${namedFrames}`) !== null;
  if (!speaksOfConsent) return { speaksOfConsent, isFound: false, hasFrames: false };

  const exists = (selector) => {
    const [, xpath] = /^xpath\/(.*)/s.exec(selector) ?? [];
    const { FIRST_ORDERED_NODE_TYPE: first } = XPathResult;
    try {
      return xpath
        ? document.evaluate(xpath, document, null, first, null).singleNodeValue !== null
        : document.querySelector(selector) !== null;
    } catch {
      // No selector of this browser: the library may know it.
      return true;
    }
  };
  const isOverPage = (element) => {
    const { position, display } = getComputedStyle(element);
    const isDialog = element.matches("dialog[open],[role=dialog],[aria-modal=true]");
    return display !== "none" && (isDialog || position === "fixed" || position === "sticky");
  };
  const isBox = (element) => {
    if (!isOverPage(element) || !element.querySelector(buttons)) return false;
    // A menu over the page usually has a link to the privacy policy.
    const isMenu = element.querySelector(menus) !== null && !element.matches(named);
    return !isMenu || refusals.test(element.textContent);
  };
  const findBox = () => {
    const seen = new Set();
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!words.test(text.data) && !moreWords.test(text.data)) continue;
      for (
        let each = text.parentElement;
        each && each !== root && !seen.has(each);
        each = each.parentElement
      ) {
        seen.add(each);
        if (isBox(each)) return true;
      }
    }
    return false;
  };
  const findFrame = () =>
    [...document.querySelectorAll("iframe")].some(({ src, title, id, className, parentElement }) => {
      const about = `${src} ${title} ${id} ${className} ${parentElement?.id}`;
      return words.test(about) || moreWords.test(about);
    });
  const isFound = selectors.some((group) => group.every(exists)) || findFrame() || findBox();
  return { speaksOfConsent, isFound, hasFrames: window.length > 0 };
};
