import type pg from "pg";

const usesBeforePreparing = 20;
const maxPrepared = 100;
const planOutdated = "0A000";

/**
 * Prepares the queries that a pool's clients run often, so that the database plans them once: planning takes it longer
 * than most answers. An outdated plan gets a new name.
 */
export function prepareFrequentQueries(): (client: Pick<pg.ClientBase, "query">) => void {
  const uses = new Map<string, number>();
  const numbers = new Map<string, number>();
  let generation = 0;

  function nameOf(text: string): string | undefined {
    const known = numbers.get(text);
    if (known !== undefined) return `${generation}.${known}`;
    if (numbers.size >= maxPrepared) return undefined;
    const times = (uses.get(text) ?? 0) + 1;
    uses.set(text, times);
    if (times < usesBeforePreparing) {
      // Queries that never occur again aren't remembered forever.
      if (uses.size > 10 * maxPrepared) uses.clear();
      return undefined;
    }
    uses.delete(text);
    numbers.set(text, numbers.size);
    return `${generation}.${numbers.size - 1}`;
  }

  return (client) => {
    const runQuery = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>;
    const query = (text: unknown, values?: unknown, ...rest: unknown[]) => {
      const isPlain = typeof text === "string" && Array.isArray(values) && rest.length === 0;
      const name = isPlain ? nameOf(text) : undefined;
      if (name === undefined) return runQuery(text, values, ...rest);
      return runQuery({ name, text, values }).catch((error: Error & { code?: string }) => {
        if (error.code !== planOutdated) throw error;
        // A newer version that runs alongside has added a column to a table.
        if (name.startsWith(`${generation}.`)) generation++;
        return runQuery(text, values).catch(() => Promise.reject(error));
      });
    };
    client.query = query as typeof client.query;
  };
}
