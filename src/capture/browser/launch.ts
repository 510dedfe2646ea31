import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import type { LaneOptions } from "#network/egress-gateway.ts";
import { CdpPipe } from "./cdp-pipe.ts";
import type { Chromium } from "./find-chromium.ts";
import { chromiumFlags } from "./flags.ts";
import { identity } from "./identity.ts";
import { end, killTree } from "./process-tree.ts";
import { confine, type Protection } from "./protection.ts";

export type LaunchOptions = {
  chromium: Chromium;
  protection: Protection;
  /** Where this browser's own folder is made; readable by the browser's user. */
  folder: string;
  fontsConf: string;
  /** How many ports to open inside the browser's namespace, where it has one. */
  ports: number;
  sandbox: boolean;
  version: string;
  maxMessageBytes?: number | undefined;
};

type Server = NonNullable<LaneOptions["server"]>;

// Half a second on an idle machine; a crowded one gets its time.
const startMs = 60_000;

/** One running Chromium: its DevTools pipe, the sockets of its lanes, and its end. */
export class Browser {
  readonly pipe: CdpPipe;
  readonly pid: number;
  /** Listening sockets inside the browser's namespace, a lane takes one; empty without a namespace. */
  readonly servers: Server[] = [];
  readonly exited: Promise<void>;
  /** "156". */
  readonly version: string;
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, folder: string, { version, maxMessageBytes }: LaunchOptions) {
    const [, , , input, output] = child.stdio;
    this.#child = child;
    this.#folder = folder;
    this.version = version;
    this.pid = child.pid ?? 0;
    this.pipe = new CdpPipe(input as Writable, output as Readable, maxMessageBytes);
    this.exited = new Promise((resolve) => child.once("exit", () => resolve()));
    child.once("exit", () => {
      // Only what started the browser may have ended (Debian's is a shell script); the browser must not outlive it.
      if (this.pid !== 0) end(-this.pid);
      this.pipe.fail("The browser ended");
    });
    child.on("message", (_message, handle) => {
      const server = handle as Server;
      // Nobody's but this one listens: no lane has taken the port, and whoever comes belongs to a page that is gone.
      server.on("connection", (socket) => server.listenerCount("connection") === 1 && socket.destroy());
      this.servers.push(server);
    });
  }

  static async launch(options: LaunchOptions): Promise<Browser> {
    const folder = await mkdtemp(join(options.folder, "browser-"));
    const { uid } = options.protection;
    if (uid !== undefined) await chown(folder, uid, uid);
    const profile = join(folder, "profile");
    const flags = chromiumFlags({
      profile,
      userAgent: identity(options.version).userAgent,
      sandbox: options.sandbox,
    });
    const ports = options.protection.namespaces ? options.ports : 0;
    const [command = "", ...args] = confine(options.protection, [options.chromium.path, ...flags], ports);
    const child = spawn(command, args, {
      // Its own process group, so that it can be ended whole where there are no namespaces.
      detached: true,
      cwd: folder,
      env: environment(options, folder),
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "ipc"],
    });
    if (child.pid !== undefined) await goBehind(child.pid);
    const complaints = lastWords(child.stderr as Readable);
    const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
    failed.catch(() => {});
    const browser = new Browser(child, folder, options);
    try {
      const started = browser.pipe
        .send(undefined, "Browser.getVersion")
        .then(() => browser.#hasServers(ports));
      await Promise.race([started, failed, timeout(startMs, "Chromium did not start in time.")]);
      child.channel?.unref();
      return browser;
    } catch (error) {
      await browser.kill();
      throw new Error(`Chromium does not start: ${startFailure(complaints())}`, { cause: error });
    }
  }

  async #hasServers(count: number): Promise<void> {
    while (this.servers.length < count) await once(this.#child, "message");
  }

  /** Ends the browser at once with all its processes and removes its folder. */
  async kill(): Promise<void> {
    this.pipe.fail("The browser was ended");
    if (this.#child.exitCode === null && this.#child.signalCode === null && this.pid !== 0) {
      await killTree(this.pid);
      await this.exited;
    }
    for (const server of this.servers) server.close();
    if (this.#child.connected) this.#child.disconnect();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

// A third less than the server's share. With less than that, captures of all accounts wait while the server's own threads
// compare pages: at 5, slow selectors of one account made another's checks take three times as long, at 2 twice.
const sessionBehind = 2;

/** Where Linux shares the processor by sessions, a session of its own would stand beside the server: it goes behind. */
async function goBehind(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(sessionBehind)).catch(() => {});
}

/** "156" of whatever the program says of itself. */
export async function chromiumVersion(chromium: Chromium): Promise<string> {
  const env = chromium.libraries === undefined ? {} : { LD_LIBRARY_PATH: chromium.libraries };
  const { stdout } = await promisify(execFile)(chromium.path, ["--version"], { env, timeout: startMs });
  return /(?<!\d)(\d+)\.\d/.exec(stdout)?.[1] ?? "140";
}

function environment(options: LaunchOptions, folder: string): NodeJS.ProcessEnv {
  return {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: folder,
    TMPDIR: folder,
    TZ: "UTC",
    LANG: "en_US.UTF-8",
    FONTCONFIG_FILE: options.fontsConf,
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
    DBUS_SYSTEM_BUS_ADDRESS: "disabled:",
    ...(options.chromium.libraries === undefined ? {} : { LD_LIBRARY_PATH: options.chromium.libraries }),
  };
}

function lastWords(stream: Readable): () => string {
  let words = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    words = (words + chunk).slice(-4_000);
  });
  return () => words;
}

function startFailure(words: string): string {
  if (/No usable sandbox|Failed to move to new namespace|setuid sandbox/i.test(words)) {
    return "its sandbox is not allowed here. Allow user namespaces (kernel.unprivileged_userns_clone=1; in a container, a seccomp profile that permits them), or set CAPTURE_SANDBOX=off to do without it.";
  }
  return (
    words
      .trim()
      .split("\n")
      .findLast((line) => !line.includes("dbus")) ?? "it said nothing"
  );
}

function timeout(ms: number, message: string): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error(message)), ms).unref());
}
