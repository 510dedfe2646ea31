import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin, stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { parse } from "acorn";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..");

/** Modules that can open a connection, with the exports that may be imported because they only listen or read. */
const connectingModules: Record<string, string[]> = {
  net: ["createServer", "Server", "isIP", "isIPv4", "isIPv6", "BlockList"],
  http: ["createServer", "Server", "IncomingMessage", "ServerResponse", "STATUS_CODES", "METHODS"],
  https: [],
  http2: [],
  tls: [],
  dgram: [],
  dns: [],
  "dns/promises": [],
  inspector: [],
};

/** Packages that the server's rooms use: true if they never open connections themselves, else who may use them. */
const packages: Record<string, true | string[]> = {
  "@duckduckgo": true,
  "@fastify": true,
  "@modelcontextprotocol": true,
  "@node-rs": true,
  "@sparticuz": true,
  acorn: true,
  chardet: true,
  "csv-parse": true,
  "css-select": true,
  croner: true,
  "css-what": true,
  domhandler: true,
  domutils: true,
  entities: true,
  fastify: true,
  feedsmith: true,
  "fastify-type-provider-zod": true,
  fontoxpath: true,
  htmlparser2: true,
  "ipaddr.js": true,
  jose: true,
  "json-p3": true,
  kysely: true,
  "p-limit": true,
  "pdfjs-dist": true,
  pdfkit: true,
  pino: true,
  "pino-pretty": true,
  piscina: true,
  "postal-mime": true,
  "prom-client": true,
  re2js: true,
  sharp: true,
  standardwebhooks: true,
  tldts: true,
  yaml: true,
  yauzl: true,
  zod: true,
  // Runs in a thread without addresses or environment; jq itself has no function that connects.
  "jq-web": ["checks/detection-threads/jq-thread.ts"],
  // Only its server is used, which dials nowhere.
  ws: ["server/request-handling/sockets.ts"],
  // The operator's own database, mail server, blob store and payment provider; never an address a user chose.
  pg: ["storage/", "host-limits/host-slots.ts"],
  "pg-boss": ["queue/"],
  nodemailer: ["mail/mailer.ts"],
  // Only encrypts the message; the guard sends it.
  "web-push": ["channels/push.ts"],
  // Telegram, at the address that the operator configured.
  grammy: ["channels/telegram.ts", "telegram-bot/telegram-bot.ts"],
  aws4fetch: ["storage/blobs/s3.ts"],
  // Asks the machine's own metadata service, or AWS's, for credentials.
  "@aws-sdk": ["storage/blobs/s3.ts"],
  // The operator's collector of traces.
  "@opentelemetry": ["server/observability/send-spans.ts"],
  "@paddle": ["billing/providers/paddle.ts"],
};

/** The canary of the start-up self-test (B2) listens for connections that must never arrive. */
const exceptions = new Set([
  "capture/browser/sandbox/self-test.ts: dgram",
  // The command line runs on its user's own machine; the server handles its own calls in process.
  "client/http-transport.ts: fetch",
]);

const globals = new Set(["fetch", "WebSocket", "WebSocketStream", "EventSource", "XMLHttpRequest"]);

type Node = { type: string; [key: string]: unknown };
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

