import { shareLeft } from "../../bot-walls/text-sketch.ts";
import type { SessionRequest, SignedOut } from "../../session-jar.ts";

/** What is known about a page that doesn't show the proof. */
export type Unproven = {
  status: number;
  /** The URL that was asked for, and the one that is shown. */
  asked: string;
  url: string;
  asksForPassword: boolean;
  hasCaptcha: boolean;
  lines: readonly string[];
  /** The names of the cookies that the browser has. */
  cookies: ReadonlySet<string>;
};

const alike = 0.7;

/** Says why a page without the proof isn't one of somebody who is signed in, by the strongest of the signs. */
export function judgeSignedOut(
  { jar, proof, signInUrl, signInSketch }: SessionRequest,
  { status, asked, url, asksForPassword, hasCaptcha, lines, cookies }: Unproven,
): SignedOut {
  const certainly = (reason: string): SignedOut => ({
    reason: hasCaptcha ? `${reason} ${captchaAdvice}` : reason,
    isCertain: true,
  });
  const shown = withoutQuery(url);
  if (status === 401 || status === 403) return certainly(`The site answered ${status} instead of the page.`);
  if (asksForPassword) return certainly(`The site asks for a password at ${shown}.`);
  if (shown === withoutQuery(signInUrl) && shown !== withoutQuery(asked))
    return certainly(`The site leads to the sign-in page, ${shown}.`);
  const cleared = jar.cookies.find(({ httpOnly, name }) => httpOnly && !cookies.has(name));
  if (cleared) {
    const isOver = cleared.expires !== undefined && cleared.expires * 1000 < Date.now();
    return certainly(`The cookie “${cleared.name}” ${isOver ? "has expired" : "was deleted by the site"}.`);
  }
  if ((shareLeft(signInSketch ?? undefined, toBlocks(lines)) ?? 0) >= alike)
    return certainly("The page looks like the one for signing in.");
  return { reason: `${describeProof(proof)} isn’t on the page.`, isCertain: false };
}

export const captchaAdvice =
  "The page has a captcha, which we don’t solve: sign in with your own browser and paste its cookies into the identity.";

/** The proof in words, as the start of a sentence. */
export function describeProof(proof: SessionRequest["proof"]): string {
  const { text, selector } = proof ?? {};
  return `The proof of being signed in (${[text && `“${text}”`, selector].filter(Boolean).join(" and ")})`;
}

export const toBlocks = (lines: readonly string[]) => lines.map((text) => ({ text }));

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, "");
