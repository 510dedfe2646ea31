// Waits up to `waitMs` until the page shows the proof of a session, and reads what tells a page that asks for a sign-in.
export const isSignedIn = async ({ selector, text, waitMs }) => {
  const squeeze = (words) => words.replace(/\s+/g, " ").trim().toLowerCase();
  const isShown = (element) => element.checkVisibility();
  const hasElement = () => !selector || [...document.querySelectorAll(selector)].some(isShown);
  const hasText = () => !text || squeeze(document.body?.innerText ?? "").includes(squeeze(text));
  const captcha =
    ".g-recaptcha,.h-captcha,.cf-turnstile,.frc-captcha,iframe[src*='recaptcha'],iframe[src*='hcaptcha'],iframe[src*='challenges.cloudflare']";
  const asks = () => [...document.querySelectorAll("input[type=password]")].some(isShown);
  const end = performance.now() + waitMs;
  for (;;) {
    const proven = hasElement() && hasText();
    if (proven || performance.now() >= end) {
      const lines = (document.body?.innerText ?? "").slice(0, 50_000).split("\n");
      return {
        proven,
        asksForPassword: asks(),
        hasCaptcha: document.querySelector(captcha) !== null,
        lines: lines.filter((line) => line.trim() !== "").slice(0, 500),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};
