import type { PageStep, StepSecret } from "#contract/page-steps.ts";

const passwordWords =
  /pass(?:word|wort|wd|code|phrase|e)?|pwd|kennwort|contrase|senha|mot.?de.?passe|wachtwoord|has[lł]o|heslo|secret|token|otp\b|one.?time|2fa|mfa|\bpin\b|cv[vc]\b|api.?key|пароль|密码|パスワード|비밀번호/iu;
const reference = /\{\{\s*secret\.([\w-]+)\s*\}\}/g;
const codeReference = /\{\{\s*totp\.([\w-]+)\s*\}\}/g;

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);

/** The names of the secrets of which one-time codes are made for a text. */
export const codesIn = (text: string) => namesIn(text, codeReference);

/** The names of the secrets that a text needs, those of one-time codes included. */
export const secretsIn = (text: string) => [...namesIn(text, reference), ...codesIn(text)];

/** Puts a one-time code in the place of its references. */
export const fillCode = (text: string, name: string, code: string) =>
  text.replace(codeReference, (whole, wanted: string) => (wanted === name ? code : whole));

/** Puts secrets in the place of their references. */
export const fillSecrets = (text: string, secrets: ReadonlyMap<string, string>) =>
  text.replace(reference, (whole, name: string) => secrets.get(name) ?? whole);

/** Whether a step types into a field that looks like one for passwords, judged by its selectors. */
const isPasswordStep = (step: PageStep): step is Extract<PageStep, { type: "change" }> =>
  step.type === "change" && step.selectors.flat().some((selector) => passwordWords.test(selector));

/** Replaces what is typed into password fields by references to secrets, which are added to the given ones. */
export function hidePasswords(
  steps: PageStep[],
  known: StepSecret[] = [],
): { steps: PageStep[]; secrets: StepSecret[] } {
  const secrets = [...known];
  const nameOf = (value: string) => {
    const same = secrets.find((secret) => secret.value === value);
    if (same) return same.name;
    const taken = new Set(secrets.map(({ name }) => name));
    let name = "password";
    for (let at = 2; taken.has(name); at++) name = `password-${at}`;
    secrets.push({ name, value });
    return name;
  };
  const hidden = steps.map((step) => {
    if (!isPasswordStep(step) || step.value === "" || secretsIn(step.value).length > 0) return step;
    return { ...step, value: `{{secret.${nameOf(step.value)}}}` };
  });
  return { steps: hidden, secrets };
}
