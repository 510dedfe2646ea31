import type { StepsRequest } from "#capture/capture-page.ts";
import { emptyJar, type SessionJar, type SessionRequest } from "#capture/session-jar.ts";
import type { StepSecret } from "#contract/page-steps.ts";
import type { SessionProof } from "#contract/session-proof.ts";
import { takeOneTimeCode } from "#page-requests/take-one-time-code.ts";
import type { IdentityRow } from "#storage/identities.ts";
import type { Deps } from "./deps.ts";

const secretsContext = (id: string) => `identity-secrets:${id}`;
const jarContext = (id: string) => `identity-jar:${id}`;

export const sealSecrets = ({ secrets }: Pick<Deps, "secrets">, id: string, list: StepSecret[]) =>
  list.length === 0 ? null : secrets.seal(JSON.stringify(list), secretsContext(id));

export const openSecrets = (
  { secrets }: Pick<Deps, "secrets">,
  { id, secrets_sealed: sealed }: Pick<IdentityRow, "id" | "secrets_sealed">,
): StepSecret[] => (sealed ? JSON.parse(secrets.open(sealed, secretsContext(id))) : []);

export const sealJar = ({ secrets }: Pick<Deps, "secrets">, id: string, jar: SessionJar) =>
  secrets.seal(JSON.stringify(jar), jarContext(id));

export const openJar = (
  { secrets }: Pick<Deps, "secrets">,
  { id, jar_sealed: sealed }: Pick<IdentityRow, "id" | "jar_sealed">,
): SessionJar | null => (sealed ? JSON.parse(secrets.open(sealed, jarContext(id))) : null);

/** An identity with its secrets, as a browser signs in with it. */
export type OpenIdentity = {
  /** Null for the trial of one that isn't saved. */
  id: string | null;
  accountId: string;
  name: string;
  url: string;
  origins: string[];
  steps: StepsRequest["steps"];
  secrets: StepSecret[];
  /** Null while proofs are looked for. */
  proof: SessionProof | null;
  jar: SessionJar | null;
  signInSketch: number[] | null;
};

export function openIdentity(deps: Pick<Deps, "secrets">, row: IdentityRow): OpenIdentity {
  const { id, account_id: accountId, name, url, origins, steps, proof, sign_in_sketch: signInSketch } = row;
  const secrets = openSecrets(deps, row);
  return { id, accountId, name, url, origins, steps, secrets, proof, jar: openJar(deps, row), signInSketch };
}

/** The session in which a page is captured. */
export function sessionOf(
  { id, url, origins, proof, signInSketch }: OpenIdentity,
  jar: SessionJar | null,
): SessionRequest {
  return { identityId: id, jar: jar ?? emptyJar, proof, origins, signInUrl: url, signInSketch };
}

/** The steps that sign in. */
export function signInSteps(
  { db }: Pick<Deps, "db">,
  { accountId, steps, secrets, origins }: OpenIdentity,
): StepsRequest {
  return {
    steps,
    secrets: new Map(secrets.map(({ name, value }) => [name, value])),
    origins,
    takeCode: (key) => takeOneTimeCode(db, accountId, key),
  };
}
