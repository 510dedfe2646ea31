import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the process needs to make a report. It is sent as a message, because arguments are visible to other users. */
export type ReportOrder = {
  reportId: string;
  connectionString: string;
  captureStore: string;
  baseUrl: string;
  /** What a language model says about the most severe changes; null without a second opinion. */
  opinion: string | null;
  /** For the files while they are drawn. */
  folder: string;
};

export type MakeReport = (order: Omit<ReportOrder, "folder">) => Promise<void>;

// Shorter than the queue's 15 minutes, after which another attempt would start.
const timeLimitMs = 14 * 60_000;
const memoryMiB = 256;
const maxErrorLength = 2_000;

/**
 * Makes a report in a process of its own and waits for its end. Reading and drawing thousands of changes takes hundreds
 * of megabytes, which only the end of a process gives back whole. Throws if the process didn't finish its work.
 */
export async function runReportProcess(order: Parameters<MakeReport>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), `watchglass-report-${process.pid}-`));
  try {
    const child = fork(new URL("./report-process.ts", import.meta.url), {
      execArgv: ["--disable-warning=ExperimentalWarning", "--expose-gc", `--max-old-space-size=${memoryMiB}`],
      env: { ...process.env, MALLOC_MMAP_THRESHOLD_: "1048576", MALLOC_ARENA_MAX: "2" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      timeout: timeLimitMs,
      killSignal: "SIGKILL",
    });
    let words = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-maxErrorLength);
    });
    const ended = once(child, "close") as Promise<[code: number | null, signal: string | null]>;
    // A process that ends before it reads the order is reported by its end.
    child.send({ ...order, folder } satisfies ReportOrder, () => undefined);
    const [code, signal] = await ended;
    if (code !== 0)
      throw new Error(`The process of the report ended with ${signal ?? `code ${code}`}. ${words}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
