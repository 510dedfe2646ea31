import { beforeAll, expect, test } from "vitest";
import { type SharedEngine, sharedEngine } from "#checks/testing/engine.ts";

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
});

// A key that may write, or an agent that was fooled, sees masks only. It must not send what they stand for elsewhere.
const mask = "••••••••";
const home = "http://127.0.0.1:8080";
const elsewhere = "http://127.0.0.2:8080";
const refused = (field: string) => ({
  status: 400,
  body: {
    code: "INVALID_INPUT",
    field,
    message: expect.stringMatching(
      /^Enter the .+ again: http:\/\/127\.0\.0\.2:8080 is a new site for them\.$/,
    ),
  },
});
const typed = { type: "change", selectors: [["input"]], value: "{{secret.pin}}" };
const opens = (url: string) => ({ type: "navigate", url });

async function jobWithSecrets() {
  const person = await engine.person();
  const trigger = {
    url: `${home}/hook`,
    method: "POST",
    headers: [{ name: "X-Key", value: "for the hook" }],
  };
  const id = await person.createJob({
    url: `${home}/page`,
    headers: [{ name: "Authorization", value: "for the page" }],
    pageSteps: [typed],
    stepSecrets: [{ name: "pin", value: "1234567" }],
    trigger,
  });
  const change = (body: object) => person.call("PATCH", `/api/jobs/${id}`, body);
  return { ...person, id, trigger, change };
}

test("headers that stay masked or are left out don't go to another site", async () => {
  const { change } = await jobWithSecrets();
  const secrets = { stepSecrets: [{ name: "pin", value: "1234567" }] };
  const masked = { headers: [{ name: "authorization", value: mask }] };
  expect(await change({ url: `${elsewhere}/page`, ...secrets })).toMatchObject(refused("headers"));
  expect(await change({ url: `${elsewhere}/page`, ...secrets, ...masked })).toMatchObject(refused("headers"));
  expect((await change({ url: `${home}/other`, ...masked })).status).toBe(200);
  const entered = { headers: [{ name: "Authorization", value: "for the page" }] };
  expect((await change({ url: `${elsewhere}/page`, ...secrets, ...entered })).status).toBe(200);
});

test("secrets of steps go neither to another page nor to one that a new step opens", async () => {
  const { id, call, change } = await jobWithSecrets();
  const masked = { stepSecrets: [{ name: "pin", value: mask }] };
  const away = { pageSteps: [opens(`${elsewhere}/form`), typed] };
  expect(await change({ url: `${elsewhere}/page`, headers: [] })).toMatchObject(refused("stepSecrets"));
  expect(await change(away)).toMatchObject(refused("stepSecrets"));
  expect(await change({ ...away, ...masked })).toMatchObject(refused("stepSecrets"));
  expect((await change({ pageSteps: [opens(`${home}/form`), typed], ...masked })).status).toBe(200);
  const preview = (body: object) => call("POST", "/api/previews", { jobId: id, ...masked, ...body });
  expect(await preview({ url: `${elsewhere}/page`, pageSteps: [typed] })).toMatchObject(
    refused("stepSecrets"),
  );
  expect(await preview({ url: `${home}/page`, ...away })).toMatchObject(refused("stepSecrets"));
  expect((await preview({ url: `${home}/page`, pageSteps: [typed] })).status).toBe(202);
});

test("headers of a trigger don't go to another address, neither saved nor in a test", async () => {
  const { id, call, change, trigger } = await jobWithSecrets();
  const away = { ...trigger, url: `${elsewhere}/hook`, headers: [{ name: "X-Key", value: mask }] };
  const test = (given: object) => call("POST", "/api/triggers/test", { jobId: id, trigger: given });
  expect(await change({ trigger: away })).toMatchObject(refused("trigger.headers"));
  expect(await test(away)).toMatchObject(refused("trigger.headers"));
  expect((await test({ ...away, url: `${home}/other` })).status).toBe(200);
  expect((await test({ ...away, headers: trigger.headers })).status).toBe(200);
});
