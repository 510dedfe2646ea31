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
import { parseEgressAllow } from "./address-rules/egress-allow.ts";
import { startGateway, type Tunnel, type TunnelOptions } from "./egress-gateway.ts";
import { createGuard } from "./guard.ts";
import { serve } from "./testing/local-site.ts";

const generousLimits: TunnelOptions = { maxBytes: 1e9, maxRequests: 1_000, deadlineMs: 60_000 };

type Names = Record<string, string[]>;

async function openTunnel(ports: number[], options: Partial<TunnelOptions> = {}, names: Names = {}) {
  const resolvedNames: string[] = [];
  const guard = createGuard({
    allow: parseEgressAllow(ports.map((port) => `127.0.0.1:${port}`).join()),
    resolve: async (name) => {
      resolvedNames.push(name);
      return names[name] ?? [];
    },
  });
  const gateway = startGateway({ guard });
  onTestFinished(() => gateway.close());
  return { tunnel: await gateway.openTunnel({ ...generousLimits, ...options }), resolvedNames };
}

type Answer = { status: number; headers: string[]; body: string };

async function askBytes(tunnel: Tunnel, url: string, options: RequestOptions = {}): Promise<Buffer> {
  const request = httpRequest({ port: tunnel.port, path: url, agent: false, ...options });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Sends a request through the tunnel as a browser does to its proxy, on its own connection. */
async function ask(
  tunnel: Tunnel,
  url: string,
  options: RequestOptions = {},
  body?: string,
): Promise<Answer> {
  const request = httpRequest({ port: tunnel.port, path: url, agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.rawHeaders, body: text };
}

async function connectThrough(
  tunnel: Tunnel,
  authority: string,
): Promise<{ status: number; socket: Socket }> {
  const request = httpRequest({ port: tunnel.port, method: "CONNECT", path: authority, agent: false });
  request.end();
  const [response, socket] = (await once(request, "connect")) as [IncomingMessage, Socket];
  socket.on("error", () => {});
  return { status: response.statusCode ?? 0, socket };
}

/** A TCP server that echoes its input; `gone` settles when its connections are closed. */
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

test("forwards a request with end-to-end headers only and Host as in the URL", async () => {
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
  const { tunnel } = await openTunnel([site.port]);
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
  const answer = await ask(tunnel, site.url("/path?q=1#part"), { headers });
  expect(answer.status).toBe(201);
  expect(JSON.parse(answer.body)).toEqual([
    "GET",
    "/path?q=1",
    ["Host", `127.0.0.1:${site.port}`, "Cookie", "a=1", "Connection", "keep-alive"],
  ]);
  expect(answer.headers.filter((part) => /^(x-|proxy)/i.test(part))).toEqual(["X-Kept"]);
  expect([tunnel.requests, tunnel.blocked, tunnel.failed, [...tunnel.hosts]]).toEqual([
    1,
    [],
    [],
    ["127.0.0.1"],
  ]);
});

test("forwards bodies unchanged in both directions, chunked or with a content length", async () => {
  const site = await serve((request, response) => {
    response.setHeader(
      "x-framing",
      `${request.headers["content-length"]} ${request.headers["transfer-encoding"]}`,
    );
    request.pipe(response);
  });
  const { tunnel } = await openTunnel([site.port]);
  const body = "0123456789".repeat(50_000);
  const counted = await ask(
    tunnel,
    site.url("/"),
    { method: "POST", headers: { "content-length": body.length } },
    body,
  );
  const chunked = await ask(
    tunnel,
    site.url("/"),
    { method: "PUT", headers: { "transfer-encoding": "chunked" } },
    body,
  );
  expect([counted.body === body, chunked.body === body]).toEqual([true, true]);
  expect(counted.headers).toContain("500000 undefined");
  expect(chunked.headers).toContain("undefined chunked");
  expect(tunnel.bytes).toBeGreaterThan(2_000_000);
});

test("reuses upstream connections within a tunnel and shares none between tunnels", async () => {
  const ports = new Set<number | undefined>();
  const site = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end();
  });
  const { tunnel } = await openTunnel([site.port]);
  for (const path of ["/1", "/2", "/3"]) await ask(tunnel, site.url(path));
  expect(ports.size).toBe(1);
  const other = await openTunnel([site.port]);
  await ask(other.tunnel, site.url("/4"));
  expect(ports.size).toBe(2);
});

test("repeats a request without a body if the reused connection was closed", async () => {
  let seen = 0;
  const site = await serve((request, response) => {
    seen += 1;
    if (seen === 2) return request.socket.destroy();
    response.end(`answer ${seen}`);
  });
  const { tunnel } = await openTunnel([site.port]);
  expect((await ask(tunnel, site.url("/"))).body).toBe("answer 1");
  expect((await ask(tunnel, site.url("/"))).body).toBe("answer 3");
});

