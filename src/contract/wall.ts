/** What a site may show instead of the page. It is neither a change of the page nor an outage of the site. */
export const wallKinds = [
  "bot-wall",
  "captcha",
  "login",
  "geo-block",
  "rate-limit",
  "maintenance",
  "error",
  "parked",
  "missing",
  "empty",
] as const;
export type WallKind = (typeof wallKinds)[number];

/** Whether a failed check is about the site, about what is watched on it, a wall in front of it, or our way to it. */
export const troubleKinds = ["down", "gone", "wall", "proxy"] as const;
export type TroubleKind = (typeof troubleKinds)[number];

const slower = "A longer interval or a proxy may help, or signing in as a visitor whom the site knows.";

/** What helps against a wall. We don't get around one. */
export const wallAdvice: Record<WallKind, string> = {
  "bot-wall": slower,
  captcha: `We don’t solve captchas. ${slower}`,
  login: "Sign in for these checks: add an identity in your profile, and choose it in the job’s settings.",
  "geo-block": "Choose a proxy in a country where the site is available.",
  "rate-limit": "Choose a longer interval.",
  maintenance: "You don’t have to do anything: we’ll keep checking.",
  error: "You don’t have to do anything: we’ll keep checking.",
  parked: "Check whether the domain has expired or the site has moved.",
  missing: "Check whether the page has moved, and update the job’s URL.",
  empty:
    "In the job’s settings, wait for an element or a text, so that the page’s scripts can finish before the capture.",
};
export const proxyAdvice = "Test the proxy in your profile, or choose another one as a fallback.";
