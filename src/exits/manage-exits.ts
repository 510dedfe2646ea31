import { randomUUID } from "node:crypto";
import { exitProblems } from "#capture/exit-choice.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { type Exit, maxExits, type NewExit } from "#contract/exit.ts";
import { directExit } from "#contract/setting-shapes.ts";
import { type ExitProblem, exitUrl } from "#network/exit.ts";
import type { Database } from "#storage/database.ts";
import {
  countExitUsers,
  countOwnExits,
  deleteOwnExit,
  type ExitRow,
  findExits,
  hasExitNamed,
  insertExit,
  listExits,
  lockOwnExit,
  updateExit as updateExitRow,
} from "#storage/exits.ts";
import type { Deps } from "./deps.ts";
import { openCredentials, sealCredentials } from "./open-exits.ts";

type Users = Map<string, { jobs: number; groups: number }>;

/** The exits that an account's jobs may use: its own and the operator's. */
export async function readExits(deps: Deps, { accountId }: Actor): Promise<Exit[]> {
  const [rows, users] = await Promise.all([
    listExits(deps.db, accountId),
    countExitUsers(deps.db, accountId),
  ]);
  return rows.map((row) => describeExit(deps, row, users));
}

/** Adds an exit; its address is judged like that of a page. */
export async function createExit(deps: Deps, { accountId }: Actor, input: NewExit): Promise<Exit> {
  await assertExit(deps, input);
  const id = randomUUID();
  return deps.db.transaction().execute(async (tx) => {
    if ((await countOwnExits(tx, accountId)) >= maxExits)
      throw new AppError("CONFLICT", `An account has at most ${maxExits} exits. Delete one first.`);
    const { username, password } = input;
    const credentials = { username, password: password ?? "" };
    const row = await insertExit(tx, {
      id,
      account_id: accountId,
      ...columnsOf(input),
      credentials_sealed: sealCredentials(deps, id, credentials),
    });
    if (!row) throw nameTaken();
    return describeExit(deps, row, new Map());
  });
}

/** Changes an exit. A password never goes to another proxy than the one that it was entered for. */
export async function updateExit(
  deps: Deps,
  { accountId }: Actor,
  id: string,
  input: NewExit,
): Promise<Exit> {
  await assertExit(deps, input);
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockOwnExit(tx, accountId, id);
    if (!row) throw new AppError("NOT_FOUND");
    if (input.name !== row.name && (await hasExitNamed(tx, accountId, input.name))) throw nameTaken();
    const old = openCredentials(deps, row);
    const { username } = input;
    const keepsPassword = (input.password ?? null) === null && username !== "" && old !== undefined;
    if (
      keepsPassword &&
      old.password !== "" &&
      (exitUrl(input) !== exitUrl(row) || username !== old.username)
    )
      throw new AppError("INVALID_INPUT", "Enter the password again: the proxy or the username changed.", {
        field: "password",
      });
    const credentials = { username, password: keepsPassword ? old.password : (input.password ?? "") };
    const changed = await updateExitRow(tx, id, {
      ...columnsOf(input),
      credentials_sealed: sealCredentials(deps, id, credentials),
      // What was measured belongs to the old settings.
      latency_ms: null,
      address: null,
      problem: null,
      failed_at: null,
      succeeded_at: null,
    });
    return describeExit(deps, changed, await countExitUsers(tx, accountId));
  });
}

/** Deletes an exit and returns its name. A job that uses it would go without it, so that is refused. */
export async function deleteExit(deps: Deps, { accountId }: Actor, id: string): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    const row = await lockOwnExit(tx, accountId, id);
    if (!row) throw new AppError("NOT_FOUND");
    const { jobs, groups } = (await countExitUsers(tx, accountId)).get(id) ?? { jobs: 0, groups: 0 };
    if (jobs + groups > 0) {
      const users = [count(jobs, "job"), count(groups, "group")].filter(Boolean).join(" and ");
      const verb = jobs + groups === 1 ? "uses" : "use";
      throw new AppError("CONFLICT", `${users} ${verb} this exit. Choose another one there first.`);
    }
    await deleteOwnExit(tx, accountId, id);
    return row.name;
  });
}

const count = (many: number, what: string) => (many === 0 ? "" : `${many} ${what}${many === 1 ? "" : "s"}`);

/** Refuses exits that the account can't use. */
export async function assertExitsUsable(
  db: Database,
  accountId: string,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  const wanted = (ids ?? []).filter((id) => id !== directExit);
  const found = await findExits(db, accountId, wanted);
  if (found.length < wanted.length)
    throw new AppError("INVALID_INPUT", "This exit doesn’t exist any more. Choose another one.", {
      field: "exits",
    });
}

async function assertExit({ refuseTarget, mayLookUpNames }: Deps, input: NewExit): Promise<void> {
  const reason = await refuseTarget(exitUrl(input));
  if (reason) throw new AppError("INVALID_INPUT", reason, { field: "host" });
  if (input.looksUpNames && !mayLookUpNames)
    throw new AppError("INVALID_INPUT", "This server looks up names itself, not through the exit.", {
      field: "looksUpNames",
    });
  if (input.username === "" && input.password)
    throw new AppError("INVALID_INPUT", "Enter the username that belongs to the password.", {
      field: "username",
    });
  const echoReason = input.echoUrl ? await refuseTarget(input.echoUrl) : null;
  if (echoReason) throw new AppError("INVALID_INPUT", echoReason, { field: "echoUrl" });
}

const nameTaken = () =>
  new AppError("NAME_TAKEN", "You already have an exit with this name.", { field: "name" });

const columnsOf = ({ name, protocol, host, port, looksUpNames, echoUrl }: NewExit) => ({
  name,
  protocol,
  host,
  port,
  looks_up_names: looksUpNames,
  echo_url: echoUrl?.trim() || null,
});

export function describeExit(deps: Deps, row: ExitRow, users: Users): Exit {
  const isShared = row.account_id === null;
  const credentials = isShared ? undefined : openCredentials(deps, row);
  const problem = row.problem as ExitProblem | null;
  return {
    id: row.id,
    name: row.name,
    isShared,
    protocol: row.protocol,
    host: isShared ? null : row.host,
    port: isShared ? null : row.port,
    username: credentials?.username ?? "",
    hasPassword: (credentials?.password ?? "") !== "",
    looksUpNames: row.looks_up_names,
    echoUrl: row.echo_url,
    lastSuccessAt: row.succeeded_at?.toISOString() ?? null,
    latencyMs: row.latency_ms,
    address: row.address,
    problem: problem && `It is down: ${exitProblems[problem]}.`,
    failedAt: row.failed_at?.toISOString() ?? null,
    ...(users.get(row.id) ?? { jobs: 0, groups: 0 }),
  };
}
