import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { parseEgressAllow } from "./address-rules/egress-allow.ts";
import { createGuard } from "./guard.ts";
import { createGuardedFetch, type FetchRequest, type FetchResult } from "./guarded-fetch.ts";
import { type Listener, serve } from "./testing/local-site.ts";

const fixture = (name: string) => readFileSync(new URL(`testing/fixtures/${name}`, import.meta.url), "utf8");
const tls = { key: fixture("site.key"), cert: fixture("site.pem") };

type Names = Record<string, string[][]>;

/** A client that may reach these loopback ports; names get the given answers in turn, and the last one repeats. */
function clientFor(ports: number[], names: Names = {}) {
  const allow = parseEgressAllow(ports.map((port) => `127.0.0.1:${port}`).join());
  const resolvedNames: string[] = [];
  const resolve = async (name: string) => {
    resolvedNames.push(name);
    const lists = names[name] ?? [];
    return (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
  };
  const client = createGuardedFetch(createGuard({ allow, resolve }));
  onTestFinished(() => client.close());
  const get = (url: string, more: Partial<FetchRequest> = {}) =>
    client.fetch({ url, purpose: "page", ...more });
  return { get, resolvedNames };
}

async function siteWithClient(listener: Listener, names: Names = {}) {
  const site = await serve(listener);
  return { site, ...clientFor([site.port], names) };
}

/** A server that responds to every connection with these bytes, whatever the request. */
async function serveBytes(...chunks: (string | Buffer)[]): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      for (const chunk of chunks) socket.write(chunk);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const textOf = (result: FetchResult) =>
  result.ok ? Buffer.from(result.response.body).toString() : result.failure.kind;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

test("returns status, headers as received, exact bytes and timing", async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 128]);
  const { site, get } = await siteWithClient((_, response) => {
    response.sendDate = false;
    response.writeHead(404, ["X-B", "1", "Set-Cookie", "a=1", "set-cookie", "b=2", "X-A", "caf\u00e9"]);
    response.end(bytes);
  });
  const result = await get(site.url("/x?y#z"));
  if (!result.ok) throw new Error(result.failure.kind);
  const { headers, timing, body, ...rest } = result.response;
  expect(rest).toEqual({
    url: site.url("/x?y#z"),
    redirects: [],
    status: 404,
    protocol: "http/1.1",
    tls: null,
    truncated: false,
  });
  expect(headers.slice(0, 4)).toEqual([
    ["x-b", "1"],
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["x-a", "caf\u00e9"],
  ]);
  expect(Buffer.from(body)).toEqual(bytes);
  expect(Object.keys(timing).sort()).toEqual(["connect", "download", "firstByte", "total"]);
});

