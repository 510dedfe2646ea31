import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { Exit } from "#contract/exit.ts";
import { parseAddress } from "#network/address-rules/address.ts";
import { failureSentences } from "#network/failure.ts";
import { countExitUsers, findExits, recordExitUse, updateExit } from "#storage/exits.ts";
import type { Deps } from "./deps.ts";
import { describeExit } from "./manage-exits.ts";
import { toExit } from "./open-exits.ts";

const echoBytes = 64 * 1024;
const echoMs = 20_000;

/** Requests the echo page through an exit and stores how the exit did, and the address that sites see. */
export async function testExit(
  deps: Deps,
  { accountId }: Actor,
  id: string,
): Promise<{ exit: Exit; message: string }> {
  const [row] = await findExits(deps.db, accountId, [id]);
  if (!row) throw new AppError("NOT_FOUND");
  const url = row.echo_url ?? deps.echoUrl;
  if (!url)
    throw new AppError(
      "INVALID_INPUT",
      "Enter an echo URL: a page that answers with the address of its visitor.",
      { field: "echoUrl" },
    );
  const result = await deps.http.fetch({
    url,
    purpose: "page",
    exit: toExit(deps, row),
    isFresh: true,
    keepBytes: echoBytes,
    totalMs: echoMs,
  });
  const problem = result.ok ? null : (result.failure.exit ?? null);
  const ms = result.ok ? (result.response.timing.connect ?? null) : null;
  await recordExitUse(deps.db, accountId, id, { problem, ms });
  const address = result.ok ? findAddress(Buffer.from(result.response.body).toString("latin1")) : null;
  if (problem === null)
    await updateExit(deps.db, id, { address, ...(ms !== null && { latency_ms: Math.round(ms) }) });
  const [tested = row] = await findExits(deps.db, accountId, [id]);
  const exit = describeExit(deps, tested, await countExitUsers(deps.db, accountId));
  return { exit, message: describe(exit, address, result.ok ? null : failureSentences[result.failure.kind]) };
}

function describe(
  { name, problem, latencyMs }: Exit,
  address: string | null,
  failure: string | null,
): string {
  if (problem) return `“${name}” doesn’t work. ${problem}`;
  if (failure) return `“${name}” answers, but the echo URL didn’t: ${failure}`;
  const took = latencyMs === null ? "" : ` It connected within ${latencyMs} ms.`;
  return address
    ? `“${name}” works. Sites see the address ${address}.${took}`
    : `“${name}” works, but the echo URL didn’t answer with an address.${took}`;
}

/** The first address in a text, whether it is plain text, JSON or a page. */
function findAddress(text: string): string | null {
  const candidates = text.matchAll(/[\da-f]{1,4}[.:][\da-f.:]{2,43}/gi);
  for (const [candidate] of candidates) if (parseAddress(candidate)) return candidate;
  return null;
}