test("E1 judges plain requests and CONNECT requests alike, and records those it refuses", async () => {
  const { tunnel } = await openTunnel([]);
  const urls = [
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://localhost/",
    "ftp://a.b/",
    "http://u:p@a.b/",
  ];
  for (const url of urls) expect((await ask(tunnel, url)).status).toBe(403);
  for (const authority of ["127.0.0.1:443", "[::ffff:8.8.8.8]:443", "169.254.169.254:80", "8.8.8.8:25"]) {
    expect((await connectThrough(tunnel, authority)).status).toBe(403);
  }
  expect(tunnel.blocked.map(({ url, reason }) => `${reason} ${url}`)).toEqual([
    ...urls.map((url) => `guard ${url}`),
    "guard https://127.0.0.1:443/",
    "guard https://[::ffff:8.8.8.8]:443/",
    "guard https://169.254.169.254:80/",
    "guard https://8.8.8.8:25/",
  ]);
});

test("E11 responds alike for a name without an address and one with an internal address", async () => {
  const { tunnel } = await openTunnel([1], {}, { "inside.test": ["10.0.0.1"] });
  const inside = await ask(tunnel, "http://inside.test/");
  const missing = await ask(tunnel, "http://missing.test/");
  expect([inside.status, inside.body]).toEqual([502, ""]);
  expect([missing.status, missing.body]).toEqual([502, ""]);
  expect([
    (await connectThrough(tunnel, "inside.test:443")).status,
    (await connectThrough(tunnel, "missing.test:443")).status,
  ]).toEqual([502, 502]);
  expect(new Set(tunnel.blocked.map(({ reason }) => reason))).toEqual(new Set(["dns"]));
  expect([...tunnel.hosts]).toEqual(["inside.test", "missing.test"]);
});

test("E6 resolves each name once per tunnel and dials the checked address", async () => {
  const site = await serve((request, response) => response.end(request.headers.host));
  const names: Names = { "site.test": ["127.0.0.1"] };
  const { tunnel, resolvedNames } = await openTunnel([site.port], {}, names);
  expect((await ask(tunnel, site.url("/", "site.test"))).body).toBe(`site.test:${site.port}`);
  names["site.test"] = ["10.0.0.1"];
  expect((await ask(tunnel, site.url("/", "site.test"))).body).toBe(`site.test:${site.port}`);
  expect(resolvedNames).toEqual(["site.test"]);
});

test("forwards the bytes of a CONNECT request both ways and counts them", async () => {
  const echo = await serveEcho();
  const { tunnel } = await openTunnel([echo.port]);
  const { status, socket } = await connectThrough(tunnel, `127.0.0.1:${echo.port}`);
  expect(status).toBe(200);
  const sent = Buffer.alloc(300_000, 7);
  socket.end(sent);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  expect(tunnel.bytes).toBe(600_000);
});

test("forwards a WebSocket upgrade", async () => {
  const site = await serve((_, response) => response.end());
  site.server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    socket.on("error", () => {});
    socket.resume().on("end", () => socket.destroy());
    const { host, upgrade, connection } = request.headers;
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    socket.write([request.url, host, upgrade, connection, request.headers["proxy-authorization"]].join(" "));
  });
  const { tunnel } = await openTunnel([site.port]);
  const headers = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Proxy-Authorization": "x",
    "Sec-WebSocket-Key": "k",
  };
  const request = httpRequest({ port: tunnel.port, path: site.url("/chat"), agent: false, headers });
  request.end();
  const [response, socket, head] = (await once(request, "upgrade")) as [IncomingMessage, Socket, Buffer];
  const first = head.length > 0 ? head : ((await once(socket, "data")) as [Buffer])[0];
  expect([response.statusCode, String(first)]).toEqual([
    101,
    `/chat 127.0.0.1:${site.port} websocket Upgrade `,
  ]);
  socket.destroy();
});

test.each(["/relative", "*", "//a.b/"])("refuses a request without an absolute URL: %s", async (path) => {
  const { tunnel } = await openTunnel([1]);
  expect((await ask(tunnel, path)).status).toBe(400);
});

test.each(["a.b", "a.b:443/x", "user@a.b:443", "a.b:443#", ""])(
  "refuses the CONNECT target %j",
  async (authority) => {
    const { tunnel } = await openTunnel([1]);
    const socket = connect(tunnel.port, "127.0.0.1");
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
    let text = "";
    for await (const chunk of socket.on("error", () => {})) text += String(chunk);
    expect(text.split("\r\n")[0]).toMatch(/^(HTTP\/1\.1 400 Bad Request)?$/);
    expect(tunnel.requests).toBe(0);
  },
);