test("reuses connections and reports the connect time only for the request that opened one", async () => {
  const ports = new Set<number | undefined>();
  const { site, get } = await siteWithClient((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  const first = await get(site.url("/1"));
  const second = await get(site.url("/2"));
  expect(ports.size).toBe(1);
  expect(first.ok && "connect" in first.response.timing).toBe(true);
  expect(second.ok && "connect" in second.response.timing).toBe(false);
});

test("repeats a GET once if the reused connection was closed, but never a POST", async () => {
  let requests = 0;
  const { site, get } = await siteWithClient((request, response) => {
    requests += 1;
    if (requests % 2 === 0) return request.socket.destroy();
    response.end(`answer ${requests}`);
  });
  expect(textOf(await get(site.url("/")))).toBe("answer 1");
  expect(textOf(await get(site.url("/")))).toBe("answer 3");
  expect(textOf(await get(site.url("/"), { method: "POST", body: "x" }))).toBe("refused");
  expect(requests).toBe(4);
});

test("sends method, body and headers, and the user's headers override ours", async () => {
  const { site, get } = await siteWithClient(async (request, response) => {
    response.end(JSON.stringify([request.method, request.rawHeaders, await bodyOf(request)]));
  });
  const result = await get(site.url("/"), {
    purpose: "trigger",
    method: "PATCH",
    body: '{"a":"é"}',
    headers: [
      ["content-type", "application/json"],
      ["user-agent", "Ours"],
    ],
    userHeaders: [
      ["User-Agent", "Theirs"],
      ["X-Key", "ключ"],
      ["X-Key", "two"],
      ["Accept-Encoding", "br"],
    ],
  });
  const [method, raw, body] = JSON.parse(textOf(result)) as [string, string[], string];
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}`] : []));
  expect([method, body]).toEqual(["PATCH", '{"a":"é"}']);
  expect(pairs.sort()).toEqual(
    [
      "User-Agent: Theirs",
      `X-Key: ${Buffer.from("ключ").toString("latin1")}`,
      "X-Key: two",
      "accept-encoding: gzip",
      "accept: */*",
      "connection: keep-alive",
      "content-length: 10",
      "content-type: application/json",
      `host: 127.0.0.1:${site.port}`,
    ].sort(),
  );
});

test("E9 sends nothing when a user header is refused", async () => {
  let requests = 0;
  const { site, get } = await siteWithClient((_, response) => {
    requests += 1;
    response.end();
  });
  const result = await get(site.url("/"), { userHeaders: [["Host", "169.254.169.254"]] });
  expect(result).toEqual({ ok: false, failure: { kind: "guard" } });
  expect(requests).toBe(0);
});

test("E6 dials the checked address even if the name's next answer differs, with Host as in the URL", async () => {
  const site = await serve((request, response) => response.end(request.headers.host));
  const { get, resolvedNames } = clientFor([site.port], { "site.test": [["127.0.0.1"], ["10.0.0.1"]] });
  expect(textOf(await get(site.url("/", "site.test")))).toBe(`site.test:${site.port}`);
  expect(resolvedNames).toEqual(["site.test"]);
  expect(textOf(await get(site.url("/", "site.test")))).toBe("dns");
});

test("E6 never reuses a connection for another address of the same name", async () => {
  const first = await serve((_, response) => response.end("first"));
  const { get } = clientFor([first.port], { "site.test": [["127.0.0.1"], ["127.0.0.2"]] });
  expect(textOf(await get(first.url("/", "site.test")))).toBe("first");
  expect(textOf(await get(first.url("/", "site.test")))).toBe("dns");
});

test("E6 tries the next checked address if one does not answer", async () => {
  const site = await serve((_, response) => response.end("ok"));
  const allow = parseEgressAllow("127.0.0.0/8, ::1/128");
  const guard = createGuard({ allow, resolve: async () => ["::1", "127.0.0.1"] });
  const client = createGuardedFetch(guard);
  onTestFinished(() => client.close());
  expect(textOf(await client.fetch({ url: site.url("/", "site.test"), purpose: "page" }))).toBe("ok");
});

test("E6 takes SNI and certificate name from the URL, and returns issuer and expiry", async () => {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, fixture("ca.pem")]);
  onTestFinished(() => setDefaultCACertificates(before));
  const site = await serve(
    (request, response) => response.end(String((request.socket as TLSSocket).servername)),
    tls,
  );
  const { get } = clientFor([site.port], { "site.test": [["127.0.0.1"]], "other.test": [["127.0.0.1"]] });

  const good = await get(site.url("/", "site.test"));
  expect(textOf(good)).toBe("site.test");
  expect(good.ok && good.response.tls).toEqual({
    issuer: "Root",
    expiresAt: "2126-10-21T14:22:32.000Z",
  });
  expect(good.ok && good.response.timing.tls).toBeGreaterThan(0);
  expect(textOf(await get(site.url("/", "site.test.")))).toBe("site.test");
  expect(await get(site.url("/", "other.test"))).toEqual({
    ok: false,
    failure: { kind: "tls" },
  });
  expect(textOf(await get(site.url("/")))).toBe("tls");
});

test("E6 refuses an untrusted certificate, and plain HTTP where TLS is expected", async () => {
  const site = await serve((_, response) => response.end(), tls);
  const plain = await serve((_, response) => response.end());
  const { get } = clientFor([site.port, plain.port], { "site.test": [["127.0.0.1"]] });
  expect(textOf(await get(site.url("/", "site.test")))).toBe("tls");
  expect(textOf(await get(`https://127.0.0.1:${plain.port}/`))).toBe("tls");
});

test("E7 follows ten redirects and not eleven", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) return response.end("there");
    response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const ten = await get(site.url("/10#part"));
  expect(textOf(ten)).toBe("there");
  expect(ten.ok && [ten.response.url, ten.response.redirects.length]).toEqual([site.url("/0#part"), 10]);
  expect(ten.ok && ten.response.redirects[0]).toEqual({ url: site.url("/10#part"), status: 302 });
  expect(await get(site.url("/11"))).toEqual({ ok: false, failure: { kind: "redirects" } });
});

