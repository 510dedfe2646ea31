import type { ExitChoice } from "#capture/exit-choice.ts";
import { directExit } from "#contract/setting-shapes.ts";
import type { Exit } from "#network/exit.ts";
import { type ExitRow, findExits } from "#storage/exits.ts";
import type { Deps } from "./deps.ts";

const sealContext = (id: string) => `exit:${id}`;

export function sealCredentials(
  { secrets }: Pick<Deps, "secrets">,
  id: string,
  credentials: NonNullable<Exit["credentials"]>,
): string | null {
  const { username, password } = credentials;
  if (username === "" && password === "") return null;
  return secrets.seal(JSON.stringify([username, password]), sealContext(id));
}

export function openCredentials(
  { secrets }: Pick<Deps, "secrets">,
  { id, credentials_sealed }: Pick<ExitRow, "id" | "credentials_sealed">,
): Exit["credentials"] {
  if (credentials_sealed === null) return undefined;
  const [username, password] = JSON.parse(secrets.open(credentials_sealed, sealContext(id))) as [
    string,
    string,
  ];
  return { username, password };
}

/** The exit of a row, as requests go through it. */
export function toExit(deps: Pick<Deps, "secrets">, row: ExitRow): Exit {
  const { protocol, host, port, looks_up_names: looksUpNames } = row;
  return { protocol, host, port, looksUpNames, credentials: openCredentials(deps, row) };
}

/**
 * The exits of a job in their order. One that doesn't exist any more stays in the list as a problem: leaving it out
 * would show the site an address that it wasn't to see.
 */
export async function openExits(
  deps: Pick<Deps, "db" | "secrets">,
  accountId: string,
  ids: readonly string[] | null,
): Promise<ExitChoice[]> {
  if (!ids || ids.every((id) => id === directExit)) return [];
  const rows = await findExits(
    deps.db,
    accountId,
    ids.filter((id) => id !== directExit),
  );
  return ids.map((id) => {
    if (id === directExit) return { id, name: "direct connection" };
    const row = rows.find((each) => each.id === id);
    if (!row) return { id, name: "deleted exit", problem: "missing" };
    return { id, name: row.name, exit: toExit(deps, row) };
  });
}
