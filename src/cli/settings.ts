import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export type Settings = { url: string; key: string };

/** Variables of the user's environment: WATCHGLASS_URL and WATCHGLASS_KEY override what `login` stored. */
export type CliEnvironment = Partial<
  Record<"WATCHGLASS_URL" | "WATCHGLASS_KEY" | "XDG_CONFIG_HOME" | "APPDATA", string>
>;

function settingsPath({ XDG_CONFIG_HOME, APPDATA }: CliEnvironment): string {
  return join(XDG_CONFIG_HOME ?? APPDATA ?? join(homedir(), ".config"), "watchglass", "settings.json");
}

export async function readSettings(around: CliEnvironment): Promise<Settings | undefined> {
  const stored = await readFile(settingsPath(around), "utf8").then(
    (text) => JSON.parse(text) as Settings,
    () => undefined,
  );
  const url = around.WATCHGLASS_URL ?? stored?.url;
  const key = around.WATCHGLASS_KEY ?? stored?.key;
  return url && key ? { url, key } : undefined;
}

/** Stores the settings in a file that only its owner can read; returns its path. */
export async function saveSettings(around: CliEnvironment, settings: Settings): Promise<string> {
  const file = settingsPath(around);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return file;
}

export async function deleteSettings(around: CliEnvironment): Promise<void> {
  await rm(settingsPath(around), { force: true });
}
