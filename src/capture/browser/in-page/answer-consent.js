// Finds a consent banner and answers it, in an isolated world that holds the library's own functions as `consentParts`.
// Leaves `nextConsentStep` there: each call returns what has to be asked of the page's own world, and at last the outcome.
// Every click passes one guard, so that nothing outside a banner is ever clicked.
export const answerConsent = ({ answer, rules, isTop, budgetMs }) => {
  const { AutoConsent, getPotentialPopups, isExcludedPopup, classifyButtons, isElementVisible } =
    globalThis.consentParts;
  const consentWords =
    /cookie|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|datenschutz|privac|confidentialit|personvern|informasjonskapsl|kakor|evästee|ciasteczk|soubory|sütik|adatkezel|クッキー|쿠키|同意|隐私|隱私|согласи|файлы|δεδομέν/i;
  // Menus and notices speak of privacy too, so it takes more than that and a button that closes them.
  const cookieWords =
    /cookie|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|informasjonskapsl|kakor|evästee|ciasteczk|soubory|sütik|クッキー|쿠키|同意|согласи|δεδομέν/i;
  const costlyWords =
    /\b(buy|order|check ?out|pay|purchase|subscribe|add to (cart|basket|bag)|delete|donate|book now|sign ?up|kaufen|bestellen|warenkorb|zahlungspflichtig|abonnieren|abo|acheter|commander|panier|payer|s.abonner|comprar|carrito|pagar|suscribir\w*|acquista|carrello|paga|abbonati|kopen|winkelwagen|kup|koszyk|köp|køb)\b/i;
  const bannerNames =
    "[id*=cookie i],[class*=cookie i],[id*=consent i],[class*=consent i],[id*=gdpr i],[class*=gdpr i]," +
    "[id*=didomi i],[id*=usercentrics i],[id*=onetrust i],[id*=truste i],[class*=truste i],[id*=sp_message i]," +
    "[id*=cmp i],[class*=cmp i],[id*=qc-cmp i],[id*=privacy i],[class*=privacy i]";
  const dialogs = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";
  const menus = "nav,[role=navigation],[role=menu],[role=menubar]";
  const sheet = new CSSStyleSheet();
  const hiddenRules = [];
  const clicks = [];
  const steps = [];
  let wake = () => {};
  let isOver = false;
  let bannerSelectors = "";
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const within = (work, ms) =>
    Promise.race([Promise.resolve(work).catch(() => false), pause(ms).then(() => false)]);
  const textOf = (value) => (typeof value === "string" ? value : "");
  const wordsOf = (element) => (textOf(element.innerText) || textOf(element.textContent)).slice(0, 20_000);
  // A form's fields hide its properties of their names, in this world too: these are asked of the prototypes.
  const nativeParent = (element) => Reflect.get(Node.prototype, "parentElement", element);
  const { value: nativeRoot } = Object.getOwnPropertyDescriptor(Node.prototype, "getRootNode");
  const { value: nativeMatches } = Object.getOwnPropertyDescriptor(Element.prototype, "matches");
  const matches = (element, selector) => {
    try {
      return selector !== "" && Reflect.apply(nativeMatches, element, [selector]);
    } catch {
      return false;
    }
  };
  const parentOf = (element) => nativeParent(element) ?? Reflect.apply(nativeRoot, element, []).host ?? null;
  const positionOf = (element) => getComputedStyle(element).position;
  const isWholePage = (element) => matches(element, "html,body,main,article");

  const isBanner = (element) => {
    if (isWholePage(element)) return false;
    if (matches(element, bannerSelectors)) return true;
    const isBox = matches(element, dialogs) || ["fixed", "sticky", "absolute"].includes(positionOf(element));
    const isNamed = matches(element, bannerNames);
    if (!isBox && !isNamed) return false;
    // A shadow root's words don't belong to its host's.
    return consentWords.test(wordsOf(element)) || (isNamed && element.shadowRoot !== null);
  };
  const isInBanner = (element) => {
    if (!isTop) return consentWords.test(wordsOf(document.body));
    for (let each = element; each; each = parentOf(each)) if (isBanner(each)) return true;
    return false;
  };
  const enclosing = (element, selector) => {
    for (let each = element; each; each = parentOf(each)) if (matches(each, selector)) return each;
    return null;
  };
  // A page may set another base for its addresses, and a drawing has links of its own kind.
  const isElsewhere = (url, element) =>
    URL.parse(url, Reflect.get(Node.prototype, "baseURI", element))?.origin !== location.origin;
  const targetOf = (link) => textOf(link.href) || textOf(link.href?.baseVal);
  /** A click reaches further than its element: it follows a link around it, clicks a label's field, sends a form. */
  const staysInBanner = (element) => {
    const link = enclosing(element, "a[*|href]");
    if (link && !/^javascript:/i.test(targetOf(link)) && isElsewhere(targetOf(link), link)) return false;
    const field = enclosing(element, "label")?.control;
    if (field && field !== element && !isInBanner(field)) return false;
    const form = matches(element, "button,input") ? element.form : null;
    if (
      !form ||
      !matches(element, "button:not([type=button],[type=reset]),input[type=submit],input[type=image]")
    )
      return true;
    const target = element.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
    return isInBanner(form) && !isElsewhere(target, form);
  };
  const mayClick = (element) => {
    const words = [wordsOf(element), textOf(element.value), element.getAttribute("aria-label") ?? ""];
    return isInBanner(element) && !costlyWords.test(words.join(" ")) && staysInBanner(element);
  };
  const { value: usualClick } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "click");
  // A second answer on the same page is given in the same world.
  const clickNatively = usualClick.native ?? usualClick;
  const guardedClick = function click() {
    if (isOver || !mayClick(this)) return;
    clicks.push(wordsOf(this).trim().slice(0, 80));
    Reflect.apply(clickNatively, this, []);
  };
  HTMLElement.prototype.click = Object.assign(guardedClick, { native: clickNatively });

  /** Style sheets that are adopted don't appear in the captured HTML. */
  const hideBySelector = (selector) => {
    hiddenRules.push(`${selector}{display:none!important}`);
    sheet.replaceSync(hiddenRules.join("\n"));
    if (!document.adoptedStyleSheets.includes(sheet))
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };
  const pathTo = (element) => {
    const path = [];
    for (let each = element; each && each !== document.documentElement; each = parentOf(each))
      path.unshift(`:nth-child(${[...parentOf(each).children].indexOf(each) + 1})`);
    return `:root>${path.join(">")}`;
  };
  const hideElement = (element) => element.isConnected && hideBySelector(pathTo(element));

  const send = (message) => {
    if (message.type === "eval") {
      steps.push({ kind: "ask", id: message.id, snippet: message.snippetId });
      wake();
    }
    return Promise.resolve();
  };
  class Answerer extends AutoConsent {
    // Looks once, when we say so, not by itself.
    start() {}
  }
  const config = {
    enabled: true,
    autoAction: null,
    disabledCmps: [],
    enablePrehide: false,
    enableCosmeticRules: true,
    enableHeuristicDetection: false,
    heuristicMode: "reject",
    detectRetries: 0,
    logs: {
      lifecycle: false,
      rulesteps: false,
      detectionsteps: false,
      evals: false,
      errors: false,
      messages: false,
      waits: false,
    },
  };
  const consent = new Answerer(send, config, rules);
  consent.domActions.hide = (selector) => {
    hideBySelector(selector);
    return true;
  };
  globalThis.nextConsentStep = async ({ reply }) => {
    if (reply) await consent.receiveMessageCallback({ type: "evalResp", ...reply });
    while (steps.length === 0) await new Promise((resolve) => (wake = resolve));
    return steps.shift();
  };

  /** Visible boxes that speak of consent and offer a choice, by whatever maker and in whatever language. */
  const findBoxes = () => {
    const boxes = getPotentialPopups(200).filter(({ element, text, buttons }) => {
      if (text.length > 6_000 || isWholePage(element) || isExcludedPopup(text)) return false;
      if (!matches(element, bannerNames) && element.querySelector(menus)) return false;
      classifyButtons(buttons);
      const choices = buttons.map(({ regexClassification: as }) => as).filter((as) => as && as !== "other");
      const asks = cookieWords.test(text) || choices.some((as) => as !== "acknowledge");
      return consentWords.test(text) && choices.length > 0 && asks;
    });
    const frames = [...document.querySelectorAll("iframe")].filter((frame) => {
      const about = `${frame.src} ${frame.title} ${frame.id} ${frame.className} ${frame.parentElement?.id}`;
      const isOver = (element) => element && ["fixed", "sticky", "absolute"].includes(positionOf(element));
      return (
        isElementVisible(frame) &&
        frame.clientHeight > 40 &&
        // A video player of youtube-nocookie.com is none.
        consentWords.test(about.replace(/no-?cookie/gi, "").replace(/[_-]/g, " ")) &&
        (isOver(frame) || isOver(frame.parentElement))
      );
    });
    return [...boxes, ...frames.map((element) => ({ element, text: "", buttons: [] }))];
  };
  /** What lies behind a banner and locks the page. */
  const unlockPage = () => {
    for (const element of document.querySelectorAll("body>*,body>*>*")) {
      if (
        positionOf(element) !== "fixed" ||
        wordsOf(element).trim() !== "" ||
        element.querySelector("img,video,canvas,iframe")
      )
        continue;
      const { width, height } = element.getBoundingClientRect();
      if (width >= innerWidth * 0.95 && height >= innerHeight * 0.95) hideElement(element);
    }
    const [root, body] = [document.documentElement, document.body].map((element) =>
      getComputedStyle(element),
    );
    if ([root, body].some(({ overflowY }) => overflowY === "hidden") || body.position === "fixed") {
      hiddenRules.push("html,body{overflow:visible!important}");
      if (body.position === "fixed") hiddenRules.push("body{position:static!important}");
      sheet.replaceSync(hiddenRules.join("\n"));
    }
  };
  /** Hides the boxes, or what the rule says the banner is. */
  const hide = (cmp, boxes) => {
    const before = hiddenRules.length;
    for (const { element } of boxes) {
      let outer = element;
      for (let each = parentOf(element); each && !isWholePage(each); each = parentOf(each))
        if (isBanner(each) && wordsOf(each).length < 6_000) outer = each;
      hideElement(outer);
    }
    for (const selector of cmp?.prehideSelectors ?? [])
      try {
        if (document.querySelector(selector)) hideBySelector(selector);
      } catch {
        // Not every browser's selector is one here.
      }
    if (hiddenRules.length > before) unlockPage();
    return hiddenRules.length > before;
  };

  const findOpen = async () => {
    // The library looks for banners of unknown makers at every second attempt only.
    consent.state.findCmpAttempts = 1;
    const found = await within(consent.findCmp(0), 3_000);
    if (!found || found.length === 0) return null;
    const byCertainty = [...found].sort((a, b) => Number(a.isCosmetic) - Number(b.isCosmetic));
    for (let attempt = 0; attempt < 3; attempt++) {
      for (const cmp of byCertainty) if (await within(cmp.detectPopup(), 1_500)) return cmp;
      await pause(200);
    }
    return null;
  };
  const isGone = async (cmp) => {
    const end = performance.now() + 2_500;
    while (performance.now() < end) {
      const isOpen = cmp.popups
        ? await cmp.test().then((gone) => !gone)
        : await within(cmp.detectPopup(), 400);
      if (!isOpen) return true;
      await pause(100);
    }
    return false;
  };
  const accept = (cmp) => {
    const [popup] = cmp.popups ?? [];
    if (!popup) return cmp.optIn();
    const button =
      popup.buttons.find(({ regexClassification: as }) => as === "accept") ??
      popup.buttons.find(({ regexClassification: as }) => as === "acknowledge");
    button?.element.click();
    return Boolean(button);
  };
  const seen = { rule: "unknown", text: "" };
  let openCmp = null;
  const hideAtLast = () => {
    const isHidden = hide(openCmp, isTop ? findBoxes() : []) || hiddenRules.length > 0;
    return { ...seen, action: "hide", result: isHidden ? "done" : "failed", clicks };
  };
  const run = async () => {
    const boxes = isTop ? findBoxes() : [];
    const text = boxes.map((box) => box.text).find(Boolean) ?? "";
    seen.text = text.replace(/\s+/g, " ").trim().slice(0, 500);
    const cmp = await findOpen();
    if (!cmp && boxes.length === 0) return null;
    openCmp = cmp;
    bannerSelectors = (cmp?.prehideSelectors ?? []).join();
    seen.rule = cmp?.name ?? "unknown";
    const outcome = (action, result) => ({ ...seen, action, result, clicks });
    if (answer !== "hide" && cmp && !cmp.isCosmetic) {
      const isAnswered = await within(answer === "accept" ? accept(cmp) : cmp.optOut(), 6_000);
      // A banner of steps is answered by its next one, in a frame of its own.
      if (isAnswered && cmp.isIntermediate) return outcome(answer, "continues");
      const isClosed = boxes.length > 0 && findBoxes().length === 0;
      if (isAnswered && (isClosed || ((await isGone(cmp)) && findBoxes().length === 0)))
        return outcome(hiddenRules.length > 0 ? "hide" : answer, "done");
    } else if (answer === "accept" && !cmp) {
      const button = boxes
        .flatMap((box) => box.buttons)
        .find(({ regexClassification: as }) => as === "accept");
      button?.element.click();
      await pause(300);
      if (button && findBoxes().length === 0) return outcome("accept", "done");
    }
    if (cmp?.isCosmetic) await within(cmp.optOut(), 1_000);
    return hideAtLast();
  };
  // Without the time for an answer, a banner is hidden at least.
  const late = pause(budgetMs).then(() => (openCmp || seen.text ? hideAtLast() : null));
  void Promise.race([run(), late])
    .catch((error) => ({
      rule: "unknown",
      text: `${error}`.slice(0, 500),
      action: answer,
      result: "failed",
      clicks,
    }))
    .then((outcome) => {
      isOver = true;
      steps.push({ kind: "done", outcome });
      wake();
    });
};
