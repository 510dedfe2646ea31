import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import {
  brotliCompressSync,
  createGunzip,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { parseEgressAllow } from "./egress-allow.ts";
import { type Lane, type LaneOptions, startGateway } from "./egress-gateway.ts";
import { createGuard } from "./guard.ts";
import { serve } from "./testing/local-site.ts";

const roomy: LaneOptions = { maxBytes: 1e9, maxRequests: 1_000, deadlineMs: 60_000 };

type Names = Record<string, string[]>;

async function openLane(ports: number[], options: Partial<LaneOptions> = {}, names: Names = {}) {
  const asked: string[] = [];
  const guard = createGuard({
    allow: parseEgressAllow(ports.map((port) => `127.0.0.1:${port}`).join()),
    resolve: async (name) => {
      asked.push(name);
      return names[name] ?? [];
    },
  });
  const gateway = startGateway({ guard });
  onTestFinished(() => gateway.close());
  return { lane: await gateway.openLane({ ...roomy, ...options }), asked };
}

type Answer = { status: number; headers: string[]; body: string };

async function askBytes(lane: Lane, url: string, options: RequestOptions = {}): Promise<Buffer> {
  const request = httpRequest({ port: lane.port, path: url, agent: false, ...options });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Asks the lane as a browser asks its proxy, on a connection of its own. */
async function ask(lane: Lane, url: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
  const request = httpRequest({ port: lane.port, path: url, agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.rawHeaders, body: text };
}

async function tunnel(lane: Lane, authority: string): Promise<{ status: number; socket: Socket }> {
  const request = httpRequest({ port: lane.port, method: "CONNECT", path: authority, agent: false });
  request.end();
  const [response, socket] = (await once(request, "connect")) as [IncomingMessage, Socket];
  socket.on("error", () => {});
  return { status: response.statusCode ?? 0, socket };
}

/** Sends back what it gets, and says when a connection is gone. */
async function serveEcho() {
  const gone: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    gone.push(once(socket, "close"));
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, gone };
}

test("passes a request on with end-to-end headers only and Host as in the URL", async () => {
  const site = await serve((request, response) => {
    response.sendDate = false;
    response.writeHead(201, [
      "X-Kept",
      "1",
      "Connection",
      "X-Hop",
      "X-Hop",
      "1",
      "Proxy-Authenticate",
      "Basic",
    ]);
    response.end(JSON.stringify([request.method, request.url, request.rawHeaders]));
  });
  const { lane } = await openLane([site.port]);
  const headers = {
    Host: "169.254.169.254",
    Connection: "close, X-Private",
    "X-Private": "1",
    "Proxy-Connection": "keep-alive",
    "Proxy-Authorization": "Basic c2VjcmV0",
    TE: "trailers",
    Upgrade: "h2c",
    Cookie: "a=1",
  };
  const answer = await ask(lane, site.url("/path?q=1#part"), { headers });
  expect(answer.status).toBe(201);
  expect(JSON.parse(answer.body)).toEqual([
    "GET",
    "/path?q=1",
    ["Host", `127.0.0.1:${site.port}`, "Cookie", "a=1", "Connection", "keep-alive"],
  ]);
  expect(answer.headers.filter((part) => /^(x-|proxy)/i.test(part))).toEqual(["X-Kept"]);
  expect([lane.requests, lane.blocked, lane.failed, [...lane.hosts]]).toEqual([1, [], [], ["127.0.0.1"]]);
});

test("passes bodies on in both directions, chunked or counted, exactly", async () => {
  const site = await serve((request, response) => {
    response.setHeader(
      "x-framing",
      `${request.headers["content-length"]} ${request.headers["transfer-encoding"]}`,
    );
    request.pipe(response);
  });
  const { lane } = await openLane([site.port]);
  const body = "0123456789".repeat(50_000);
  const counted = await ask(
    lane,
    site.url("/"),
    { method: "POST", headers: { "content-length": body.length } },
    body,
  );
  const chunked = await ask(
    lane,
    site.url("/"),
    { method: "PUT", headers: { "transfer-encoding": "chunked" } },
    body,
  );
  expect([counted.body === body, chunked.body === body]).toEqual([true, true]);
  expect(counted.headers).toContain("500000 undefined");
  expect(chunked.headers).toContain("undefined chunked");
  expect(lane.bytes).toBeGreaterThan(2_000_000);
});

test("keeps upstream connections for one lane and shares none between lanes", async () => {
  const ports = new Set<number | undefined>();
  const site = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end();
  });
  const { lane } = await openLane([site.port]);
  for (const path of ["/1", "/2", "/3"]) await ask(lane, site.url(path));
  expect(ports.size).toBe(1);
  const other = await openLane([site.port]);
  await ask(other.lane, site.url("/4"));
  expect(ports.size).toBe(2);
});