test.each([
  ["http://127.0.0.1:1/", "guard"],
  ["http://169.254.169.254/latest/", "guard"],
  ["//[::1]/", "guard"],
  ["http://0x7f.1/", "guard"],
  ["file:///etc/passwd", "guard"],
  ["http://user:pass@site.test/", "guard"],
  ["http://inside.test/", "dns"],
  ["http://missing.test/", "dns"],
  ["http://a b/", "guard"],
])("E7 judges a redirect to %s", async (location, kind) => {
  const { site, get } = await siteWithClient((_, response) => response.writeHead(301, { location }).end(), {
    "inside.test": [["10.0.0.1"]],
  });
  expect(textOf(await get(site.url("/")))).toBe(kind);
});

test("E7 reads a Location beyond ASCII as UTF-8", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    if (request.url !== "/") return response.end(request.url);
    response.writeHead(302, { location: Buffer.from("/caf\u00e9").toString("latin1") }).end();
  });
  expect(textOf(await get(site.url("/")))).toBe("/caf%C3%A9");
});

test("E7 returns a redirect to a trigger instead of following it", async () => {
  let requests = 0;
  const { site, get } = await siteWithClient((_, response) => {
    requests += 1;
    response.writeHead(307, { location: "/next" }).end("moved");
  });
  const result = await get(site.url("/"), { purpose: "trigger", method: "POST", body: "x" });
  expect(result.ok && [result.response.status, textOf(result), requests]).toEqual([307, "moved", 1]);
});

test("E7 drops user headers, body and validators at a new origin and at all later redirects", async () => {
  const requests: string[] = [];
  const note: Listener = async (request, response) => {
    const { authorization = "-", "if-none-match": validator = "-", "user-agent": agent } = request.headers;
    const body = await bodyOf(request);
    requests.push([request.url, request.method, authorization, validator, agent, body || "-"].join(" "));
    const steps: Record<string, string> = {
      "/1": "/2",
      "/2": `http://127.0.0.1:${second.port}/3`,
      "/3": `http://127.0.0.1:${first.port}/4`,
    };
    const location = steps[request.url ?? ""];
    if (location) response.writeHead(307, { location });
    response.end();
  };
  const first = await serve(note);
  const second = await serve(note);
  const { get } = clientFor([first.port, second.port]);
  await get(first.url("/1"), {
    method: "POST",
    body: "secret",
    userHeaders: [["Authorization", "secret"]],
    headers: [
      ["if-none-match", "tag"],
      ["user-agent", "Ours"],
    ],
  });
  expect(requests).toEqual([
    "/1 POST secret tag Ours secret",
    "/2 POST secret tag Ours secret",
    "/3 GET - - Ours -",
    "/4 GET - - Ours -",
  ]);
});

test("E7 turns 303 and a redirected POST into GET", async () => {
  const { site, get } = await siteWithClient(async (request, response) => {
    if (request.url === "/") return response.writeHead(303, { location: "/got" }).end();
    response.end(`${request.method} ${await bodyOf(request)}`);
  });
  expect(textOf(await get(site.url("/"), { method: "POST", body: "x" }))).toBe("GET ");
});

