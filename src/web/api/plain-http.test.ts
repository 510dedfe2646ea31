import { expect, test } from "vitest";
import { plainHttpFor } from "./plain-http.ts";

const execution = (error: string | null, status_code: number | null) =>
  ({ error, status_code }) as Parameters<typeof plainHttpFor>[0]["executions"][number];
const refused = execution("The server refused or dropped the connection.", null);
const job = { id: "1", url: "https://a.example/x", executions: [refused], executionsTotal: 1 };

test("HTTP is offered only while no check has got an answer over HTTPS", () => {
  expect(plainHttpFor(job)).toBe("http://a.example/x");
  expect(plainHttpFor({ ...job, executions: [], executionsTotal: 0 })).toBeNull();
  expect(plainHttpFor({ ...job, url: "http://a.example/x" })).toBeNull();
  expect(
    plainHttpFor({ ...job, executions: [refused, execution(null, 200)], executionsTotal: 2 }),
  ).toBeNull();
  expect(plainHttpFor({ ...job, executions: [execution("Error page", 503)] })).toBeNull();
  expect(plainHttpFor({ ...job, executionsTotal: 80 })).toBeNull();
});