test("repeats a bodyless request when a kept connection was closed meanwhile", async () => {
  let seen = 0;
  const site = await serve((request, response) => {
    seen += 1;
    if (seen === 2) return request.socket.destroy();
    response.end(`answer ${seen}`);
  });
  const { lane } = await openLane([site.port]);
  expect((await ask(lane, site.url("/"))).body).toBe("answer 1");
  expect((await ask(lane, site.url("/"))).body).toBe("answer 3");
});

test("E1 judges plain requests and tunnels alike, and records what it refuses", async () => {
  const { lane } = await openLane([]);
  const urls = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://localhost/",
    "ftp://a.b/",
    "http://u:p@a.b/",
  ];
  for (const url of urls) expect((await ask(lane, url)).status).toBe(403);
  for (const authority of ["127.0.0.1:443", "[::ffff:8.8.8.8]:443", "169.254.169.254:80", "8.8.8.8:25"]) {
    expect((await tunnel(lane, authority)).status).toBe(403);
  }
  expect(lane.blocked.map(({ url, reason }) => `${reason} ${url}`)).toEqual([
    ...urls.map((url) => `guard ${url}`),
    "guard https://127.0.0.1:443/",
    "guard https://[::ffff:8.8.8.8]:443/",
    "guard https://169.254.169.254:80/",
    "guard https://8.8.8.8:25/",
  ]);
});

test("E11 answers alike for a name without an address and one that leads inside", async () => {
  const { lane } = await openLane([1], {}, { "inside.test": ["10.0.0.1"] });
  const inside = await ask(lane, "http://inside.test/");
  const missing = await ask(lane, "http://missing.test/");
  expect([inside.status, inside.body]).toEqual([502, ""]);
  expect([missing.status, missing.body]).toEqual([502, ""]);
  expect([
    (await tunnel(lane, "inside.test:443")).status,
    (await tunnel(lane, "missing.test:443")).status,
  ]).toEqual([502, 502]);
  expect(new Set(lane.blocked.map(({ reason }) => reason))).toEqual(new Set(["dns"]));
  expect([...lane.hosts]).toEqual(["inside.test", "missing.test"]);
});

test("E6 asks once per name for a lane and dials the checked address", async () => {
  const site = await serve((request, response) => response.end(request.headers.host));
  const names: Names = { "site.test": ["127.0.0.1"] };
  const { lane, asked } = await openLane([site.port], {}, names);
  expect((await ask(lane, site.url("/", "site.test"))).body).toBe(`site.test:${site.port}`);
  names["site.test"] = ["10.0.0.1"];
  expect((await ask(lane, site.url("/", "site.test"))).body).toBe(`site.test:${site.port}`);
  expect(asked).toEqual(["site.test"]);
});

test("tunnels bytes both ways and counts them", async () => {
  const echo = await serveEcho();
  const { lane } = await openLane([echo.port]);
  const { status, socket } = await tunnel(lane, `127.0.0.1:${echo.port}`);
  expect(status).toBe(200);
  const sent = Buffer.alloc(300_000, 7);
  socket.end(sent);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  expect(lane.bytes).toBe(600_000);
});

test("passes a WebSocket upgrade on", async () => {
  const site = await serve((_, response) => response.end());
  site.server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    socket.resume().on("end", () => socket.destroy());
    const { host, upgrade, connection } = request.headers;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    socket.write([request.url, host, upgrade, connection, request.headers["proxy-authorization"]].join(" "));
  });
  const { lane } = await openLane([site.port]);
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Proxy-Authorization": "x",
    "Sec-WebSocket-Key": "k",
  };
  const request = httpRequest({ port: lane.port, path: site.url("/chat"), agent: false, headers });
  request.end();
  const [response, socket, head] = (await once(request, "upgrade")) as [IncomingMessage, Socket, Buffer];
  const first = head.length > 0 ? head : ((await once(socket, "data")) as [Buffer])[0];
  expect([response.statusCode, String(first)]).toEqual([
    101,
    `/chat 127.0.0.1:${site.port} websocket Upgrade `,
  ]);
  socket.destroy();
});

test.each(["/relative", "*", "//a.b/"])("refuses to be an origin server: %s", async (path) => {
  const { lane } = await openLane([1]);
  expect((await ask(lane, path)).status).toBe(400);
});

