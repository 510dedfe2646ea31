import { expect, test } from "vitest";
import { retryStart } from "./retry-start.ts";
import { StartError } from "./start-error.ts";

const errorWithCode = (code: string) => Object.assign(new Error(code), { code });
const retryAfter = (...errors: Error[]) => {
  let times = 0;
  const start = async () => {
    const error = errors[times++];
    if (error) throw error;
    return times;
  };
  return retryStart(start, { pauseMs: 1 });
};

test("a database connection that is lost during the start is retried instead of ending the process", async () => {
  const migrating = new StartError("The database could not be migrated.", { cause: errorWithCode("EPIPE") });
  const closing = new SuppressedError(new Error("close"), errorWithCode("57P01"), "while closing");
  const broken = new StartError("No.", { cause: new Error("Postgres connection has been discarded") });
  expect(await retryAfter(migrating, errorWithCode("ECONNREFUSED"), closing, broken)).toBe(5);
});

test("permanent errors are thrown at once, temporary ones when the time for retries is over", async () => {
  await expect(retryAfter(new StartError("PORT 80 is taken."))).rejects.toThrow("PORT 80");
  await expect(retryAfter(errorWithCode("EACCES"))).rejects.toThrow("EACCES");
  const start = () => Promise.reject(errorWithCode("ECONNREFUSED"));
  await expect(retryStart(start, { pauseMs: 1, patienceMs: 5 })).rejects.toThrow("ECONNREFUSED");
});
