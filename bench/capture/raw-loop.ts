// The upper bound: the shortest DevTools loop that still isolates captures from each other. It shares no code with
// capture/.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

type Reply = {
  id?: number;
  sessionId?: string;
  method?: string;
  result?: Record<string, string>;
  error?: unknown;
};

const supervisor = "setpriv";

export class RawBrowser {
  #id = 0;
  #partialMessage = "";
  readonly #pendingReplies = new Map<number, (reply: Reply) => void>();
  readonly #loads = new Map<string, () => void>();
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    (child.stdio[4] as Readable).setEncoding("utf8").on("data", (chunk: string) => this.#receive(chunk));
  }

  static async launch(chromium: string): Promise<RawBrowser> {
    const folder = await mkdtemp(join(tmpdir(), "raw-loop-"));
    await chown(folder, 65_534, 65_534);
    const flags =
      "--headless --disable-gpu --hide-scrollbars --mute-audio --force-color-profile=srgb --remote-debugging-pipe --proxy-server=http://127.0.0.1:1";
    const drop = ["--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig=KILL", "--"];
    const args = [...drop, chromium, ...flags.split(" "), `--user-data-dir=${folder}/profile`];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"] as const;
    const env = { HOME: folder, TMPDIR: folder, PATH: "/usr/bin:/bin" };
    const child = spawn(supervisor, args, { env, stdio: [...stdio], detached: true });
    return new RawBrowser(child, folder);
  }

  send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, string>> {
    const id = ++this.#id;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#pendingReplies.set(id, (reply) =>
        reply.error
          ? reject(new Error(`${method}: ${JSON.stringify(reply.error)}`))
          : resolve(reply.result ?? {}),
      );
    });
  }

  async capture(url: string, proxyPort: number): Promise<{ png: Buffer; html: string }> {
    const { browserContextId } = await this.send("Target.createBrowserContext", {
      proxyServer: `http://127.0.0.1:${proxyPort}`,
      proxyBypassList: "<-loopback>",
    });
    const { targetId } = await this.send("Target.createTarget", {
      url: "about:blank",
      browserContextId,
      width: 1280,
      height: 800,
    });
    const { sessionId = "" } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    await Promise.all([this.send("Page.enable", {}, sessionId), this.send("Network.enable", {}, sessionId)]);
    const loaded = new Promise<void>((resolve) => this.#loads.set(sessionId, resolve));
    await this.send("Page.navigate", { url }, sessionId);
    await loaded;
    const metrics = (await this.send("Page.getLayoutMetrics", {}, sessionId)) as unknown as {
      cssContentSize: { width: number; height: number };
    };
    const { width, height } = metrics.cssContentSize;
    const [shot, html] = await Promise.all([
      this.send(
        "Page.captureScreenshot",
        {
          format: "png",
          optimizeForSpeed: true,
          captureBeyondViewport: true,
          clip: { x: 0, y: 0, width, height, scale: 1 },
        },
        sessionId,
      ),
      this.send("DOM.getDocument", { depth: 0 }, sessionId).then((answer) => {
        const { root } = answer as unknown as { root: { nodeId: number } };
        return this.send("DOM.getOuterHTML", { nodeId: root.nodeId }, sessionId);
      }),
    ]);
    this.#loads.delete(sessionId);
    await this.send("Target.disposeBrowserContext", { browserContextId });
    return { png: Buffer.from(shot.data ?? "", "base64"), html: html.outerHTML ?? "" };
  }

  async close(): Promise<void> {
    const closed = once(this.#child, "close");
    process.kill(-(this.#child.pid ?? 0), "SIGKILL");
    await closed;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive(chunk: string): void {
    const parts = (this.#partialMessage + chunk).split("\0");
    this.#partialMessage = parts.pop() ?? "";
    for (const part of parts) {
      const reply = JSON.parse(part) as Reply;
      if (reply.id !== undefined) {
        this.#pendingReplies.get(reply.id)?.(reply);
        this.#pendingReplies.delete(reply.id);
      } else if (reply.method === "Page.loadEventFired") this.#loads.get(reply.sessionId ?? "")?.();
    }
  }
}
