import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import type { TunnelOptions } from "#network/egress-gateway.ts";
import { BrowserProblem } from "../browser-problem.ts";
import { CdpPipe } from "./devtools-protocol/cdp-pipe.ts";
import { identity } from "./emulation/identity.ts";
import type { Chromium } from "./find-chromium.ts";
import { chromiumFlags } from "./flags.ts";
import { end, killTree } from "./memory-limits/process-tree.ts";
import { confine, type Protection } from "./sandbox/protection.ts";

export type LaunchOptions = {
  chromium: Chromium;
  protection: Protection;
  /** In which this browser's own folder is created; readable by the browser's user. */
  folder: string;
  fontsConf: string;
  /** How many ports to open inside the browser's namespace, if it has one. */
  ports: number;
  sandbox: boolean;
  version: string;
  maxMessageBytes?: number | undefined;
};

type Server = NonNullable<TunnelOptions["server"]>;

// A start takes half a second on an idle machine, but far longer on a crowded one.
const startMs = 60_000;

/** One running Chromium, with its DevTools pipe and the listening sockets of its tunnels. */
export class Browser {
  readonly pipe: CdpPipe;
  readonly pid: number;
  /** Listening sockets inside the browser's namespace, one for each tunnel; empty without a namespace. */
  readonly servers: Server[] = [];
  readonly exited: Promise<void>;
  /** The major version, such as "156". */
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
      // The process that ended may only be a launcher (Debian's is a shell script); the browser must not outlive it.
      if (this.pid !== 0) end(-this.pid);
      this.pipe.fail("The browser ended");
    });
    child.on("message", (_message, handle) => {
      const server = handle as Server;
      // If this is the only listener, no tunnel uses the port, and the connection comes from a page that is closed.
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
      // Its own process group, so that it can be killed as a whole where there are no namespaces.
      detached: true,
      cwd: folder,
      env: environment(options, folder),
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe", "ipc"],
    });
    // Listened to first: an error without a listener ends the process.
    const failed = once(child, "error").then(([error]) => Promise.reject(error as Error));
    failed.catch(() => {});
    // Node gives the child no pipes when the process has too many files open.
    if (!child.stderr) throw doesNotStart(await failed.catch((error: Error) => error));
    if (child.pid !== undefined) await lowerSessionPriority(child.pid);
    const lastOutput = keepLastOutput(child.stderr);
    const browser = new Browser(child, folder, options);
    try {
      const started = browser.pipe
        .send(undefined, "Browser.getVersion")
        .then(() => browser.#waitForServers(ports));
      await Promise.race([started, failed, timeout(startMs, "Chromium did not start in time.")]);
      child.channel?.unref();
      return browser;
    } catch (error) {
      await browser.kill();
      throw doesNotStart(error as Error, lastOutput());
    }
  }

  async #waitForServers(count: number): Promise<void> {
    while (this.servers.length < count) await once(this.#child, "message");
  }

  /** Kills the browser with all its processes and removes its folder. */
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

// A nice value that gives the browser a third less CPU time than the server. With even less, captures of all accounts
// wait while the server's threads compare pages: when one account had slow selectors, another account's checks took
// three times as long with a value of 5, and twice as long with 2.
const sessionNice = 2;

/** Lowers the session's priority: Linux may share CPU time by session, and the browser's would equal the server's. */
async function lowerSessionPriority(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/autogroup`, String(sessionNice)).catch(() => {});
}

/** The major version, such as "156", from what the program prints for --version. */
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

function keepLastOutput(stream: Readable): () => string {
  let output = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    output = (output + chunk).slice(-4_000);
  });
  return () => output;
}

function doesNotStart(error: Error, output = ""): BrowserProblem {
  return new BrowserProblem(`Chromium doesn’t start: ${explainFailure(error, output)}`, { cause: error });
}

function explainFailure(error: Error, output: string): string {
  if (/No usable sandbox|Failed to move to new namespace|setuid sandbox/i.test(output)) {
    return "its sandbox is not allowed here. Allow user namespaces (kernel.unprivileged_userns_clone=1; in a container, a seccomp profile that permits them), or set CAPTURE_SANDBOX=off to do without it.";
  }
  return (
    output
      .trim()
      .split("\n")
      .findLast((line) => line !== "" && !line.includes("dbus")) ?? error.message
  );
}

function timeout(ms: number, message: string): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new Error(message)), ms).unref());
}
