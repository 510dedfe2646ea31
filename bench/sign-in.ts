// A5: known and unknown addresses take the same time. Compares the medians of interleaved attempts as a ratio.
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createApi } from "#server/api.ts";
import { readConfig } from "#server/config.ts";
import { compose } from "#server/startup/compose.ts";

const TRIES = 100;
const folder = await mkdtemp(join(tmpdir(), "watchglass-bench-"));
await chmod(folder, 0o711);
const limits = { SIGN_UP_PER_HOUR: "100000", RATE_LIMIT_PER_MINUTE: "1000000" };
const app = await compose(readConfig({ DATA_DIR: folder, ...limits }), pino({ level: "silent" }));
const server = await createApi(app);
const password = "correct1!";

let callers = 0;
async function time(url: string, payload: object): Promise<number> {
  // Each call comes from its own address, because one caller may not call that often.
  callers++;
  const remoteAddress = `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`;
  const start = performance.now();
  await server.inject({ method: "POST", url, payload, remoteAddress });
  return performance.now() - start;
}

const person = () => ({ firstname: "A", surname: "B", email: `${randomUUID()}@example.com`, password });
const known = Array.from({ length: TRIES }, person);
for (const account of known) await time("/api/auth/register", account);

const calls: Record<string, [path: string, known: (email: string) => object]> = {
  "sign in": ["/api/auth/login", (email) => ({ email, password: "wrong-12!" })],
  recover: ["/api/recover", (email) => ({ email })],
  "sign up": ["/api/auth/register", (email) => ({ ...person(), email })],
};
for (const [name, [path, body]] of Object.entries(calls)) {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (const { email } of known) {
    times.known.push(await time(path, body(email)));
    times.unknown.push(await time(path, body(`${randomUUID()}@example.com`)));
  }
  const ratio = median(times.known) / median(times.unknown);
  const verdict = ratio > 0.85 && ratio < 1.15 ? "ok" : "TOO FAR APART";
  console.log(
    `${name.padEnd(8)} known ${median(times.known).toFixed(1)} ms, unknown ${median(times.unknown).toFixed(1)} ms, ratio ${ratio.toFixed(2)} ${verdict}`,
  );
}
await server.close();
await app.close();
await rm(folder, { recursive: true, force: true });

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
