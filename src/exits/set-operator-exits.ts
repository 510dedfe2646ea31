import { randomUUID } from "node:crypto";
import { type Exit, exitUrl } from "#network/exit.ts";
import { deleteOperatorExits, insertExit, listOperatorExits, updateExit } from "#storage/exits.ts";
import type { Deps } from "./deps.ts";
import { openCredentials, sealCredentials } from "./open-exits.ts";

export type OperatorExit = Exit & { name: string };

/** Makes the stored exits of the operator those of the configuration; one that stays keeps its id and its health. */
export async function setOperatorExits(
  deps: Pick<Deps, "db" | "secrets">,
  exits: OperatorExit[],
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const stored = await listOperatorExits(tx);
    if (stored.length === 0 && exits.length === 0) return;
    await deleteOperatorExits(
      tx,
      exits.map(({ name }) => name),
    );
    for (const exit of exits) {
      const { name, protocol, host, port, looksUpNames } = exit;
      const row = stored.find((each) => each.name === name);
      const id = row?.id ?? randomUUID();
      const isSame =
        row &&
        exitUrl(row) === exitUrl(exit) &&
        row.protocol === protocol &&
        row.looks_up_names === looksUpNames &&
        JSON.stringify(openCredentials(deps, row)) === JSON.stringify(exit.credentials);
      if (isSame) continue;
      const values = {
        name,
        protocol,
        host,
        port,
        looks_up_names: looksUpNames,
        credentials_sealed: exit.credentials ? sealCredentials(deps, id, exit.credentials) : null,
      };
      // Another process that starts at the same time may have inserted it.
      if (row) await updateExit(tx, id, { ...values, problem: null, address: null, latency_ms: null });
      else await insertExit(tx, { id, account_id: null, ...values });
    }
  });
}
