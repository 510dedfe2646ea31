import { expect, test } from "vitest";
import { planRetry, readRetryAfter } from "./retry.ts";

const down = { message: "down", transient: true };

test("a message is retried until its attempts are used up", () => {
  expect(planRetry(down, 0, 3)?.attempts).toBe(1);
  expect(planRetry(down, 1, 3)?.attempts).toBe(2);
  expect(planRetry(down, 2, 3)).toBeNull();
});

test("a wait that the receiver asks for doesn't count as an attempt", () => {
  expect(planRetry({ ...down, retryAfterSeconds: 40 }, 2, 3)).toEqual({ seconds: 40, attempts: 2 });
});

test("a permanent failure isn't retried, even if the receiver asks for a wait", () => {
  expect(planRetry({ message: "gone", transient: false, retryAfterSeconds: 9 }, 0, 3)).toBeNull();
});

test("a wait is limited to one hour, and an unreadable one is ignored", () => {
  expect([readRetryAfter("86400", new Date()), readRetryAfter("nonsense", new Date())]).toEqual([
    3600,
    undefined,
  ]);
});