test.each(["a.b", "a.b:443/x", "user@a.b:443", "a.b:443#", ""])(
  "refuses the tunnel target %j",
  async (authority) => {
    const { lane } = await openLane([1]);
    const socket = connect(lane.port, "127.0.0.1");
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let text = "";
    for await (const chunk of socket.on("error", () => {})) text += String(chunk);
    expect(text.split("\r\n")[0]).toMatch(/^(HTTP\/1\.1 400 Bad Request)?$/);
    expect(lane.requests).toBe(0);
  },
);

test("B5 refuses requests over the limit and lets the others finish", async () => {
  let release = () => {};
  const site = await serve((request, response) => {
    if (request.url !== "/slow") return response.end("ok");
    response.write("slow ");
    release = () => response.end("done");
  });
  const { lane } = await openLane([site.port], { maxRequests: 2 });
  const slow = ask(lane, site.url("/slow"));
  expect((await ask(lane, site.url("/2"))).status).toBe(200);
  expect((await ask(lane, site.url("/3"))).status).toBe(403);
  expect((await tunnel(lane, `127.0.0.1:${site.port}`)).status).toBe(403);
  release();
  expect((await slow).body).toBe("slow done");
  expect(lane.blocked.map(({ reason }) => reason)).toEqual(["requests", "requests"]);
  expect(lane.requests).toBe(4);
});

test("B5 cuts everything when the bytes are spent", async () => {
  const echo = await serveEcho();
  const site = await serve((_, response) => {
    const chunk = Buffer.alloc(65_536);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  });
  const { lane } = await openLane([site.port, echo.port], { maxBytes: 1_000_000 });
  const { socket } = await tunnel(lane, `127.0.0.1:${echo.port}`);
  const closed = once(socket.resume(), "close");
  await expect(ask(lane, site.url("/endless"))).rejects.toThrow("aborted");
  await closed;
  await Promise.all(echo.gone);
  expect(lane.bytes).toBeGreaterThan(1_000_000);
  expect(lane.bytes).toBeLessThan(1_200_000);
  expect((await ask(lane, site.url("/more"))).status).toBe(403);
  expect(lane.blocked).toEqual([{ url: site.url("/more"), reason: "bytes" }]);
});

test("B5 counts bytes sent by the page too", async () => {
  const site = await serve((request) => request.resume());
  const { lane } = await openLane([site.port], { maxBytes: 100_000 });
  const body = "x".repeat(300_000);
  await expect(ask(lane, site.url("/"), { method: "POST" }, body)).rejects.toThrow(
    /hang up|ECONNRESET|EPIPE/,
  );
  expect((await ask(lane, site.url("/"))).status).toBe(403);
});

test("B5 cuts everything at the deadline", async () => {
  const echo = await serveEcho();
  const { lane } = await openLane([echo.port], { deadlineMs: 100 });
  const { socket } = await tunnel(lane, `127.0.0.1:${echo.port}`);
  await once(socket.resume(), "close");
  await Promise.all(echo.gone);
  expect((await tunnel(lane, `127.0.0.1:${echo.port}`)).status).toBe(403);
  expect(lane.blocked.map(({ reason }) => reason)).toEqual(["time"]);
});

const packers = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync, deflate: deflateSync };
const words = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `line ${i * 7919}`).join("\n"));
const asDocument = { headers: { "upgrade-insecure-requests": "1" } };

test.each(Object.entries(packers))(
  "R9 a document packed as %s is whole or cut, never in between",
  async (coding, pack) => {
    const packed = pack(words);
    const site = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? "", "http://site");
      const sent = packed.subarray(0, packed.length - Number(searchParams.get("less")));
      response.setHeader("content-encoding", coding);
      if (searchParams.has("length")) response.setHeader("content-length", sent.length);
      response.write(sent.subarray(0, sent.length >> 1));
      response.end(sent.subarray(sent.length >> 1));
    });
    const { lane } = await openLane([site.port]);
    for (const more of ["", "&length"]) {
      expect((await askBytes(lane, site.url(`/?less=0${more}`), asDocument)).equals(packed)).toBe(true);
      for (const less of [1, 100, packed.length >> 1]) {
        const url = site.url(`/?less=${less}${more}`);
        await expect(askBytes(lane, url, asDocument)).rejects.toThrow("aborted");
        expect(lane.failed.pop()).toEqual({ url, kind: "cut" });
        // What else a page loads is the browser's to judge.
        expect(await askBytes(lane, url)).toHaveLength(packed.length - less);
      }
    }
    expect(lane.failed).toEqual([]);
  },
);

