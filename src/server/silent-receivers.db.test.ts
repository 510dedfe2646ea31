import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type SharedOutside, sharedOutside } from "#alerts/testing/outside.ts";

let world: SharedOutside;
beforeAll(async () => {
  world = await sharedOutside();
});
type Person = Awaited<ReturnType<SharedOutside["person"]>>;

/** A server that accepts connections and never answers. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hangUp = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(hangUp);
  return { sockets, hangUp, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const setUpModel = (person: Person, url: string) =>
  person.call("PUT", "/api/second-opinion", { url: `${url}/v1`, model: "llama", waitSeconds: 25 });

/** Makes a call's preparations and returns the call, which asks a server of the user's choice. */
const asking: Record<string, (person: Person, url: string) => Promise<() => Promise<unknown>>> = {
  "a test of a second opinion": async (person, url) => {
    await setUpModel(person, url);
    return () => person.call("POST", "/api/second-opinion/test");
  },
  "a trial of a second opinion": async (person, url) => {
    const job = await person.createJob();
    await person.change(job, "Something else");
    await setUpModel(person, url);
    return () => person.call("POST", `/api/jobs/${job}/second-opinion/trial`, {});
  },
  "a trigger that is run again": async (person, url) => {
    const job = await person.createJob();
    const { id } = await person.change(job, "Something else");
    await person.call("PATCH", `/api/jobs/${job}`, {
      trigger: { url, method: "POST", headers: [], body: "" },
    });
    return () => person.call("POST", `/api/jobs/${job}/executions/${id}/trigger`);
  },
  "a channel's address that is saved": async (person, url) => () =>
    person.call("PUT", "/api/me/channels/ntfy", { url: `${url}/topic` }),
};

test.for(Object.entries(asking))(
  "R7 %s holds no slot that other callers of the address need, though its server never answers",
  async ([, prepare]) => {
    const silent = await startSilentServer();
    // An address has six slots.
    const people = await Promise.all(Array.from({ length: 7 }, () => world.person()));
    const calls: (() => Promise<unknown>)[] = [];
    for (const person of people) calls.push(await prepare(person, silent.url));
    const replies = calls.map((call) => call());
    await world.eventually("seven connections", async () => silent.sockets.size >= 7);
    silent.hangUp();
    expect(await Promise.all(replies)).toHaveLength(7);
  },
);
