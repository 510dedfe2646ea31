import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { PageProxy } from "../proxy.ts";
import type { ProxySettings } from "./proxy-process.ts";

export type TestProxy = {
  proxy: PageProxy;
  port: number;
  /** Every destination that it was asked for, as host:port. */
  asked: string[];
  stop(): Promise<void>;
};

/** Starts a proxy as a process of its own. */
export async function startProxy(settings: ProxySettings): Promise<TestProxy> {
  const script = fileURLToPath(new URL("proxy-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const lines = createInterface(child.stdout);
  const [port] = (await once(lines, "line")) as [string];
  const asked: string[] = [];
  lines.on("line", (line) => asked.push(line));
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const { protocol, credentials } = settings;
  return {
    proxy: { protocol, host: "127.0.0.1", port: Number(port), credentials, looksUpNames: false },
    port: Number(port),
    asked,
    stop,
  };
}

/** The same until the test ends. */
export async function serveProxy(settings: ProxySettings): Promise<TestProxy> {
  const proxy = await startProxy(settings);
  onTestFinished(() => proxy.stop());
  return proxy;
}