test("R9 a document is passed on as it comes where its coding is broken, unknown, twofold or a bomb", async () => {
  const bodies: Record<string, [coding: string, body: Buffer]> = {
    "/broken": ["gzip", Buffer.concat([gzipSync(words).subarray(0, 1_000), Buffer.alloc(1_000, 7)])],
    "/none": ["gzip", Buffer.from("no gzip at all")],
    "/unknown": ["compress", Buffer.from("x")],
    "/twofold": ["gzip, br", Buffer.from("x")],
    "/bomb": ["gzip", gzipSync(Buffer.alloc(80 * 1024 * 1024)).subarray(0, -1_000)],
    "/empty": ["gzip", Buffer.alloc(0)],
  };
  const site = await serve((request, response) => {
    const [coding, body] = bodies[request.url ?? ""] ?? ["", Buffer.alloc(0)];
    response.setHeader("content-encoding", coding).end(body);
  });
  const { lane } = await openLane([site.port]);
  for (const [path, [, body]] of Object.entries(bodies)) {
    const passed = await askBytes(lane, site.url(path), asDocument);
    expect([path, passed.equals(body)]).toEqual([path, true]);
  }
  expect(lane.failed).toEqual([]);
});

test("R9 what a page has of a document that is still packed and sent is not held back", async () => {
  const gzip = createGzip();
  const site = await serve((_, response) => {
    response.setHeader("content-encoding", "gzip");
    gzip.pipe(response);
    gzip.write("<h1>First</h1>");
    gzip.flush();
  });
  const { lane } = await openLane([site.port]);
  const request = httpRequest({ port: lane.port, path: site.url("/"), agent: false, ...asDocument });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const unpacked = response.pipe(createGunzip());
  expect(String((await once(unpacked, "data"))[0])).toBe("<h1>First</h1>");
  gzip.end("<p>Last</p>");
  expect(String((await once(unpacked, "data"))[0])).toBe("<p>Last</p>");
});

test("E10 refuses answers with more than 32 KiB of headers, and says so", async () => {
  const site = await serve((_, response) => response.writeHead(200, { "x-long": "v".repeat(40_000) }).end());
  const { lane } = await openLane([site.port]);
  expect((await ask(lane, site.url("/"))).status).toBe(502);
  expect(lane.failed).toEqual([{ url: site.url("/"), kind: "protocol" }]);
});

test("tells what could not be reached", async () => {
  const closed = await serve(() => {});
  closed.server.close();
  const { lane } = await openLane([closed.port]);
  expect((await ask(lane, closed.url("/"))).status).toBe(502);
  expect((await tunnel(lane, `127.0.0.1:${closed.port}`)).status).toBe(502);
  expect(lane.failed).toEqual([
    { url: closed.url("/"), kind: "refused" },
    { url: `https://127.0.0.1:${closed.port}/`, kind: "refused" },
  ]);
  expect(lane.blocked).toEqual([]);
});

test("survives clients that speak nonsense or leave early", async () => {
  const site = await serve((request, response) => {
    if (request.url === "/slow") return response.write("x");
    response.end("ok");
  });
  const { lane } = await openLane([site.port]);
  for (const bytes of ["\0\0\0", "GET\r\n\r\n", `GET ${site.url("/slow")} HTTP/1.1\r\nHost: a\r\n\r\n`]) {
    const socket = connect(lane.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.resetAndDestroy();
  }
  expect((await ask(lane, site.url("/"))).body).toBe("ok");
});

test("takes over a given server, one lane after another", async () => {
  const site = await serve((_, response) => response.end("ok"));
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  for (const turn of [1, 2]) {
    const { lane } = await openLane([site.port], { server });
    expect(lane.port).toBe((server.address() as AddressInfo).port);
    expect((await ask(lane, site.url(`/${turn}`))).body).toBe("ok");
    expect(lane.requests).toBe(1);
    await lane.close();
    expect(server.listenerCount("connection")).toBe(0);
  }
});

test("closing a lane ends its connections and nobody else's", async () => {
  const echo = await serveEcho();
  const { lane } = await openLane([echo.port]);
  const { lane: other } = await openLane([echo.port]);
  const { socket } = await tunnel(lane, `127.0.0.1:${echo.port}`);
  const kept = await tunnel(other, `127.0.0.1:${echo.port}`);
  const closed = once(socket.resume(), "close");
  await lane.close();
  await closed;
  kept.socket.write("still here");
  expect(String(((await once(kept.socket, "data")) as [Buffer])[0])).toBe("still here");
});
