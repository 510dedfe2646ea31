import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";
import { migrationNames } from "#storage/migrations/migrate.ts";
import { copyDatabase } from "#storage/testing/copy-database.ts";

const root = join(import.meta.dirname, "../..");
const git = (...args: string[]) =>
  execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "ignore"],
  });

/** PREVIOUS_VERSION, else the commit before the one that added the newest migration. */
function previousVersion(): string | undefined {
  if (process.env.PREVIOUS_VERSION) return process.env.PREVIOUS_VERSION;
  try {
    const newest = `src/storage/migrations/${migrationNames().at(-1)}.sql`;
    const added = git("log", "--diff-filter=A", "-1", "--format=%H", "--", newest).trim();
    return added ? `${added}~1` : undefined;
  } catch {
    return undefined;
  }
}

/** The files of a version, with our packages. */
function unpackVersion(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), "watchglass-previous-"));
  const tree = join(folder, "tree");
  mkdirSync(tree);
  execFileSync("sh", ["-c", `git archive ${version} | tar -x -C ${tree}`], { cwd: root });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return tree;
}

const version = previousVersion();

test.runIf(version !== undefined)(
  "the previous version and this one check the same jobs while this one migrates, and lose or repeat no change",
  async () => {
    const tree = unpackVersion(version ?? "");
    const copy = await copyDatabase("template0");
    const data = mkdtempSync(join(tmpdir(), "watchglass-upgrade-"));
    onTestFinished(() => rm(data, { recursive: true }));
    const options = { database: copy.connectionString, environment: { DATA_DIR: data } };
    const { startTestEngine: startPrevious } = (await import(join(tree, "src/checks/testing/engine.ts"))) as {
      startTestEngine: typeof startTestEngine;
    };
    const previous = await startPrevious(options);
    const oldFiles = readdirSync(join(tree, "src/storage/migrations")).filter((name) =>
      name.endsWith(".sql"),
    );
    expect(oldFiles.length).toBeLessThan(migrationNames().length);

    const user = await previous.person();
    const jobs = 4;
    const sites = [previous.site];
    const show = (text: string) => {
      for (const site of sites) site.page.html = html(...story, text);
    };
    show("Before any change.");
    const ids: string[] = [];
    for (let n = 0; n < jobs; n++) ids.push(await user.createJob());
    for (const id of ids) await user.execution(id, 1);

    /** Changes the page and checks every job, each of them by whichever version claims it. */
    const checkAll = async (text: string) => {
      show(text);
      await Promise.all(ids.map((id) => user.run(id)));
    };
    let changes = 0;
    // Live checks go on while this version starts and migrates.
    let current: Awaited<ReturnType<typeof startTestEngine>> | undefined;
    const starting = startTestEngine(options).then((started) => {
      current = started;
    });
    while (!current) await checkAll(`Change ${++changes} while it migrates.`);
    await starting;
    const ours = current as Awaited<ReturnType<typeof startTestEngine>>;
    sites.push(ours.site);
    for (let n = 0; n < 6; n++) await checkAll(`Change ${++changes} side by side.`);
    // A job that this version made is checked by both; calls to either version show the same.
    const callOurs = (method: string, url: string) =>
      ours.call(method, url, undefined, { token: user.token });
    for (const id of ids) {
      const executions = (await callOurs("GET", `/api/jobs/${id}/executions?limit=100`)).body
        .executions as unknown as { changed: boolean; error: string | null }[];
      expect(executions.filter(({ changed }) => changed)).toHaveLength(changes);
      expect(executions).toHaveLength(changes + 1);
      expect(executions.filter(({ error }) => error !== null)).toEqual([]);
      expect(await user.executionsOf(id)).toHaveLength(changes + 1);
    }
    expect(previous.site.requests.length).toBeGreaterThan(0);
    expect(ours.site.requests.length).toBeGreaterThan(0);
    for (const { log } of [previous, ours])
      expect(log.filter((line) => line.includes("a check failed on our side"))).toEqual([]);
    await previous.close();
    // What the previous version left is checked by this one alone.
    ours.site.page.html = html(...story, "The previous version is gone.");
    for (const id of ids) await callOurs("POST", `/api/jobs/${id}/run`);
    await ours.waitFor("the checks after the upgrade", async () => {
      const lists = await Promise.all(
        ids.map((id) => callOurs("GET", `/api/jobs/${id}/executions?limit=100`)),
      );
      return lists.every(({ body }) => (body.executions as unknown as unknown[]).length === changes + 2);
    });
    await ours.close();
    await copy.drop();
  },
  300_000,
);
