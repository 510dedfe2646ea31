import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export type Settings = { url: string; key: string };

/** Of the user's own environment: WATCHGLASS_URL and WATCHGLASS_KEY stand before what `login` kept. */
export type Surroundings = Partial<
  Record<"WATCHGLASS_URL" | "WATCHGLASS_KEY" | "XDG_CONFIG_HOME" | "APPDATA", string>
>;

function fileOf({ XDG_CONFIG_HOME, APPDATA }: Surroundings): string {
  return join(XDG_CONFIG_HOME ?? APPDATA ?? join(homedir(), ".config"), "watchglass", "settings.json");
}

export async function readSettings(around: Surroundings): Promise<Settings | undefined> {
  const kept = await readFile(fileOf(around), "utf8").then(
    (text) => JSON.parse(text) as Settings,
    () => undefined,
  );
  const url = around.WATCHGLASS_URL ?? kept?.url;
  const key = around.WATCHGLASS_KEY ?? kept?.key;
  return url && key ? { url, key } : undefined;
}

/** Readable by its owner only. */
export async function keepSettings(around: Surroundings, settings: Settings): Promise<string> {
  const file = fileOf(around);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export async function forgetSettings(around: Surroundings): Promise<void> {
  await rm(fileOf(around), { force: true });
}
