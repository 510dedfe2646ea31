import type { App } from "../app.ts";
import type { ReadinessProblem } from "../observability/find-readiness-problem.ts";

const checkouts = {
  paddle: "by Paddle",
  sandbox: "by the sandbox: plans cost nothing",
  none: "by the operator: npm run ops -- plan EMAIL ultimate",
};

/** Prints what a process is, where it can be reached, and what it lacks. */
export function printStartup(app: App, port: number, problem: ReadinessProblem | undefined) {
  process.stdout.write(`\n${describeStart(app, port, problem).join("\n")}\n\n`);
}

function describeStart(
  { config, mailbox, billing }: Pick<App, "config" | "mailbox" | "billing">,
  port: number,
  problem: ReadinessProblem | undefined,
): string[] {
  const { role } = config;
  const folder = config.mailDir ?? `${config.dataDir}/mailbox`;
  const mails = config.smtpUrl ? "sent by SMTP_URL" : mailbox ? `${config.baseUrl}/mailbox` : folder;
  const host = /^(0\.0\.0\.0|::)$/.test(config.host) ? "127.0.0.1" : config.host.replace(/^.*:.*$/s, "[$&]");
  const isApi = role === "all" || role === "api";
  const lines: [string, string][] = [
    isApi ? ["Watchglass is at", config.baseUrl] : ["Watchglass runs a", role],
    ...(isApi ? [] : [["Health is at", `http://${host}:${port}/readyz`] as [string, string]]),
    ...(role === "scheduler" || (role === "api" && !mailbox)
      ? []
      : [["Mails are at", mails] as [string, string]]),
    ...(isApi ? [["Plans are sold", checkouts[billing.provider.name]] as [string, string]] : []),
    ["Stop it with", "Ctrl+C"],
  ];
  const trouble = problem && [
    `  ${problem.sentence.replace(/\.$/, "")}${problem.reason ? `: ${problem.reason}` : ""}.`,
  ];
  return [...lines.map(([what, where]) => `  ${what.padEnd(18)}${where}`), ...(trouble ?? [])];
}