test("B5 refuses requests over the limit and lets the others finish", async () => {
  let release = () => {};
  const site = await serve((request, response) => {
    if (request.url !== "/slow") return response.end("ok");
    response.write("slow ");
    release = () => response.end("done");
  });
  const { tunnel } = await openTunnel([site.port], { maxRequests: 2 });
  const slow = ask(tunnel, site.url("/slow"));
  expect((await ask(tunnel, site.url("/2"))).status).toBe(200);
  expect((await ask(tunnel, site.url("/3"))).status).toBe(403);
  expect((await connectThrough(tunnel, `127.0.0.1:${site.port}`)).status).toBe(403);
  release();
  expect((await slow).body).toBe("slow done");
  expect(tunnel.blocked.map(({ reason }) => reason)).toEqual(["requests", "requests"]);
  expect(tunnel.requests).toBe(4);
});

test("B5 closes all connections when the byte limit is reached", async () => {
  const echo = await serveEcho();
  const site = await serve((_, response) => {
    const chunk = Buffer.alloc(65_536);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", pour);
    pour();
  });
  const { tunnel } = await openTunnel([site.port, echo.port], { maxBytes: 1_000_000 });
  const { socket } = await connectThrough(tunnel, `127.0.0.1:${echo.port}`);
  const closed = once(socket.resume(), "close");
  await expect(ask(tunnel, site.url("/endless"))).rejects.toThrow("aborted");
  await closed;
  await Promise.all(echo.gone);
  expect(tunnel.bytes).toBeGreaterThan(1_000_000);
  expect(tunnel.bytes).toBeLessThan(1_200_000);
  expect((await ask(tunnel, site.url("/more"))).status).toBe(403);
  expect(tunnel.blocked).toEqual([{ url: site.url("/more"), reason: "bytes" }]);
});

test("B5 counts bytes sent by the page too", async () => {
  const site = await serve((request) => request.resume());
  const { tunnel } = await openTunnel([site.port], { maxBytes: 100_000 });
  const body = "x".repeat(300_000);
  await expect(ask(tunnel, site.url("/"), { method: "POST" }, body)).rejects.toThrow(
    /hang up|ECONNRESET|EPIPE/,
  );
  expect((await ask(tunnel, site.url("/"))).status).toBe(403);
});

test("B5 closes all connections at the deadline", async () => {
  const echo = await serveEcho();
  const { tunnel } = await openTunnel([echo.port], { deadlineMs: 100 });
  const { socket } = await connectThrough(tunnel, `127.0.0.1:${echo.port}`);
  await once(socket.resume(), "close");
  await Promise.all(echo.gone);
  expect((await connectThrough(tunnel, `127.0.0.1:${echo.port}`)).status).toBe(403);
  expect(tunnel.blocked.map(({ reason }) => reason)).toEqual(["time"]);
});

const packers = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  "gzip, br": (bytes: Buffer) => brotliCompressSync(gzipSync(bytes)),
};
const words = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `line ${i * 7919}`).join("\n"));
const asDocument = { headers: { "upgrade-insecure-requests": "1" } };

test.each(Object.entries(packers))(
  "R9 a document compressed with %s arrives completely or fails as cut",
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
    const { tunnel } = await openTunnel([site.port]);
    for (const more of ["", "&length"]) {
      expect((await askBytes(tunnel, site.url(`/?less=0${more}`), asDocument)).equals(packed)).toBe(true);
      for (const less of [1, 100, packed.length >> 1]) {
        const url = site.url(`/?less=${less}${more}`);
        await expect(askBytes(tunnel, url, asDocument)).rejects.toThrow("aborted");
        expect(tunnel.failed.pop()).toEqual({ url, kind: "cut" });
        // Other resources of a page are left to the browser.
        expect(await askBytes(tunnel, url)).toHaveLength(packed.length - less);
      }
    }
    expect(tunnel.failed).toEqual([]);
  },
);

test("R9 a compressed document is checked from its first byte, also if that arrives by itself", async () => {
  const packed = deflateSync(words);
  const site = await serve((request, response) => {
    const sent = request.url === "/cut" ? packed.subarray(0, packed.length >> 1) : packed;
    response.setHeader("content-encoding", "deflate");
    response.write(sent.subarray(0, 1), () => setTimeout(() => response.end(sent.subarray(1)), 50));
  });
  const { tunnel } = await openTunnel([site.port]);
  expect((await askBytes(tunnel, site.url("/"), asDocument)).equals(packed)).toBe(true);
  await expect(askBytes(tunnel, site.url("/cut"), asDocument)).rejects.toThrow("aborted");
  expect(tunnel.failed).toEqual([{ url: site.url("/cut"), kind: "cut" }]);
});

