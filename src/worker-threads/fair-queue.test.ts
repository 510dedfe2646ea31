import { expect, onTestFinished, test, vi } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** A queue whose tasks end when `end` is called; `started` lists them in the order in which they started. */
function open(limits: ConstructorParameters<typeof FairQueue>[0]) {
  const queue = new FairQueue(limits);
  const started: string[] = [];
  const ends = new Map<string, (ms: number, wasStopped: boolean) => void>();
  const ask = (owner: string, name: string, isLarge = false, kind = "compare") =>
    queue.run(owner, { kind, isLarge }, (report) => {
      started.push(name);
      return new Promise<void>((end) => {
        ends.set(name, (ms, wasStopped) => {
          report(ms, wasStopped);
          end();
        });
      });
    });
  /** Ends a task after it took this much processor time. */
  const end = async (name: string, ms = 20, wasStopped = false) => {
    ends.get(name)?.(ms, wasStopped);
    await new Promise(setImmediate);
  };
  return { queue, started, ask, end };
}
const small = { kind: "compare", isLarge: false };
const settled = () => new Promise(setImmediate);

test("an owner's first task starts at once, however many tasks another owner has waiting", async () => {
  const { queue, started, ask, end } = open({ slots: 2, reserved: 1, heavy: 1 });
  for (let n = 1; n <= 34; n++) void ask("a", `a${n}`);
  void ask("b", "b1");
  void ask("b", "b2");
  await settled();
  expect(started).toEqual(["a1", "a2", "b1"]);
  expect([queue.busy, queue.waiting]).toEqual([3, 33]);
  // The reserved slot is for an owner that has nothing running.
  await end("b1");
  expect(started.at(-1)).toBe("b2");
  await end("b2");
  expect(started).toHaveLength(4);
});

test("owners take turns, and each owner's tasks run in order", async () => {
  const { started, ask, end } = open({ slots: 1, reserved: 0, heavy: 1 });
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void ask(name[0] ?? "", name);
  await settled();
  for (const name of ["a1", "b1", "c1", "a2", "b2"]) await end(name);
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("large tasks leave a slot to others, and smaller tasks don't wait for them", async () => {
  const { started, ask, end } = open({ slots: 2, reserved: 0, heavy: 1 });
  void ask("a", "large 1", true);
  void ask("a", "large 2", true);
  void ask("a", "small");
  await settled();
  expect(started).toEqual(["large 1", "small"]);
  await end("large 1");
  expect(started.at(-1)).toBe("large 2");
});

test("an account whose tasks take long gets no second slot for them, and others don't wait", async () => {
  const { queue, started, ask, end } = open({ slots: 2, reserved: 1, heavy: 1 });
  for (let n = 1; n <= 34; n++) void ask("attacker", `slow ${n}`);
  await settled();
  expect(started).toEqual(["slow 1", "slow 2"]);
  // From the first that took long, one at a time, so that a processor is left for captures and other accounts.
  await end("slow 1", 500);
  expect(started).toHaveLength(3);
  await end("slow 2", 500);
  expect(queue.busy).toBe(1);
  for (let n = 3; n < 10; n++) {
    await end(`slow ${n}`, 500);
    expect([queue.busy, started.at(-1)]).toEqual([1, `slow ${n + 1}`]);
  }
  // The victim always finds a slot, and so does what usually takes the attacker no time.
  void ask("victim", "first");
  void ask("victim", "second");
  await settled();
  expect(started.at(-1)).toBe("first");
  await end("first");
  expect(started.at(-1)).toBe("second");
  await end("second");
  void ask("attacker", "quick", false, "decode");
  await settled();
  expect(started.at(-1)).toBe("quick");
});

test("several accounts whose tasks take long share one slot in turns", async () => {
  const { queue, started, ask, end } = open({ slots: 2, reserved: 1, heavy: 1 });
  for (const owner of ["a", "b"]) {
    void ask(owner, `${owner} learns`);
    await settled();
    await end(`${owner} learns`, 400);
  }
  for (const name of ["a1", "a2", "a3", "b1", "b2"]) void ask(name[0] ?? "", name);
  await settled();
  for (const name of ["a1", "b1", "a2", "b2"]) {
    expect(queue.busy).toBe(1);
    await end(name, 400);
  }
  expect(started.slice(2)).toEqual(["a1", "b1", "a2", "b2", "a3"]);
});

test("a single quick task doesn't hide that an owner's tasks take long, but several do", async () => {
  const { queue, ask, end } = open({ slots: 2, reserved: 0, heavy: 1 });
  for (const [name, ms] of [
    ["slow", 500],
    ["quick 1", 1],
  ] as const) {
    void ask("a", name);
    await settled();
    await end(name, ms);
  }
  void ask("a", "second");
  void ask("a", "third");
  await settled();
  expect(queue.busy).toBe(1);
  void ask("a", "fourth");
  for (const name of ["second", "third", "fourth"]) await end(name, 1);
  void ask("a", "fifth");
  void ask("a", "sixth");
  await settled();
  expect(queue.busy).toBe(2);
});

test("after a task that was stopped, its owner's next one of that kind waits, and nothing else does", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { queue, started, ask, end } = open({ slots: 2, reserved: 0, heavy: 2 });
  for (const name of ["a1", "a2", "a3"]) void ask("a", name);
  await settled();
  await end("a1", 500, true);
  await end("a2");
  void ask("a", "another kind", false, "decode");
  void ask("b", "b1");
  await settled();
  expect(started).toEqual(["a1", "a2", "another kind", "b1"]);
  await end("another kind");
  await end("b1");
  vi.advanceTimersByTime(1_400);
  expect([queue.busy, queue.waiting]).toEqual([0, 1]);
  vi.advanceTimersByTime(200);
  await settled();
  expect(started.at(-1)).toBe("a3");
  // However long the next one took, its owner waits a few seconds, and not at all once everything ends.
  void ask("a", "a4");
  await end("a3", 60_000, true);
  vi.advanceTimersByTime(5_100);
  await settled();
  expect(started.at(-1)).toBe("a4");
  void ask("a", "a5");
  await end("a4", 60_000, true);
  queue.endRests();
  await settled();
  expect(started.at(-1)).toBe("a5");
});

test("a rest that ends while the queue looks for the next task is noticed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let ms = 0;
  // Every look at the clock is a little later than the one before.
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (ms += 0.1));
  onTestFinished(() => clock.mockRestore());
  const { queue, started, ask, end } = open({ slots: 1, reserved: 0, heavy: 1 });
  for (const name of ["a1", "a2"]) void ask("a", name);
  await settled();
  await end("a1", 500, true);
  const stoppedAt = ms;
  // Its timer may be a fraction of a millisecond early: each of these is, until the rest is over.
  for (let early = 0.6; early > -0.3 && queue.waiting > 0; early -= 0.05) {
    ms = stoppedAt + 1_500 - early;
    vi.runOnlyPendingTimers();
  }
  await settled();
  expect(started).toEqual(["a1", "a2"]);
});

test("a failed task frees its slot", async () => {
  const queue = new FairQueue({ slots: 1, reserved: 0, heavy: 1 });
  const failed = queue.run("a", small, () => Promise.reject(new Error("no")));
  const next = queue.run("b", small, async () => "done");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("done");
});
