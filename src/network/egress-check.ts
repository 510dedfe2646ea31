// E12: reads JSON lines and prints the guard's decision for each, without network.
import { z } from "zod";
import { areUserHeadersAllowed, type Header } from "#page-requests/user-headers.ts";
import { type EgressAllow, parseEgressAllow } from "./address-rules/egress-allow.ts";
import { createGuard, type Purpose } from "./guard.ts";
import type { RefusalCode } from "./judge-url.ts";

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

/** Decides one line; a line that cannot be parsed is refused. */
export async function checkLine(line: string): Promise<Decision> {
  const parsed = question.safeParse(readJson(line));
  if (!parsed.success) return refuse("INPUT");
  const allow = readAllow(parsed.data.allow);
  return allow ? decide(parsed.data, allow) : refuse("ALLOW");
}

async function decide(input: Question, allow: EgressAllow): Promise<Decision> {
  if (!areUserHeadersAllowed(readHeaders(input.headers))) return refuse("HEADER");
  const purpose = readPurpose(input.purpose);
  const guard = createGuard({ allow, resolve: playDns(input.dns ?? {}) });
  let judgement = await guard.judge(input.url, purpose);
  for (const [followed, location] of (input.redirects ?? []).entries()) {
    if (!judgement.ok) break;
    judgement = await guard.judgeRedirect(location, judgement.target.url, purpose, followed);
  }
  return judgement.ok ? { decision: "allow", code: "OK" } : refuse(judgement.code);
}

/** Answers each lookup of a name with its next list of URLs, and then always with the last one. */
function playDns(dns: Record<string, string[][]>) {
  const lookups = new Map<string, number>();
  return async (name: string) => {
    const count = lookups.get(name) ?? 0;
    lookups.set(name, count + 1);
    const lists = Object.hasOwn(dns, name) ? (dns[name] ?? []) : [];
    return lists[Math.min(count, lists.length - 1)] ?? [];
  };
}

// E1's purposes. We fetch no icons and no previews; they would be fetched like pages.
const purposes = new Map<string, Purpose>([
  ["page", "page"],
  ["browser", "browser"],
  ["icon", "page"],
  ["preview", "page"],
]);

/** An unknown purpose gets the strictest rule. */
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

/** Splits at line feeds only, because a JSON string may contain other line separators. */
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