const mebibyte = 1024 * 1024;

test("E10 requests only gzip and decodes one layer", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(`asked ${request.headers["accept-encoding"]}`));
  });
  expect(textOf(await get(site.url("/")))).toBe("asked gzip");
});

const packers = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  "deflate ": deflateRawSync,
};

test.each(Object.entries(packers))(
  "E10 decodes %s, and fails if it is cut or a bomb",
  async (coding, pack) => {
    const text = Array.from({ length: 2_000 }, (_, i) => `line ${i * 7919}`).join("\n");
    const { site, get } = await siteWithClient((request, response) => {
      response.setHeader("content-encoding", coding);
      if (request.url === "/bomb") return response.end(pack(Buffer.alloc(11 * mebibyte)));
      const packed = pack(text);
      response.end(request.url === "/cut" ? packed.subarray(0, packed.length >> 1) : packed);
    });
    expect(textOf(await get(site.url("/")))).toBe(text);
    expect(textOf(await get(site.url("/cut")))).toBe("cut");
    expect(textOf(await get(site.url("/bomb")))).toBe("too-large");
    const start = await get(site.url("/"), { keepBytes: 12 });
    expect([textOf(start), start.ok && start.response.truncated]).toEqual([text.slice(0, 12), true]);
  },
);

test.each([
  ["compress", Buffer.from("x")],
  ["constructor", Buffer.from("x")],
  ["br", Buffer.from("not br")],
  ["deflate", Buffer.from([0xff])],
  ["zstd", Buffer.from("not zstd")],
  ["gzip, gzip", gzipSync(gzipSync("x"))],
  ["gzip", Buffer.from("not gzip")],
])("E10 refuses the coding %s, which it can't or may not decode", async (coding, body) => {
  const { site, get } = await siteWithClient((_, response) =>
    response.setHeader("content-encoding", coding).end(body),
  );
  expect(textOf(await get(site.url("/")))).toBe("protocol");
});

test("E10 leaves a second layer of compression in the body", async () => {
  const inner = gzipSync("x");
  const { site, get } = await siteWithClient((_, response) => {
    response.setHeader("content-encoding", "gzip").end(gzipSync(inner));
  });
  const result = await get(site.url("/"));
  expect(result.ok && Buffer.from(result.response.body)).toEqual(inner);
});

test("E10 refuses a transfer coding other than chunked", async () => {
  const port = await serveBytes(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
  );
  const { get } = clientFor([port]);
  expect(textOf(await get(`http://127.0.0.1:${port}/`))).toBe("protocol");
});

test("E10 accepts bodies up to 10 MiB, plain or decoded", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    const [, form, size] = (request.url ?? "").split("/");
    const body = Buffer.alloc(Number(size));
    if (form === "gzip") return response.setHeader("content-encoding", "gzip").end(gzipSync(body));
    response.end(body);
  });
  for (const form of ["plain", "gzip"]) {
    const full = await get(site.url(`/${form}/${10 * mebibyte}`));
    expect(full.ok && full.response.body.length).toBe(10 * mebibyte);
    expect(await get(site.url(`/${form}/${10 * mebibyte + 1}`))).toEqual({
      ok: false,
      failure: { kind: "too-large" },
    });
  }
});

test("E10 stops a gzip bomb and an endless body", async () => {
  const bomb = gzipSync(Buffer.alloc(200 * mebibyte));
  let isClosed = false;
  const { site, get } = await siteWithClient((request, response) => {
    if (request.url === "/bomb") return response.setHeader("content-encoding", "gzip").end(bomb);
    const chunk = Buffer.alloc(65_536);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    response.on("close", () => {
      isClosed = true;
    });
    pour();
  });
  expect(textOf(await get(site.url("/bomb")))).toBe("too-large");
  expect(textOf(await get(site.url("/endless")))).toBe("too-large");
  await expect.poll(() => isClosed).toBe(true);
});

