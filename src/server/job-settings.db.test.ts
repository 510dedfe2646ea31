import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";
import { comparedNames, type SettingValues, secretNames, settingNames } from "#contract/job-settings.ts";
import { settingSamples } from "#contract/testing/setting-samples.ts";
import { comparedSettings } from "#group-defaults/inherit.ts";
import { readSettings } from "#storage/job-settings.ts";
import { findJobToRun, type JobRow } from "#storage/jobs.ts";
import { sendImport } from "./testing/send-import.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

type Person = Awaited<ReturnType<SharedEngine["person"]>>;
type ShownJob = SettingValues & { id: string; name: string };

/** A job's settings as they are stored, including secrets. */
async function storedSettings(id: string): Promise<SettingValues> {
  return readSettings(engine.app.jobs.secrets, (await findJobToRun(engine.app.db, id)) as JobRow);
}

async function shownJobs({ call }: Person): Promise<ShownJob[]> {
  return (await call("GET", "/api/jobs")).body.jobs as unknown as ShownJob[];
}

const isSecret = (name: string) => secretNames.some((secret) => secret === name);
const publicSamples = Object.fromEntries(Object.entries(settingSamples).filter(([name]) => !isSecret(name)));

test("every setting survives creation, cloning and import into another account, and can be cleared", async () => {
  onTestFinished(engine.site.pause());
  const owner = await engine.person();
  const id = await owner.createJob({ name: "Lamp", ...settingSamples });
  const { body: shown } = await owner.call("GET", `/api/jobs/${id}`);
  expect(shown).toMatchObject(publicSamples);
  expect(JSON.stringify(shown)).not.toContain("hunter");
  expect(await storedSettings(id)).toEqual(settingSamples);

  const { job: clone } = (await owner.call("POST", `/api/jobs/${id}/clone`)).body as unknown as {
    job: ShownJob;
  };
  expect(await storedSettings(clone.id)).toEqual(settingSamples);

  // Saving the form unchanged leaves every setting as it is, including masked secrets.
  const unchanged = Object.fromEntries(
    settingNames.map((name) => [name, (shown as unknown as ShownJob)[name]]),
  );
  expect((await owner.call("PATCH", `/api/jobs/${id}`, unchanged)).status).toBe(200);
  expect(await storedSettings(id)).toEqual(settingSamples);

  const { raw } = await owner.call("GET", "/api/export");
  expect(raw.includes("hunter")).toBe(false);
  const importer = await engine.person();
  const { body } = await sendImport(engine, importer, new Uint8Array(raw));
  expect(body.items.map(({ problem }) => problem)).toEqual([null, null]);
  for (const { id: importedId } of await shownJobs(importer))
    expect(await storedSettings(importedId)).toEqual({
      ...settingSamples,
      headers: [],
      stepSecrets: [],
      trigger: null,
    });

  const blankJob = await owner.createJob({ name: "Blank" });
  const emptySettings = await storedSettings(blankJob);
  expect((await owner.call("PATCH", `/api/jobs/${id}`, emptySettings)).status).toBe(200);
  expect(await storedSettings(id)).toEqual(emptySettings);
});

test("changing a setting that affects the comparison outdates a running check; other settings don't", async () => {
  onTestFinished(engine.site.pause());
  const person = await engine.person();
  const id = await person.createJob({ selector: "main" });
  const versionOf = async () => (await findJobToRun(engine.app.db, id))?.target_version ?? 0;
  for (const name of settingNames) {
    const versionBefore = await versionOf();
    // A job that waits for its selector to match must have a selector.
    const sample = name === "selector" ? "#other" : settingSamples[name];
    expect((await person.call("PATCH", `/api/jobs/${id}`, { [name]: sample })).status).toBe(200);
    // A job that watches the whole site from now on has nothing to compare with.
    const isOutdated = name === "site" || comparedNames.some((compared) => compared === name);
    expect([name, (await versionOf()) - versionBefore]).toEqual([name, isOutdated ? 1 : 0]);
  }
  const job = (await findJobToRun(engine.app.db, id)) as JobRow;
  expect(Object.keys(comparedSettings(job))).toEqual(comparedNames);
});
