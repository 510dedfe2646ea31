import type { Command } from "commander";
import { createTwoFilesPatch } from "diff";
import type { Client, ReplyOf } from "#client/create-client.ts";
import { CommandError, type Context, exitCodes } from "../context.ts";
import { findJob } from "../find-job.ts";
import { oneLine, printable, type Terminal } from "../terminal.ts";

type Comparison = ReplyOf<"GET /api/jobs/:jobId/compare">;
type Execution = ReplyOf<"GET /api/jobs/:jobId/executions">["executions"][number];
type Options = { json?: boolean; patch?: boolean; html?: boolean };

export function addDiff(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command("diff <job> [from] [to]")
    .description("show the newest change, or the difference between two executions (by number or id)")
    .option("--json", "print the whole comparison as JSON")
    .option("--patch", "print a unified diff of the visible text, for patch(1)")
    .option("--html", "with --patch: compare the HTML instead")
    .action(async (wanted: string, from: string | undefined, to: string | undefined, options: Options) => {
      const client = await context.client();
      const job = await findJob(client, wanted);
      const pair = await choosePair(client, job.id, from, to);
      if (!pair) return terminal.say("No changes yet.");
      if (options.patch)
        return terminal.out(colorPatch(terminal, await makePatch(client, job, pair, options.html)));
      const comparison = await client.call("GET /api/jobs/:jobId/compare", {
        params: { jobId: job.id },
        query: { from: pair.from.id, to: pair.to.id },
      });
      if (options.json) return terminal.out(JSON.stringify(comparison, null, 2));
      const { style } = terminal;
      terminal.out(
        `${style("bold", oneLine(job.name))} #${pair.from.index} → #${pair.to.index}  ${pair.to.createdAt}`,
      );
      for (const line of describeComparison(terminal, comparison)) terminal.out(line);
    });
}

async function choosePair(client: Client, jobId: string, from: string | undefined, to: string | undefined) {
  if (from === undefined) {
    const { executions } = await client.call("GET /api/jobs/:jobId/executions", {
      params: { jobId },
      query: { only: "changes", limit: 1 },
    });
    const [newest] = executions;
    if (!newest) return undefined;
    const { baselineId } = await readExecution(client, jobId, newest.id);
    if (!baselineId) throw new CommandError("The capture it was compared with is no longer stored.");
    return { from: await readExecution(client, jobId, baselineId), to: newest };
  }
  const first = await findExecution(client, jobId, from);
  return {
    from: first,
    to: to === undefined ? await newestOf(client, jobId) : await findExecution(client, jobId, to),
  };
}

const readExecution = (client: Client, jobId: string, executionId: string) =>
  client.call("GET /api/jobs/:jobId/executions/:executionId", { params: { jobId, executionId } });

async function newestOf(client: Client, jobId: string): Promise<Execution> {
  const { executions } = await client.call("GET /api/jobs/:jobId/executions", {
    params: { jobId },
    query: { limit: 1 },
  });
  if (!executions[0]) throw new CommandError("The job hasn't been checked yet.");
  return executions[0];
}

async function findExecution(client: Client, jobId: string, wanted: string): Promise<Execution> {
  if (/^[0-9a-f-]{36}$/.test(wanted)) return readExecution(client, jobId, wanted);
  const number = Number(wanted.replace(/^#/, ""));
  if (!Number.isInteger(number) || number < 1)
    throw new CommandError(`"${wanted}" isn't the number or the id of an execution.`, exitCodes.usage);
  let cursor: string | undefined;
  do {
    const page = await client.call("GET /api/jobs/:jobId/executions", {
      params: { jobId },
      query: { limit: 100, cursor },
    });
    const found = page.executions.find(({ index }) => index === number);
    if (found) return found;
    const oldest = page.executions.at(-1);
    cursor = oldest && oldest.index > number ? (page.nextCursor ?? undefined) : undefined;
  } while (cursor);
  throw new CommandError(`There is no execution #${number}.`);
}

function* describeComparison(
  { style }: Terminal,
  { changed, severity, summary, reasons, findings, similarity }: Comparison,
): Generator<string> {
  if (!changed && reasons.length === 0) {
    yield style("gray", "No relevant difference.");
    return;
  }
  yield `${severity}: ${oneLine(summary)} (${Math.round(similarity)}% alike)`;
  for (const reason of reasons) {
    yield "";
    yield style("cyan", `@@ ${reason.kind}: ${oneLine(reason.summary)}`);
    for (const { before, after } of reason.changes) {
      if (before !== null) yield style("red", `- ${oneLine(before)}`);
      if (after !== null) yield style("green", `+ ${oneLine(after)}`);
    }
    const left = reason.count - reason.changes.length;
    if (left > 0) yield style("gray", `  … ${left} more`);
  }
  if (findings.length > 0) yield "";
  for (const { kind, value, where } of findings) {
    yield style("yellow", `! ${kind}: ${oneLine(value)}${where ? ` (${oneLine(where)})` : ""}`);
  }
}

async function makePatch(
  client: Client,
  job: { id: string; name: string },
  pair: { from: Execution; to: Execution },
  asHtml = false,
): Promise<string> {
  const read = async ({ id }: Execution) => {
    const content = await client.stream(
      `GET /api/jobs/:jobId/executions/:executionId/${asHtml ? "html" : "text"}`,
      { params: { jobId: job.id, executionId: id } },
    );
    return content.text();
  };
  const [before, after] = await Promise.all([read(pair.from), read(pair.to)]);
  const file = `${job.name.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.${asHtml ? "html" : "txt"}`;
  const header = (one: Execution) => `#${one.index} ${one.createdAt}`;
  return createTwoFilesPatch(
    `a/${file}`,
    `b/${file}`,
    before.endsWith("\n") ? before : `${before}\n`,
    after.endsWith("\n") ? after : `${after}\n`,
    header(pair.from),
    header(pair.to),
  ).trimEnd();
}

function colorPatch({ style }: Terminal, patch: string): string {
  return patch
    .split("\n")
    .map((line) => {
      const text = printable(line);
      if (/^(\+\+\+|---|===)/.test(text)) return style("bold", text);
      if (text.startsWith("@@")) return style("cyan", text);
      if (text.startsWith("+")) return style("green", text);
      return text.startsWith("-") ? style("red", text) : text;
    })
    .join("\n");
}
