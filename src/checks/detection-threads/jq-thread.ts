// Runs jq programs of users, one after the other, for the thread that waits for them.
import { readlinkSync } from "node:fs";
import { type MessagePort, workerData } from "node:worker_threads";
import { processorMs } from "./interrupt-after.ts";
import type { JqAnswer, JqStarted } from "./run-jq.ts";

const { port, signal } = workerData as { port: MessagePort; signal: Int32Array };

// What jq gets to see as its own name; otherwise that is the path of the server's script.
process.argv[1] = "jq";
// The library writes here what a program prints by "debug", which nobody reads.
Object.assign(console, { warn: () => {} });

const maxBytes = 256 * 1024 * 1024;
// jq doesn't give back its memory: after a program that needed this much, the next one gets a new thread.
const spentBytes = 64 * 1024 * 1024;
let bytes = 0;
// oxlint-disable-next-line typescript/unbound-method -- it is called with the memory that grows
const { grow } = WebAssembly.Memory.prototype;
/** The limit of a thread's memory doesn't count that of WebAssembly. */
WebAssembly.Memory.prototype.grow = function (pages) {
  bytes = this.buffer.byteLength + pages * 65_536;
  if (bytes > maxBytes) throw new RangeError("jq needs too much memory");
  return grow.call(this, pages);
};

const { default: loading } = await import("jq-web");
const jq = await loading;

function run(program: string, json: string): Omit<JqAnswer, "ms"> {
  try {
    // What follows "--" is never an option, whatever it begins with.
    const results = jq.raw(json, program, ["-c", "--"]).split("\n");
    return { results: results.filter((line) => line !== ""), isSpent: bytes > spentBytes };
  } catch (error) {
    // The library has no output to read if a program gives no result.
    if (error instanceof TypeError) return { results: [], isSpent: bytes > spentBytes };
    const message = error instanceof Error ? error.message : String(error);
    const [, reason] = /jq: error(?: \(at [^)]*\))?: (.*)/s.exec(message) ?? [];
    const isAbort = reason === undefined && !/^Non-zero|^break/.test(message);
    const problem = (isAbort ? "jq needs too much memory" : (reason ?? message))
      .split("\n")[0]
      ?.replace(/ at <top-level>.*| \(Unix shell.*/, "")
      .slice(0, 200);
    // An abort leaves jq's memory in pieces, on which the next program, of whatever account, would fail.
    return { problem: problem ?? "", isSpent: isAbort || bytes > spentBytes };
  }
}

function done(): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** Where Linux shows this thread's processor time to others. */
function findTimes(): string | null {
  try {
    return `/proc/${readlinkSync("/proc/thread-self")}/schedstat`;
  } catch {
    return null;
  }
}

port.on("message", ({ program, json }: { program: string; json: string }) => {
  const startMs = processorMs();
  const answer = run(program, json);
  port.postMessage({ ...answer, ms: processorMs() - startMs } satisfies JqAnswer);
  done();
});
port.postMessage({ times: findTimes() } satisfies JqStarted);
done();
