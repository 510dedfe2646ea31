import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { createClient } from "#client/create-client.ts";
import { overHttp } from "#client/over-http.ts";
import { keyPattern } from "#contract/api-key.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { forgetSettings, keepSettings } from "../settings.ts";

export function addLogin(program: Command, context: Context): void {
  const { terminal, around } = context;
  program
    .command("login")
    .description("keep an API key for the commands to come; it is asked for, or read from a pipe")
    .option("--url <address>", "the installation", around.WATCHGLASS_URL ?? "http://localhost:3000")
    .action(async ({ url }: { url: string }) => {
      if (!/^https?:\/\//.test(url)) throw new CommandError(`"${url}" is no http address.`, exitCodes.usage);
      const key = around.WATCHGLASS_KEY ?? (await askKey(context));
      if (!keyPattern.test(key)) {
        throw new CommandError(
          "This is no API key: they begin with wg_ and are made in the profile.",
          exitCodes.usage,
        );
      }
      const me = await createClient(overHttp(url, key)).me(undefined, { signal: context.signal });
      const file = await keepSettings(around, { url, key });
      terminal.say(`Logged in to ${url} as ${me.email} (${me.plan}). The key is kept in ${file}.`);
    });
  program
    .command("logout")
    .description("forget the key that login kept")
    .action(async () => {
      await forgetSettings(around);
      terminal.say("The key is forgotten. To end it for good, revoke it in the profile.");
    });
  program
    .command("whoami")
    .description("the account that commands act for")
    .option("--json", "as JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { email, plan, id } = await (await context.client()).me();
      const url = await context.url();
      terminal.out(json ? JSON.stringify({ url, id, email, plan }) : `${email} (${plan}) at ${url}`);
    });
}

async function askKey({ stdin, terminal }: Context): Promise<string> {
  if (!stdin.isTTY) {
    let text = "";
    for await (const chunk of stdin) text += chunk;
    return text.trim();
  }
  terminal.say("Make a key in the profile, under API keys, and paste it here.");
  const lines = createInterface({ input: stdin, output: process.stderr });
  const key = await lines.question("API key: ");
  lines.close();
  return key.trim();
}
