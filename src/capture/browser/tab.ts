import { readFileSync } from "node:fs";
import type { BrowserSettings } from "#contract/browser-settings.ts";
import { CdpError } from "./devtools-protocol/cdp-error.ts";
import type { CdpPipe } from "./devtools-protocol/cdp-pipe.ts";
import type { Answer, CdpEvent, Method, Params } from "./devtools-protocol/protocol.ts";
import { devices } from "./emulation/devices.ts";
import { identity, identityFromHeaders } from "./emulation/identity.ts";
import { unreachableProxy } from "./flags.ts";

const { width, height } = devices.desktop;

/** One page in a browser context of its own, which is removed completely on close (B3). */
export class Tab {
  readonly #pipe: CdpPipe;
  readonly #sessionId: string;
  readonly #version: string;
  readonly contextId: string;
  /** The id of the main frame, which is also the target's. */
  readonly frameId: string;

  private constructor(
    { pipe, version }: { pipe: CdpPipe; version: string },
    sessionId: string,
    contextId: string,
    frameId: string,
  ) {
    this.#pipe = pipe;
    this.#version = version;
    this.#sessionId = sessionId;
    this.contextId = contextId;
    this.frameId = frameId;
  }

  /** Opens an empty page that sends every request to `proxyPort` on loopback; with null it reaches nothing. */
  static async open(
    browser: { pipe: CdpPipe; version: string },
    proxyPort: number | null,
    proxyBypassList = "<-loopback>",
  ): Promise<Tab> {
    const { pipe, version } = browser;
    const { browserContextId } = await pipe.send(undefined, "Target.createBrowserContext", {
      proxyServer: proxyPort === null ? unreachableProxy : `http://127.0.0.1:${proxyPort}`,
      proxyBypassList,
      disposeOnDetach: true,
    });
    try {
      const deny = { behavior: "deny", browserContextId } as const;
      const downloadsDenied = pipe.send(undefined, "Browser.setDownloadBehavior", deny);
      downloadsDenied.catch(() => {});
      const { targetId } = await pipe.send(undefined, "Target.createTarget", {
        url: "about:blank",
        browserContextId,
        width,
        height,
      });
      const attach = { targetId, flatten: true };
      const { sessionId } = await pipe.send(undefined, "Target.attachToTarget", attach);
      const identitySet = pipe.send(sessionId, "Emulation.setUserAgentOverride", identity(version));
      await Promise.all([downloadsDenied, identitySet]);
      return new Tab(browser, sessionId, browserContextId, targetId);
    } catch (error) {
      pipe.send(undefined, "Target.disposeBrowserContext", { browserContextId }).catch(() => {});
      throw error;
    }
  }

  send<M extends Method>(method: M, ...params: Params<M>): Promise<Answer<M>> {
    return this.#pipe.send(this.#sessionId, method, ...params);
  }

  /** Applies the device and the headers' user agent and languages to the page's scripts as well as to its requests. */
  async setIdentity(
    headers: [name: string, value: string][],
    settings: BrowserSettings | null = null,
  ): Promise<void> {
    await this.send("Emulation.setUserAgentOverride", identityFromHeaders(this.#version, headers, settings));
  }

  /** Sends a command to the browser itself, not to the page. */
  ask<M extends Method>(method: M, ...params: Params<M>): Promise<Answer<M>> {
    return this.#pipe.send(undefined, method, ...params);
  }

  listen(listener: (event: CdpEvent) => void): () => void {
    return this.#pipe.listen(this.#sessionId, listener);
  }

  /** Creates an isolated JavaScript world, which the page can neither see nor alter. */
  async openIsolatedWorld(frameId = this.frameId): Promise<number> {
    const world = await this.send("Page.createIsolatedWorld", { frameId });
    return world.executionContextId;
  }

  /** Runs a function of in-page/; the browser itself terminates it after `timeout` milliseconds of running. */
  async run<Result>(contextId: number, script: string, argument: object, timeout = 5_000): Promise<Result> {
    const answer = await this.send("Runtime.evaluate", {
      contextId,
      expression: call(script, argument),
      awaitPromise: true,
      returnByValue: true,
      timeout,
    });
    const problem = answer.exceptionDetails;
    if (problem) throw new CdpError("thrown", problem.exception?.description ?? problem.text);
    return answer.result.value as Result;
  }

  async close(): Promise<void> {
    await this.ask("Target.disposeBrowserContext", { browserContextId: this.contextId });
  }
}

/** The source code of a call of a function of in-page/. */
export function call(script: string, argument: unknown): string {
  return `(${script}\n)(${JSON.stringify(argument)})`;
}

/** The source code of the one function that a module of in-page/ exports; it runs in the page, not here. */
export function readPageScript(name: string): string {
  const module = readFileSync(new URL(`./in-page/${name}.js`, import.meta.url), "utf8");
  return module.replace(/^[\s\S]*?export const \w+ = /, "").replace(/;\s*$/, "");
}