function findConnections(file: string, code: string): string[] {
  const found: string[] = [];
  const tree = parse(stripTypeScriptTypes(code), { ecmaVersion: "latest", sourceType: "module" });
  visit(tree as unknown as Node, null, "");
  return found.map((what) => `${file}: ${what}`).filter((line) => !exceptions.has(line));

  function visit(node: Node, parent: Node | null, role: string) {
    const from = isNode(node.source) ? node.source.value : undefined;
    if (typeof from === "string") judgeImport(from, node);
    else if (node.type === "ImportExpression") found.push("import() of a computed name");
    if (node.type === "CallExpression") judgeCall(node, parent);
    if (node.type === "Identifier") judgeName(String(node.name), parent, role);
    for (const [key, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, key);
    }
  }

  function judgeName(name: string, parent: Node | null, role: string) {
    const isLabel = (role === "key" || role === "property") && parent?.computed !== true;
    const owner = isNode(parent?.object) ? parent.object.name : undefined;
    if (globals.has(name) && (!isLabel || owner === "globalThis")) found.push(name);
    if (["require", "getBuiltinModule", "binding"].includes(name) && role !== "key") found.push(name);
  }

  /** Only createRequire's resolve is allowed, which finds a package's files without loading them. */
  function judgeCall(node: Node, parent: Node | null) {
    if (!isNode(node.callee) || node.callee.name !== "createRequire") return;
    const isPicked = isNode(parent?.id) && parent.id.type === "ObjectPattern";
    if (parent?.type !== "MemberExpression" && !isPicked) found.push("createRequire");
  }

  function judgeImport(from: string, node: Node) {
    if (from.startsWith(".") || from.startsWith("#")) return;
    const name = from.replace(/^node:/, "");
    if (isBuiltin(from)) {
      const harmless = connectingModules[name];
      const taken = Array.isArray(node.specifiers) ? (node.specifiers as Node[]) : [];
      const isHarmless = (specifier: Node) =>
        isNode(specifier.imported) && harmless?.includes(String(specifier.imported.name));
      const isWhole = node.type !== "ImportDeclaration";
      if (harmless && (isWhole || !taken.every(isHarmless))) found.push(name);
      return;
    }
    const owner = name.startsWith("@") || !packages[name] ? name.split("/")[0] : name;
    const users = packages[owner ?? ""];
    if (users === undefined) found.push(`${name}, of which nobody has said whether it dials`);
    else if (users !== true && !users.some((path) => file.startsWith(path))) found.push(name);
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes("/testing/") && !file.includes("/fixtures/"));
}

test("E1 only the network room opens connections on the server", () => {
  const files = filesBelow(source).filter((file) => !/^(network|web|cli)\//.test(file));
  expect(files.flatMap((file) => findConnections(file, readFileSync(join(source, file), "utf8")))).toEqual(
    [],
  );
});

test("E1 only web/api opens connections in the browser", () => {
  const files = filesBelow(source).filter((file) => file.startsWith("web/") && !file.startsWith("web/api/"));
  const pattern = /(?<![.\w])fetch\s*\(|new\s+(WebSocket|EventSource|XMLHttpRequest)\b|sendBeacon/;
  expect(files.filter((file) => pattern.test(readFileSync(join(source, file), "utf8")))).toEqual([]);
});

test.each([
  ['import { connect } from "node:net";', "net"],
  ['import net from "net";', "net"],
  ['import * as tls from "node:tls";', "tls"],
  ['import { createServer, request } from "node:http";', "http"],
  ['export { get } from "node:https";', "https"],
  ['export * from "node:http";', "http"],
  ['const { connect } = await import("node:net");', "net"],
  ["const m = await import(name);", "import() of a computed name"],
  ['import { request } from "undici";', "undici, of which nobody has said whether it dials"],
  ['import pg from "pg";', "pg"],
  ['import { createSocket } from "node:dgram";', "dgram"],
  ['const a = await fetch("http://a.b/");', "fetch"],
  ["const go = globalThis.fetch;", "fetch"],
  ["const go = { fetch };", "fetch"],
  ['new WebSocket("ws://a.b");', "WebSocket"],
  ["process.getBuiltinModule(name);", "getBuiltinModule"],
  ['createRequire(import.meta.url)("net");', "createRequire"],
  ["const load = createRequire(import.meta.url);", "createRequire"],
])("E1 the check finds that %s opens connections", (code, what) => {
  expect(findConnections("jobs/x.ts", code)).toContain(`jobs/x.ts: ${what}`);
});

test.each([
  'import { createServer, type Socket } from "node:net"; createServer();',
  'import type { ClientRequest } from "node:http"; export type A = ClientRequest;',
  'import { readFile } from "node:fs/promises";',
  'await client.fetch({ url: "http://a.b/" }); const text = "fetch(x)"; // fetch(x)',
  'createRequire(import.meta.url).resolve("sharp"); const { resolve } = createRequire(import.meta.url);',
  "export const kinds = { fetch: 1, WebSocket: 2 };",
])("E1 the check allows %s", (code) => {
  expect(findConnections("jobs/x.ts", code)).toEqual([]);
});
