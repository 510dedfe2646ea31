import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:process";

const tickMs = 10;
const listedForMs = 2_000;

type Times = { threads: Map<string, number>; ticksMs: Map<string, number> };

/**
 * Measures the processor time that a server and its database take for some work, in milliseconds. Unlike the time that
 * passes, it hardly depends on what else the machine does. Where the system doesn't show it, the time that passes is
 * measured instead.
 */
export function openProcessorTime(serverPid: number) {
  if (platform !== "linux") return { start: () => passedSince(performance.now()) };
  let listed: { pids: string[]; at: number } | undefined;
  const pids = () => {
    if (!listed || performance.now() - listed.at > listedForMs)
      listed = { pids: listProcesses(String(serverPid)), at: performance.now() };
    return listed.pids;
  };
  return {
    /** Returns a function that tells the processor time since now. */
    start() {
      const before = read(pids());
      return () => {
        const after = read(pids());
        let ms = 0;
        for (const [pid, ticksMs] of after.ticksMs) {
          let inThreads = 0;
          for (const [thread, threadMs] of after.threads)
            if (thread.startsWith(`${pid}/`)) inThreads += threadMs - (before.threads.get(thread) ?? 0);
          // Threads that ended are only in the time of their process, which is counted in whole ticks.
          const inTicks = ticksMs - (before.ticksMs.get(pid) ?? ticksMs);
          ms += Math.max(inThreads, inTicks - 2 * tickMs);
        }
        return ms;
      };
    },
  };
}

const passedSince = (started: number) => () => performance.now() - started;

/** The server and its database, without its browsers. */
function listProcesses(server: string): string[] {
  const parents = new Map<string, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const [, name = "", parent = ""] = /\((.*)\) \S (\d+)/s.exec(readText(`/proc/${pid}/stat`)) ?? [];
    if (name === "postgres") parents.set(pid, parent);
  }
  const isOurs = (pid: string | undefined): boolean =>
    pid !== undefined && (pid === server || isOurs(parents.get(pid)));
  return [server, ...[...parents.keys()].filter(isOurs)];
}

function read(pids: string[]): Times {
  const times: Times = { threads: new Map(), ticksMs: new Map() };
  for (const pid of pids) {
    const fields = readText(`/proc/${pid}/stat`).split(") ")[1]?.split(" ") ?? [];
    if (fields.length === 0) continue;
    times.ticksMs.set(pid, tickMs * (Number(fields[11]) + Number(fields[12])));
    for (const thread of listThreads(pid)) {
      const [nanoseconds] = readText(`/proc/${pid}/task/${thread}/schedstat`).split(" ");
      times.threads.set(`${pid}/${thread}`, Number(nanoseconds) / 1e6);
    }
  }
  return times;
}

function listThreads(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty if the process or thread has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
