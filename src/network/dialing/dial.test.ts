import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { parseAddress } from "../address-rules/address.ts";
import type { Target } from "../guard.ts";
import { dial, isCheckedPeer, secure } from "./dial.ts";

function targetAt(port: number, ...addresses: string[]): Target {
  const url = new URL(`http://site.test:${port}/`);
  return {
    url,
    hostname: "site.test",
    port,
    addresses: addresses.flatMap((text) => parseAddress(text) ?? []),
    lookupMs: 0,
  };
}

test("E6 compares the socket's peer with the checked addresses", () => {
  const target = targetAt(80, "93.184.216.34", "2606:4700::1");
  expect(isCheckedPeer(target, "93.184.216.34", 80)).toBe(true);
  expect(isCheckedPeer(target, "2606:4700:0::1", 80)).toBe(true);
  expect(isCheckedPeer(target, "93.184.216.35", 80)).toBe(false);
  expect(isCheckedPeer(target, "127.0.0.1", 80)).toBe(false);
  expect(isCheckedPeer(target, "::ffff:93.184.216.34", 80)).toBe(false);
  expect(isCheckedPeer(target, "93.184.216.34", 8080)).toBe(false);
  expect(isCheckedPeer(target, undefined, undefined)).toBe(false);
});

test("E6 closes a socket whose peer is an unchecked address", async () => {
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => closed.push(once(socket.resume(), "close")));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // Linux connects 0.0.0.0 to loopback, which was not checked.
  const dialing = dial(targetAt(port, "0.0.0.0"), 1_000);
  await expect(dialing).rejects.toMatchObject({ failure: { kind: "guard" } });
  await Promise.all(closed);
});

test("E10 stops connecting at the time limit", async () => {
  // A stopped process with a full backlog: the kernel drops further connections.
  const script =
    "net.createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){console.log(this.address().port)})";
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line);
  child.kill("SIGSTOP");
  const fillers = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  onTestFinished(() => fillers.forEach((filler) => filler.destroy()));
  await once(fillers[0] as (typeof fillers)[number], "connect");
  await expect(dial(targetAt(port, "127.0.0.1"), 200)).rejects.toMatchObject({
    failure: { kind: "timeout" },
  });
});

test("E10 stops the TLS handshake at the time limit", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const target = targetAt((server.address() as AddressInfo).port, "127.0.0.1");
  const { socket } = await dial(target, 1_000);
  await expect(secure(target, socket, 100)).rejects.toMatchObject({ failure: { kind: "timeout" } });
  expect(socket.destroyed).toBe(true);
});
