import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { codeOf, periodOf, readCodeKey } from "#page-steps/one-time-code.ts";

export const password = `h0rse "battery" 😀`;
export const codeKey = "otpauth://totp/Shop:ana?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&period=15";

export type SignInSite = Awaited<ReturnType<typeof startSignInSite>>;

/**
 * A site with an account area that behaves as real ones do: a form with a CSRF token, one-time codes, an app that keeps
 * rotating tokens in the browser's storage, and a sign-in at another origin.
 */
export async function startSignInSite() {
  const state = {
    balance: "120 €",
    password,
    /** Requests after which a session ends. */
    requestsPerSession: Number.POSITIVE_INFINITY,
    asksForCode: false,
    hasCaptcha: false,
    /** So many of the next requests for the account lead to the sign-in, although there is a session. */
    walls: 0,
    signsOutAtOnce: false,
    accessUses: 2,
  };
  const sessions = new Map<string, number>();
  const refreshTokens = new Set<string>();
  const accessTokens = new Map<string, number>();
  const preSessions = new Set<string>();
  const usedCodes = new Set<string>();
  const counts = { signIns: 0, accountRequests: 0, refreshes: 0, reused: 0, parallel: 0, mostParallel: 0 };
  /** Everything secret that the site ever gave out. */
  const given: string[] = [];
  const token = () => {
    const made = randomBytes(18).toString("base64url").replace(/^/, "t0");
    given.push(made);
    return made;
  };

  const server = createServer((request, response) => void answer(request, response));
  const provider = createServer((request, response) => void authorize(request, response));
  for (const each of [server, provider])
    await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
  const originOf = (each: typeof server) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`;
  const [origin, providerOrigin] = [originOf(server), originOf(provider)];
  // All ports of an address share their cookies.
  const cookieName = (name: string) => `${name}_${new URL(origin).port}`;
  const cookieOf = (request: IncomingMessage, name: string) =>
    new RegExp(`(?:^|; )${cookieName(name)}=([^;]+)`).exec(request.headers.cookie ?? "")?.[1] ?? "";
  const csrfOf = (id: string) => createHmac("sha256", "csrf").update(id).digest("hex");

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    const send = (body: string, status = 200) =>
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end(body);
    const go = (location: string, ...cookies: string[]) =>
      response.writeHead(303, { location, ...(cookies.length > 0 && { "set-cookie": cookies }) }).end();
    const isSignedIn = () => {
      const id = cookieOf(request, "sid");
      const left = sessions.get(id) ?? 0;
      if (left > 0) sessions.set(id, left - 1);
      return left > 0;
    };
    const openSession = (next: string) => {
      const id = token();
      counts.signIns++;
      sessions.set(id, state.requestsPerSession);
      const uses = state.signsOutAtOnce ? 1 : state.requestsPerSession;
      sessions.set(id, uses);
      go(next, `${cookieName("sid")}=${id}; Path=/; HttpOnly; SameSite=Lax`);
    };

    if (pathname === "/account" || pathname === "/orders" || pathname === "/print") {
      counts.accountRequests++;
      counts.parallel++;
      counts.mostParallel = Math.max(counts.mostParallel, counts.parallel);
      await new Promise((resolve) => setTimeout(resolve, 50));
      counts.parallel--;
      const isWalled = state.walls > 0;
      if (isWalled) state.walls--;
      if (isWalled || !isSignedIn()) return go(`/sign-in?next=${pathname}`);
      const sid = cookieOf(request, "sid");
      const exit = pathname === "/print" ? "" : `<a href="/sign-out">Sign out</a>`;
      // Some pages repeat their visitor's session, as for a script of their own.
      return send(
        page(`${exit}<h1>Your ${pathname.slice(1)}</h1><p>Balance ${state.balance}</p>
        <script>window.session = ${JSON.stringify(sid)}</script><!-- ${sid} -->`),
      );
    }
    if (pathname === "/offers") {
      const isKnown = isSignedIn();
      return send(
        page(
          `${isKnown ? `<a href="/sign-out">Sign out</a>` : ""}<h1>Offers</h1><p>Lamp ${state.balance}</p>`,
        ),
      );
    }
    if (pathname === "/sign-in" && request.method === "POST") {
      const form = new URLSearchParams(await read(request));
      const pre = cookieOf(request, "pre");
      const isRight =
        preSessions.has(pre) &&
        form.get("csrf") === csrfOf(pre) &&
        form.get("user") === "ana" &&
        form.get("password") === state.password;
      preSessions.delete(pre);
      if (!isRight) return go("/sign-in?wrong=1");
      if (!state.asksForCode) return openSession(searchParams.get("next") ?? "/account");
      const half = token();
      preSessions.add(half);
      return go("/code", `${cookieName("half")}=${half}; Path=/; HttpOnly`);
    }
    if (pathname === "/sign-in") {
      const pre = randomBytes(9).toString("hex");
      preSessions.add(pre);
      response.setHeader("set-cookie", `${cookieName("pre")}=${pre}; Path=/; HttpOnly`);
      const wrong = searchParams.has("wrong") ? "<p>Wrong user or password.</p>" : "";
      const captcha = state.hasCaptcha ? `<div class="h-captcha">Are you human?</div>` : "";
      return send(
        page(`<h1>Sign in</h1>${wrong}${captcha}<form method="post"><input type="hidden" name="csrf" value="${csrfOf(pre)}">
        <label>User <input name="user"></label><label>Password <input name="password" type="password"></label>
        <button>Sign in</button></form>`),
      );
    }
    if (pathname === "/code" && request.method === "POST") {
      const code = new URLSearchParams(await read(request)).get("code") ?? "";
      const isRight =
        preSessions.has(cookieOf(request, "half")) && validCodes().includes(code) && !usedCodes.has(code);
      usedCodes.add(code);
      return isRight ? openSession("/account") : go("/sign-in?wrong=1");
    }
    if (pathname === "/code")
      return send(
        page(`<form method="post"><label>Code <input name="code"></label><button>Confirm</button></form>`),
      );
    if (pathname === "/sso")
      return go(`${providerOrigin}/authorize?return=${encodeURIComponent(`${origin}/callback`)}`);
    if (pathname === "/callback") return openSession("/account");
    if (pathname === "/app" || pathname === "/idb")
      return send(page(`<div id="app">Loading</div><script>${appScript(pathname === "/idb")}</script>`));
    if (pathname.startsWith("/api/")) return answerApi(pathname, request, response);
    return send(page("<h1>Lamps for everyone</h1>"));
  }

  async function answerApi(pathname: string, request: IncomingMessage, response: ServerResponse) {
    const json = (value: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const body =
      request.method === "POST" ? (JSON.parse((await read(request)) || "{}") as Record<string, string>) : {};
    const issue = () => {
      const [access, refresh] = [token(), token()];
      accessTokens.set(access, state.accessUses);
      refreshTokens.add(refresh);
      return json({ access, refresh });
    };
    if (pathname === "/api/login") {
      if (body.user !== "ana" || body.password !== state.password) return json({}, 401);
      counts.signIns++;
      return issue();
    }
    if (pathname === "/api/refresh") {
      // A refresh token is good for one use.
      if (!refreshTokens.delete(body.refresh ?? "")) {
        counts.reused++;
        return json({}, 401);
      }
      counts.refreshes++;
      return issue();
    }
    const access = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const left = accessTokens.get(access) ?? 0;
    accessTokens.set(access, left - 1);
    return left > 0 ? json({ balance: state.balance }) : json({}, 401);
  }

  async function authorize(request: IncomingMessage, response: ServerResponse) {
    const { searchParams } = new URL(request.url ?? "/", providerOrigin);
    const back = searchParams.get("return") ?? "";
    if (request.method === "POST") {
      const form = new URLSearchParams(await read(request));
      const isRight = form.get("password") === state.password && back === `${origin}/callback`;
      return response
        .writeHead(303, { location: isRight ? `${back}?code=${token()}` : (request.url ?? "/") })
        .end();
    }
    return response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(
        page(
          `<h1>Single sign-on</h1><form method="post"><label>Password <input name="password" type="password"></label><button>Continue</button></form>`,
        ),
      );
  }

  return {
    origin,
    providerOrigin,
    state,
    counts,
    given,
    endSessions() {
      sessions.clear();
      refreshTokens.clear();
      accessTokens.clear();
    },
    openSession() {
      const id = token();
      sessions.set(id, state.requestsPerSession);
      return `${cookieName("sid")}=${id}`;
    },
    close() {
      for (const each of [server, provider]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}

const words = Array.from({ length: 12 }, (_, i) => `<p>Paragraph ${i} about lamps and shades.</p>`).join("");
const page = (body: string) => `<!doctype html><title>Shop</title><main>${body}${words}</main>`;

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

function validCodes(): string[] {
  const key = readCodeKey(codeKey);
  if (!key) throw new Error("the key was not read");
  const now = periodOf(key, Date.now());
  return [now - 1, now].map((period) => codeOf(key, period));
}

/** An app without a page of its own: its tokens are in local and session storage, of which it needs both, or in IndexedDB. */
const appScript = (usesDatabase: boolean) => `
  const open = () => new Promise((resolve) => {
    const request = indexedDB.open("auth", 3);
    request.onupgradeneeded = () => request.result.createObjectStore("tokens", { keyPath: "name" });
    request.onsuccess = () => resolve(request.result);
  });
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const save = async (tokens) => {
    if (!${usesDatabase}) {
      for (const each of [localStorage, sessionStorage]) each.setItem("tokens", JSON.stringify(tokens));
      return;
    }
    const store = (await open()).transaction("tokens", "readwrite").objectStore("tokens");
    await done(store.put({ name: "mine", ...tokens, at: new Date() }));
  };
  const load = async () => {
    if (!${usesDatabase}) {
      const [kept, sameKept] = [localStorage, sessionStorage].map((each) => each.getItem("tokens"));
      return kept === sameKept ? JSON.parse(kept ?? "{}") : {};
    }
    return (await done((await open()).transaction("tokens").objectStore("tokens").get("mine"))) ?? {};
  };
  const post = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) });
  const app = document.querySelector("#app");
  const show = async () => {
    let { access, refresh } = await load();
    const ask = () => fetch("/api/me", { headers: { authorization: "Bearer " + access } });
    let answer = await ask();
    if (answer.status === 401 && refresh) {
      const renewed = await post("/api/refresh", { refresh });
      if (renewed.ok) {
        ({ access, refresh } = await renewed.json());
        await save({ access, refresh });
        answer = await ask();
      }
    }
    if (answer.ok) {
      const { balance } = await answer.json();
      app.innerHTML = "<button>Sign out</button><p>Balance " + balance + "</p>";
      return;
    }
    app.innerHTML = "<form><label>User <input name=user></label><label>Password <input name=password type=password></label><button>Sign in</button></form>";
    app.querySelector("form").onsubmit = async (event) => {
      event.preventDefault();
      const { user, password } = Object.fromEntries(new FormData(event.target));
      const answer = await post("/api/login", { user, password });
      if (!answer.ok) return;
      await save(await answer.json());
      await show();
    };
  };
  show();
`;
