import { expect, onTestFinished, test } from "vitest";
import { openLimitedThreads } from "./limited-threads.ts";

function open(threads: number, memoryMiB = 64) {
  const file = new URL("./testing/endless-thread.ts", import.meta.url);
  const opened = openLimitedThreads(file, { threads, memoryMiB });
  onTestFinished(() => opened.close());
  return opened;
}

test("while one thread reads an endless file, timers run and other files are read", async () => {
  const threads = open(2);
  const endless = threads.run("loop", null, 600).catch(() => "ended");
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(await threads.run("echo", "another file", 60)).toBe("another file");
  await threads.close();
  expect(await endless).toBe("ended");
});

test("a file that is not read in time is refused, and a waiting file is still read", async () => {
  const threads = open(1);
  const late = threads.run("loop", null, 1).catch((error: Error) => error.message);
  expect(await threads.run("echo", "it waited", 60)).toBe("it waited");
  expect(await late).toBe(
    "Reading the file took longer than 1 seconds. Nothing was imported. Split the file and import its parts.",
  );
});

test("a file that takes too much memory is refused, and the next one is read", async () => {
  const threads = open(1, 32);
  await expect(threads.run("fill", null, 60)).rejects.toThrow(
    /^Reading the file took more than 32 MiB of memory\. Nothing was imported\./,
  );
  await expect(threads.run("refuse", null, 60)).rejects.toThrow("It is no file of ours.");
  expect(await threads.run("echo", "the next file", 60)).toBe("the next file");
});
