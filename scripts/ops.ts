// The operator's commands; `npm run ops --` lists them.
import { StartError } from "#server/startup/start-error.ts";

// Each command loads only what it needs: the whole product takes a second of processor time to load.
const tasks: Record<string, { usage: string; says: string; run: (args: string[]) => Promise<boolean> }> = {
  doctor: {
    usage: "",
    says: "check what the installation needs, and report each finding in a sentence",
    run: async () => (await import("./ops/doctor.ts")).doctor(),
  },
  status: {
    usage: "",
    says: "show the schedule, the queues, tasks that were given up, and what is stored",
    run: async () => (await import("./ops/status.ts")).status(),
  },
  backup: {
    usage: "FOLDER",
    says: "write all tables and captures to a folder while Watchglass runs",
    run: async (args) => (await import("./ops/backup.ts")).backup(args),
  },
  "note-backup": {
    usage: "",
    says: "record that a backup was made by other means, for the alert on its age",
    run: async () => (await import("./ops/backup.ts")).noteBackup(),
  },
  restore: {
    usage: "FOLDER",
    says: "restore a backup into an empty installation and compare",
    run: async (args) => (await import("./ops/backup.ts")).restoreBackup(args),
  },
  replay: {
    usage: "[QUEUE [ID]]",
    says: "list tasks that were given up, or run them again",
    run: async (args) => (await import("./ops/replay.ts")).replay(args),
  },
  gc: {
    usage: "[--dry-run]",
    says: "remove captures that nothing refers to",
    run: async (args) => (await import("./ops/gc.ts")).gc(args),
  },
  "rotate-key": {
    usage: "",
    says: "signs with a new key from now on; the old one endorses it",
    run: async () => (await import("./ops/rotate-key.ts")).rotateKey(),
  },
  plan: {
    usage: "EMAIL PLAN",
    says: "set the plan of an account",
    run: async (args) => (await import("./ops/plan.ts")).givePlan(args),
  },
};

const [name = "help", ...args] = process.argv.slice(2);
const task = tasks[name];
if (!task) {
  if (!/^(-h|(--)?help)$/.test(name)) console.error(`There is no ${name}; there are:`);
  for (const [known, { usage, says }] of Object.entries(tasks))
    console.error(`npm run ops -- ${`${known} ${usage}`.padEnd(22)} ${says}`);
  process.exit(2);
}
try {
  if (args.length > task.usage.split(" ").filter(Boolean).length)
    throw new StartError(`npm run ops -- ${name} ${task.usage}`.trim());
  process.exit((await task.run(args)) ? 0 : 1);
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}

/** What went wrong and why, without the stack trace. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return `${name} failed: ${message.replace(/\.$/, "")}${why}.`;
}
