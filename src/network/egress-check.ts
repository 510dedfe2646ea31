// E12: reads JSON lines and prints the guard's decision for each, without network.
import { z } from "zod";
import { type EgressAllow, parseEgressAllow } from "./egress-allow.ts";
import { createGuard, type Purpose } from "./guard.ts";
import type { RefusalCode } from "./judge-url.ts";
import { areUserHeadersAllowed, type Header } from "./user-headers.ts";

type Decision =
  | { decision: "allow"; code: "OK" }
  | { decision: "refuse"; code: RefusalCode | "INPUT" | "ALLOW" };

const question = z.object({
  url: z.string(),
  purpose: z.string().nullish(),
  dns: z.record(z.string(), z.array(z.array(z.string()))).nullish(),
  redirects: z.array(z.string()).nullish(),
  headers: z
    .union([
      z.array(z.tuple([z.string(), z.string()])),
      z.array(z.object({ name: z.string(), value: z.string() })),
      z.record(z.string(), z.string()),
    ])
    .nullish(),
  allow: z.union([z.string(), z.array(z.string())]).nullish(),
});

type Question = z.infer<typeof question>;

/** Decides one line; a line that cannot be read is refused. */
export async function checkLine(line: string): Promise<Decision> {
  const asked = question.safeParse(readJson(line));
  if (!asked.success) return refuse("INPUT");
  const allow = readAllow(asked.data.allow);
  return allow ? decide(asked.data, allow) : refuse("ALLOW");
}

async function decide(asked: Question, allow: EgressAllow): Promise<Decision> {
  if (!areUserHeadersAllowed(readHeaders(asked.headers))) return refuse("HEADER");
  const purpose = readPurpose(asked.purpose);
  const guard = createGuard({ allow, resolve: playDns(asked.dns ?? {}) });
  let judgement = await guard.judge(asked.url, purpose);
  for (const [followed, location] of (asked.redirects ?? []).entries()) {
    if (!judgement.ok) break;
    judgement = await guard.judgeRedirect(location, judgement.target.url, purpose, followed);
  }
  return judgement.ok ? { decision: "allow", code: "OK" } : refuse(judgement.code);
}

/** Answers each lookup of a name with its next list; the last one stays. */
function playDns(dns: Record<string, string[][]>) {
  const asked = new Map<string, number>();
  return async (name: string) => {
    const turn = asked.get(name) ?? 0;
    asked.set(name, turn + 1);
    const lists = Object.hasOwn(dns, name) ? (dns[name] ?? []) : [];
    return lists[Math.min(turn, lists.length - 1)] ?? [];
  };
}

// E1's purposes; we fetch no icons and no previews, which would be fetched like pages.
const purposes = new Map<string, Purpose>([
  ["page", "page"],
  ["browser", "browser"],
  ["icon", "page"],
  ["preview", "page"],
]);

/** A purpose nobody knows gets the strictest rule. */
function readPurpose(purpose: Question["purpose"]): Purpose {
  return purposes.get(purpose ?? "page") ?? "trigger";
}

function readHeaders(headers: Question["headers"]): Header[] {
  if (!Array.isArray(headers)) return Object.entries(headers ?? {});
  return headers.map((header) => (Array.isArray(header) ? header : [header.name, header.value]));
}

const allowLists = new Map<string, EgressAllow | null>();

function readAllow(allow: Question["allow"]): EgressAllow | null {
  const text = Array.isArray(allow) ? allow.join(",") : (allow ?? "");
  let list = allowLists.get(text);
  if (list === undefined) {
    list = tryParseAllow(text);
    if (allowLists.size < 10_000) allowLists.set(text, list);
  }
  return list;
}

function tryParseAllow(text: string): EgressAllow | null {
  try {
    return parseEgressAllow(text);
  } catch {
    return null;
  }
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function refuse(code: Exclude<Decision["code"], "OK">): Decision {
  return { decision: "refuse", code };
}

/** Lines end with a line feed only: other separators may stand inside a JSON string. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield lines;
  }
  if (rest !== "") yield [rest];
}

if (import.meta.main) {
  for await (const lines of linesOf(process.stdin.setEncoding("utf8"))) {
    let printed = "";
    for (const line of lines) printed += `${JSON.stringify(await checkLine(line))}\n`;
    if (!process.stdout.write(printed)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  }
}
