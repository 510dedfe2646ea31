import { expect, test } from "vitest";
import type { CaptureRequest } from "#capture/capture-page.ts";
import type { Database } from "#storage/database.ts";
import { signIn } from "./sign-in.ts";

test("E9 what is sent with a job's page is never sent to the page for signing in", async () => {
  const asked: CaptureRequest[] = [];
  const identity = {
    id: "1",
    accountId: "1",
    name: "Ana",
    url: "https://login.example/",
    origins: ["https://login.example", "https://shop.example"],
    steps: [],
    secrets: [],
    proof: { text: "Sign out" },
    jar: null,
    signInSketch: null,
  };
  const job: CaptureRequest = {
    url: "https://shop.example/orders",
    headers: [["x-key", "s3cret"]],
    ask: { method: "POST", headers: [], body: "s3cret" },
    waitFor: { selector: ".orders" },
    browser: { device: "phone" },
    isConfirmation: true,
  };
  const capture = async (request: CaptureRequest) => {
    asked.push(request);
    return { ok: false, failure: { kind: "dns", message: "No such name." }, snapshot: null } as const;
  };
  const result = await signIn({ db: undefined as unknown as Database, capture }, identity, job);
  expect(asked.map((request) => Object.keys(request).toSorted())).toEqual([
    ["browser", "pageSteps", "session", "url"],
  ]);
  expect(asked[0]).toMatchObject({
    url: "https://login.example/",
    session: { jar: { cookies: [], origins: [] } },
  });
  // That the site can't be reached says nothing about the session.
  expect(result).toMatchObject({ ok: false, isRefused: false });
});
