// Runs jq programs of users, one after the other, for the thread that waits for them.
import { type MessagePort, workerData } from "node:worker_threads";
import type { JqAnswer } from "./run-jq.ts";

const { port, signal } = workerData as { port: MessagePort; signal: Int32Array };

// What jq gets to see as its own name; otherwise that is the path of the server's script.
process.argv[1] = "jq";

const maxBytes = 256 * 1024 * 1024;
// oxlint-disable-next-line typescript/unbound-method -- it is called with the memory that grows
const { grow } = WebAssembly.Memory.prototype;
/** The limit of a thread's memory doesn't count that of WebAssembly. */
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65_536 > maxBytes) throw new RangeError("jq needs too much memory");
  return grow.call(this, pages);
};

const { default: loading } = await import("jq-web");
const jq = await loading;

function run(program: string, json: string): JqAnswer {
  try {
    const results = jq.raw(json, program, ["-c"]).split("\n");
    return { results: results.filter((line) => line !== "") };
  } catch (error) {
    // The library has no output to read if a program gives no result.
    if (error instanceof TypeError) return { results: [] };
    const message = error instanceof Error ? error.message : String(error);
    const [, reason = message] = /jq: error(?: \(at [^)]*\))?: (.*)/s.exec(message) ?? [];
    return {
      problem:
        reason
          .split("\n")[0]
          ?.replace(/ at <top-level>.*| \(Unix shell.*/, "")
          .slice(0, 200) ?? "",
    };
  }
}

function done(): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

port.on("message", ({ program, json }: { program: string; json: string }) => {
  port.postMessage(run(program, json));
  done();
});
done();
