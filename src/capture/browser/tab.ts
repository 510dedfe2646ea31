import { readFileSync } from "node:fs";
import { CdpError } from "./cdp-error.ts";
import type { CdpPipe } from "./cdp-pipe.ts";
import { deadEnd } from "./flags.ts";
import { identity, identityAs } from "./identity.ts";
import type { Answer, CdpEvent, Method, Params } from "./protocol.ts";

export const viewport = { width: 1280, height: 800 };

/** One page in a browser context of its own; nothing of it is left after close (B3). */
export class Tab {
  readonly #pipe: CdpPipe;
  readonly #sessionId: string;
  readonly #version: string;
  readonly contextId: string;
  /** The main frame's id is the target's. */
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

  /** Opens an empty page whose every request goes to `proxyPort` on loopback, or nowhere. */
  static async open(
    browser: { pipe: CdpPipe; version: string },
    proxyPort: number | null,
    proxyBypassList = "<-loopback>",
  ): Promise<Tab> {
    const { pipe, version } = browser;
    const { browserContextId } = await pipe.send(undefined, "Target.createBrowserContext", {
      proxyServer: proxyPort === null ? deadEnd : `http://127.0.0.1:${proxyPort}`,
      proxyBypassList,
      disposeOnDetach: true,
    });
    try {
      const deny = { behavior: "deny", browserContextId } as const;
      const behave = pipe.send(undefined, "Browser.setDownloadBehavior", deny);
      behave.catch(() => {});
      const { targetId } = await pipe.send(undefined, "Target.createTarget", {
        url: "about:blank",
        browserContextId,
        ...viewport,
      });
      const attach = { targetId, flatten: true };
      const { sessionId } = await pipe.send(undefined, "Target.attachToTarget", attach);
      const named = pipe.send(sessionId, "Emulation.setUserAgentOverride", identity(version));
      await Promise.all([behave, named]);
      return new Tab(browser, sessionId, browserContextId, targetId);
    } catch (error) {
      pipe.send(undefined, "Target.disposeBrowserContext", { browserContextId }).catch(() => {});
      throw error;
    }
  }

  send<M extends Method>(method: M, ...params: Params<M>): Promise<Answer<M>> {
    return this.#pipe.send(this.#sessionId, method, ...params);
  }

  /** Has page and requests agree on who asks, and in which language. */
  async nameAs(headers: [name: string, value: string][]): Promise<void> {
    await this.send("Emulation.setUserAgentOverride", identityAs(this.#version, headers));
  }

  /** To the browser itself, not to the page. */
  ask<M extends Method>(method: M, ...params: Params<M>): Promise<Answer<M>> {
    return this.#pipe.send(undefined, method, ...params);
  }

  listen(listener: (event: CdpEvent) => void): () => void {
    return this.#pipe.listen(this.#sessionId, listener);
  }

  /** A JavaScript world beside the page's own, which the page can neither see nor alter. */
  async ownWorld(frameId = this.frameId): Promise<number> {
    const made = await this.send("Page.createIsolatedWorld", { frameId });
    return made.executionContextId;
  }

  /** Runs one of in-page/'s functions; the browser itself ends it after `timeout` milliseconds of running. */
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

/** A function of in-page/, as the text of a call. */
export function call(script: string, argument: unknown): string {
  return `(${script}\n)(${JSON.stringify(argument)})`;
}

/** The one function that a module of in-page/ exports, as text: it runs there, not here. */
export function inPage(name: string): string {
  const module = readFileSync(new URL(`./in-page/${name}.js`, import.meta.url), "utf8");
  return module.replace(/^[\s\S]*?export const \w+ = /, "").replace(/;\s*$/, "");
}
