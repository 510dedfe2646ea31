import type { CaptureRequest, CaptureResult, TakenStep } from "#capture/capture-page.ts";
import { emptyJar, type SessionJar } from "#capture/session-jar.ts";
import type { Deps } from "./deps.ts";
import { type OpenIdentity, sessionOf, signInSteps } from "./open-identity.ts";

type SignedIn = {
  ok: true;
  jar: SessionJar;
  steps: TakenStep[];
  signInSketch: number[] | null;
  result: Extract<CaptureResult, { ok: true; unchanged: false }>;
};
/** `isRefused`: the site answered, but it didn't let us in. */
type NotSignedIn = {
  ok: false;
  reason: string;
  steps: TakenStep[];
  isRefused: boolean;
  result: CaptureResult;
};

export type Capture = (request: CaptureRequest) => Promise<CaptureResult>;

/**
 * Signs in with a browser that knows nothing yet, so that it goes as it went when the steps were tried. Of
 * the request for a job's page only the way is taken: its headers and body are for another page.
 */
export async function signIn(
  deps: Pick<Deps, "db"> & { capture: Capture },
  identity: OpenIdentity,
  { browser, proxies }: Pick<CaptureRequest, "browser" | "proxies"> = {},
): Promise<SignedIn | NotSignedIn> {
  const result = await deps.capture({
    ...(browser && { browser }),
    ...(proxies && { proxies }),
    url: identity.url,
    pageSteps: signInSteps(deps, identity),
    session: { ...sessionOf(identity, emptyJar), isSignIn: true },
  });
  const steps = (result.steps ?? []).map(withoutQuery);
  const jar = result.session?.jar;
  if (result.ok && !result.unchanged && jar) {
    const signInSketch = result.session?.signInSketch ?? null;
    return { ok: true, jar, steps, signInSketch, result };
  }
  const { kind, message } = result.ok
    ? { kind: "steps" as const, message: "The page couldn’t be read." }
    : result.failure;
  const isRefused = kind === "steps" || kind === "signed-out" || kind === "blocked" || kind === "status";
  return { ok: false, reason: message, steps, isRefused, result };
}

/** The URLs of a sign-in may carry codes that let whoever has them in. */
const withoutQuery = (step: TakenStep): TakenStep => ({ ...step, url: step.url.replace(/[?#].*$/s, "") });
