import { expect, test } from "vitest";
import { startAgain } from "./start-again.ts";
import { StartError } from "./start-error.ts";

const gone = (code: string) => Object.assign(new Error(code), { code });
const after = (...errors: Error[]) => {
  let times = 0;
  const start = async () => {
    const error = errors[times++];
    if (error) throw error;
    return times;
  };
  return startAgain(start, { pauseMs: 1 });
};

test("a database that went away during the start costs another try, not the process", async () => {
  const migrating = new StartError("The database could not be migrated.", { cause: gone("EPIPE") });
  const closing = new SuppressedError(new Error("close"), gone("57P01"), "while closing");
  const broken = new StartError("No.", { cause: new Error("Postgres connection has been discarded") });
  expect(await after(migrating, gone("ECONNREFUSED"), closing, broken)).toBe(5);
});

test("what will not pass is said at once, what does not pass after its time", async () => {
  await expect(after(new StartError("PORT 80 is taken."))).rejects.toThrow("PORT 80");
  await expect(after(gone("EACCES"))).rejects.toThrow("EACCES");
  const start = () => Promise.reject(gone("ECONNREFUSED"));
  await expect(startAgain(start, { pauseMs: 1, patienceMs: 5 })).rejects.toThrow("ECONNREFUSED");
});