test.each([
  ["Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"],
  ["chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"],
  ["a chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n12345"],
  ["Content-Length and close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n12345"],
  [
    "chunked and close",
    "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
  ],
  ["a connection that is reset", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n12345"],
])("R9 a body that ends too early fails as cut: %s", async (how, answer) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      if (!how.includes("reset")) return socket.end(answer);
      // The reset must not overtake the data.
      socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 50));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { get } = clientFor([port]);
  expect(textOf(await get(`http://127.0.0.1:${port}/`))).toBe("cut");
});

test("E10 accepts headers up to 32 KiB", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    response.writeHead(200, { "x-long": "v".repeat(Number(request.url?.slice(1))) }).end("ok");
  });
  expect(textOf(await get(site.url("/31000")))).toBe("ok");
  expect(textOf(await get(site.url("/33000")))).toBe("too-large");
});

test("E10 stops at the total time limit: silent server, slow headers, slow body", async () => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      const path = String(data).split(" ")[1];
      if (path === "/silent") return;
      socket.write(path === "/body" ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write(path === "/body" ? "x" : "X-A: b\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { get } = clientFor([port]);
  for (const path of ["silent", "headers", "body"]) {
    expect(await get(`http://127.0.0.1:${port}/${path}`, { totalMs: 150 })).toEqual({
      ok: false,
      failure: { kind: "timeout" },
    });
  }
});

test("E10 stops at the total time limit during a DNS lookup", async () => {
  const guard = createGuard({ allow: parseEgressAllow(""), resolve: () => new Promise(() => {}) });
  const client = createGuardedFetch(guard);
  const result = await client.fetch({ url: "http://slow.test/", purpose: "trigger", totalMs: 50 });
  expect(textOf(result)).toBe("timeout");
});

test("returns only the first bytes if keepBytes is set, decoded too", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    const body = Buffer.from("0123456789".repeat(100_000));
    if (request.url === "/gzip") return response.setHeader("content-encoding", "gzip").end(gzipSync(body));
    response.end(request.url === "/short" ? "0123" : body);
  });
  for (const path of ["/plain", "/gzip"]) {
    const result = await get(site.url(path), { keepBytes: 12 });
    expect([textOf(result), result.ok && result.response.truncated]).toEqual(["012345678901", true]);
  }
  const short = await get(site.url("/short"), { keepBytes: 12 });
  expect([textOf(short), short.ok && short.response.truncated]).toEqual(["0123", false]);
});

test("reports a closed port and a dropped connection as refused, and nonsense as protocol", async () => {
  const closed = await serve(() => {});
  closed.server.close();
  const dropping = await serve((request) => request.socket.destroy());
  const nonsense = await serveBytes("SSH-2.0-OpenSSH_9.2p1\r\n");
  const { get } = clientFor([closed.port, dropping.port, nonsense]);
  const refused = { ok: false, failure: { kind: "refused" } };
  expect(await get(closed.url("/"))).toEqual(refused);
  expect(await get(dropping.url("/"))).toEqual(refused);
  expect(textOf(await get(`http://127.0.0.1:${nonsense}/`))).toBe("protocol");
});

test("closing the client ends requests in progress", async () => {
  const site = await serve(() => client.close());
  const client = createGuardedFetch(createGuard({ allow: parseEgressAllow(`127.0.0.1:${site.port}`) }));
  const result = await client.fetch({ url: site.url("/"), purpose: "page" });
  expect(result).toEqual({ ok: false, failure: { kind: "refused" } });
});

test("reads 304, 204 and HEAD responses without a body", async () => {
  const { site, get } = await siteWithClient((request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { "content-encoding": "br", etag: '"a"' }).end();
  });
  for (const status of [304, 204]) {
    const result = await get(site.url(`/${status}`));
    expect(result.ok && [result.response.status, result.response.body.length]).toEqual([status, 0]);
  }
  const head = await get(site.url("/200"), { method: "HEAD" });
  expect(head.ok && [head.response.status, head.response.body.length]).toEqual([200, 0]);
});
