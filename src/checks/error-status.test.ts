import { expect, test } from "vitest";
import { describeStatus, judgeAnswer } from "./error-status.ts";

test.for([
  [500, "The server answered 500 Internal Server Error."],
  [503, "The server answered 503 Service Unavailable."],
  [403, "The server answered 403 Forbidden."],
  [404, "The server answered 404 Not Found."],
  [599, "The server answered 599."],
] as const)(
  "R9 status %i after a good page is a failure with its name, and never content",
  ([status, text]) => {
    expect(describeStatus(status)).toBe(text);
    expect(judgeAnswer(status, 200, null, null)).toBe("failure");
    const alertIf = { match: "any" as const, conditions: [{ what: "status" as const, is: String(status) }] };
    expect(judgeAnswer(status, 200, null, alertIf)).toBe("status");
  },
);

test.for([408, 425, 429, 500, 503])("R9 status %i is no page to begin with", (status) => {
  expect(judgeAnswer(status, null, null, null)).toBe("failure");
});

test.for([200, 401, 403, 404, 410])("a job may begin with status %i", (status) => {
  expect(judgeAnswer(status, null, null, null)).toBe("page");
});