test("R9 a document whose coding is broken, unknown, double or a bomb is forwarded unchanged", async () => {
  const bodies: Record<string, [coding: string, body: Buffer]> = {
    "/broken": ["gzip", Buffer.concat([gzipSync(words).subarray(0, 1_000), Buffer.alloc(1_000, 7)])],
    "/none": ["gzip", Buffer.from("no gzip at all")],
    "/unknown": ["compress", Buffer.from("x")],
    "/twofold": ["br, gzip", Buffer.from("no gzip at all")],
    "/bomb": ["gzip", gzipSync(Buffer.alloc(80 * 1024 * 1024)).subarray(0, -1_000)],
    "/empty": ["gzip", Buffer.alloc(0)],
  };
  const site = await serve((request, response) => {
    const [coding, body] = bodies[request.url ?? ""] ?? ["", Buffer.alloc(0)];
    response.setHeader("content-encoding", coding).end(body);
  });
  const { tunnel } = await openTunnel([site.port]);
  for (const [path, [, body]] of Object.entries(bodies)) {
    const passed = await askBytes(tunnel, site.url(path), asDocument);
    expect([path, passed.equals(body)]).toEqual([path, true]);
  }
  expect(tunnel.failed).toEqual([]);
});

test("R9 the first part of a compressed document is forwarded before the rest arrives", async () => {
  const gzip = createGzip();
  const site = await serve((_, response) => {
    response.setHeader("content-encoding", "gzip");
    gzip.pipe(response);
    gzip.write("<h1>First</h1>");
    gzip.flush();
  });
  const { tunnel } = await openTunnel([site.port]);
  const request = httpRequest({ port: tunnel.port, path: site.url("/"), agent: false, ...asDocument });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const unpacked = response.pipe(createGunzip());
  expect(String((await once(unpacked, "data"))[0])).toBe("<h1>First</h1>");
  gzip.end("<p>Last</p>");
  expect(String((await once(unpacked, "data"))[0])).toBe("<p>Last</p>");
});

test("E10 refuses responses with more than 32 KiB of headers, and records the failure", async () => {
  const site = await serve((_, response) => response.writeHead(200, { "x-long": "v".repeat(40_000) }).end());
  const { tunnel } = await openTunnel([site.port]);
  expect((await ask(tunnel, site.url("/"))).status).toBe(502);
  expect(tunnel.failed).toEqual([{ url: site.url("/"), kind: "protocol" }]);
});

test("records addresses that can't be reached", async () => {
  const closed = await serve(() => {});
  closed.server.close();
  const { tunnel } = await openTunnel([closed.port]);
  expect((await ask(tunnel, closed.url("/"))).status).toBe(502);
  expect((await connectThrough(tunnel, `127.0.0.1:${closed.port}`)).status).toBe(502);
  expect(tunnel.failed).toEqual([
    { url: closed.url("/"), kind: "refused" },
    { url: `https://127.0.0.1:${closed.port}/`, kind: "refused" },
  ]);
  expect(tunnel.blocked).toEqual([]);
});

test("survives clients that send nonsense or disconnect early", async () => {
  const site = await serve((request, response) => {
    if (request.url === "/slow") return response.write("x");
    response.end("ok");
  });
  const { tunnel } = await openTunnel([site.port]);
  for (const bytes of ["\0\0\0", "GET\r\n\r\n", `GET ${site.url("/slow")} HTTP/1.1\r\nHost: a\r\n\r\n`]) {
    const socket = connect(tunnel.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(bytes);
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.resetAndDestroy();
  }
  expect((await ask(tunnel, site.url("/"))).body).toBe("ok");
});

test("uses a given server for one tunnel after another", async () => {
  const site = await serve((_, response) => response.end("ok"));
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  for (const turn of [1, 2]) {
    const { tunnel } = await openTunnel([site.port], { server });
    expect(tunnel.port).toBe((server.address() as AddressInfo).port);
    expect((await ask(tunnel, site.url(`/${turn}`))).body).toBe("ok");
    expect(tunnel.requests).toBe(1);
    await tunnel.close();
    expect(server.listenerCount("connection")).toBe(0);
  }
});

test("closing a tunnel closes only its own connections", async () => {
  const echo = await serveEcho();
  const { tunnel } = await openTunnel([echo.port]);
  const { tunnel: other } = await openTunnel([echo.port]);
  const { socket } = await connectThrough(tunnel, `127.0.0.1:${echo.port}`);
  const otherConnection = await connectThrough(other, `127.0.0.1:${echo.port}`);
  const closed = once(socket.resume(), "close");
  await tunnel.close();
  await closed;
  otherConnection.socket.write("still here");
  expect(String(((await once(otherConnection.socket, "data")) as [Buffer])[0])).toBe("still here");
});
