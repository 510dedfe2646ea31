import type pg from "pg";

const usesBeforePreparing = 20;
const mostPrepared = 100;
const planOutdated = "0A000";

/**
 * Lets the database plan once what a pool's clients ask it often: planning takes longer there than most answers. An
 * outdated plan is named anew.
 */
export function prepareOften(): (client: Pick<pg.ClientBase, "query">) => void {
  const uses = new Map<string, number>();
  const numbers = new Map<string, number>();
  let generation = 0;

  function nameOf(text: string): string | undefined {
    const known = numbers.get(text);
    if (known !== undefined) return `${generation}.${known}`;
    if (numbers.size >= mostPrepared) return undefined;
    const times = (uses.get(text) ?? 0) + 1;
    uses.set(text, times);
    if (times < usesBeforePreparing) {
      // Texts that are never the same again are not kept for good.
      if (uses.size > 10 * mostPrepared) uses.clear();
      return undefined;
    }
    uses.delete(text);
    numbers.set(text, numbers.size);
    return `${generation}.${numbers.size - 1}`;
  }

  return (client) => {
    const ask = client.query.bind(client) as (...args: unknown[]) => Promise<pg.QueryResult>;
    const query = (text: unknown, values?: unknown, ...rest: unknown[]) => {
      const isPlain = typeof text === "string" && Array.isArray(values) && rest.length === 0;
      const name = isPlain ? nameOf(text) : undefined;
      if (name === undefined) return ask(text, values, ...rest);
      return ask({ name, text, values }).catch((error: Error & { code?: string }) => {
        if (error.code !== planOutdated) throw error;
        // A table has got another column since, by a newer version beside this one.
        if (name.startsWith(`${generation}.`)) generation++;
        return ask(text, values).catch(() => Promise.reject(error));
      });
    };
    client.query = query as typeof client.query;
  };
}
