import { expect, test } from "vitest";
import { askedWait, planRetry } from "./retry.ts";

const down = { message: "down", transient: true };

test("a message is tried again until its attempts are used up", () => {
  expect(planRetry(down, 0, 3)?.attempts).toBe(1);
  expect(planRetry(down, 1, 3)?.attempts).toBe(2);
  expect(planRetry(down, 2, 3)).toBeNull();
});

test("a wait that was asked for is no failed attempt", () => {
  expect(planRetry({ ...down, retryAfterSeconds: 40 }, 2, 3)).toEqual({ seconds: 40, attempts: 2 });
});

test("what is refused for good is not tried again, whatever it asks for", () => {
  expect(planRetry({ message: "gone", transient: false, retryAfterSeconds: 9 }, 0, 3)).toBeNull();
});

test("nobody is waited for longer than an hour", () => {
  expect([askedWait("86400", new Date()), askedWait("nonsense", new Date())]).toEqual([3600, undefined]);
});
