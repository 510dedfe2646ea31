import type { Snapshot } from "#contract/capture.ts";
import type { ProposedProof } from "#contract/preview.ts";

type Page = Pick<Snapshot, "text" | "links">;

const mostProofs = 5;
/** Longer texts are content, which changes. */
const longestText = 40;
const leaving =
  /^(log|sign)[ -]?(out|off)$|^logout$|^abmelden$|^ausloggen$|d[ée]connexion|cerrar sesi[óo]n|^esci$|^uitloggen$|^afmelden$|^sair$|^wyloguj|^выйти$|ログアウト|退出/iu;
const own = /\b(my account|account|profile|dashboard|settings|inbox|mein konto|mon compte|mi cuenta)\b/i;

/** What could prove that somebody is signed in: what a page shows with the session, and doesn't show without it. */
export function proposeProofs(signedIn: Page, signedOut: Page): ProposedProof[] {
  const without = new Set(signedOut.text.map(({ text }) => squeeze(text)));
  const whole = squeeze(signedOut.text.map(({ text }) => text).join(" "));
  const texts = signedIn.text
    .map(({ text }) => text.replace(/\s+/g, " ").trim())
    .filter((text) => isShort(text) && !without.has(squeeze(text)) && !whole.includes(squeeze(text)));
  const linksWithout = new Set(signedOut.links.map(({ href }) => href));
  const exit = signedIn.links.find(
    ({ href }) => /log-?out|sign-?out|abmelden|deconnexion/i.test(href) && !linksWithout.has(href),
  );
  const path = exit && URL.parse(exit.href)?.pathname;
  const ranked: ProposedProof[] = [
    ...texts.filter((text) => leaving.test(text)).map((text) => ({ text, why: reasons.leaving })),
    ...(path ? [{ selector: `a[href*="${path.replaceAll('"', "%22")}"]`, why: reasons.link }] : []),
    ...texts.filter((text) => own.test(text)).map((text) => ({ text, why: reasons.own })),
    ...texts.filter((text) => !/\d/.test(text)).map((text) => ({ text, why: reasons.other })),
  ];
  const isSame = (proof: ProposedProof) => (other: ProposedProof) =>
    proof.text === other.text && proof.selector === other.selector;
  // Of several reasons for a proof, the first is the best one.
  return ranked.filter((proof, at) => ranked.findIndex(isSame(proof)) === at).slice(0, mostProofs);
}

const reasons = {
  leaving: "Only somebody who is signed in can sign out.",
  link: "A link for signing out.",
  own: "A part of the site for those who are signed in.",
  other: "Only shown with the session. Make sure that it stays on the page.",
};
const squeeze = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
const isShort = (text: string) => text.length >= 3 && text.length <= longestText;
