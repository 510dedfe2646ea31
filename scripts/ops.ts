// What an operator does by hand; npm run ops -- lists it.
import { StartError } from "#server/start-error.ts";
import { backup, restoreBackup } from "./ops/backup.ts";
import { doctor } from "./ops/doctor.ts";
import { gc } from "./ops/gc.ts";
import { givePlan } from "./ops/plan.ts";
import { replay } from "./ops/replay.ts";
import { status } from "./ops/status.ts";

const tasks: Record<string, { usage: string; says: string; run: (args: string[]) => Promise<boolean> }> = {
  doctor: { usage: "", says: "checks what the installation needs, and says each in a sentence", run: doctor },
  status: { usage: "", says: "the schedule, the queues, what was given up, what is stored", run: status },
  backup: { usage: "FOLDER", says: "writes all tables and captures there, while it runs", run: backup },
  restore: {
    usage: "FOLDER",
    says: "fills an empty installation from a backup and compares",
    run: restoreBackup,
  },
  replay: { usage: "[QUEUE [ID]]", says: "lists what was given up, or sends it again", run: replay },
  gc: { usage: "[--dry-run]", says: "removes captures that nothing refers to", run: gc },
  plan: { usage: "EMAIL PLAN", says: "gives an account a plan", run: givePlan },
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

/** What went wrong and why, without where in the code. */
function sentenceOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return `${name} failed: ${message.replace(/\.$/, "")}${why}.`;
}
