import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { createClient } from "#client/create-client.ts";
import { httpTransport } from "#client/http-transport.ts";
import { keyPattern } from "#contract/api-key.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { deleteSettings, saveSettings } from "../settings.ts";

export function addLogin(program: Command, context: Context): void {
  const { terminal, around } = context;
  program
    .command("login")
    .description("store an API key for later commands; prompts for it, or reads it from a pipe")
    .option(
      "--url <address>",
      "URL of the Watchglass installation",
      around.WATCHGLASS_URL ?? "http://localhost:3000",
    )
    .action(async ({ url }: { url: string }) => {
      if (!/^https?:\/\//.test(url))
        throw new CommandError(`"${url}" isn't an http or https URL.`, exitCodes.usage);
      const key = around.WATCHGLASS_KEY ?? (await askKey(context));
      if (!keyPattern.test(key)) {
        throw new CommandError(
          "This isn't an API key. Keys start with wg_ and are created in the profile.",
          exitCodes.usage,
        );
      }
      const me = await createClient(httpTransport(url, key, context.signal)).call("GET /api/me");
      const file = await saveSettings(around, { url, key });
      terminal.say(`Logged in to ${url} as ${me.email} (${me.plan}). The key is stored in ${file}.`);
    });
  program
    .command("logout")
    .description("delete the stored API key")
    .action(async () => {
      await deleteSettings(around);
      terminal.say("The key was deleted from this computer. To end it for good, revoke it in the profile.");
    });
  program
    .command("whoami")
    .description("show the account that commands act for")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const { email, plan, id } = await (await context.client()).call("GET /api/me");
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
  terminal.say("Create a key in the profile under API keys, and paste it here.");
  const lines = createInterface({ input: stdin, output: process.stderr });
  // While it asks, the terminal sends Ctrl+C as a character and no signal.
  lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const key = await lines.question("API key: ");
  lines.close();
  return key.trim();
}
