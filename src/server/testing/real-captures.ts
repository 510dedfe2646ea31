import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { startTestEngine } from "#checks/testing/engine.ts";
import type { ExecutionDetail } from "#contract/job.ts";
import { startCaptureWorker } from "../background-tasks/start-capture-worker.ts";

/** A reply of the watched site: a page, or anything else with its content type. */
export type Reply = string | { body: string | Uint8Array; type?: string; status?: number };

type Asked = { path: string; method: string; headers: IncomingMessage["headers"]; body: string };

/** The product with its real captures, by browser or HTTP; nothing but the watched sites is a stand-in. */
export async function startRealCaptures() {
  const engine = await startTestEngine({ capturing: false, concurrency: 3 });
  const stopCapturing = await startCaptureWorker(engine.app, { confirmAfterMs: 100 });
  const sites: { close(): void }[] = [];

  /** A site that shows one reply after the other. A host is captured twice at once, so each is a host of its own. */
  async function openSite(replies: Reply[], files: Record<string, Reply> = {}) {
    const host = process.platform === "linux" ? `127.0.0.${sites.length + 2}` : "127.0.0.1";
    const asked: Asked[] = [];
    let at = 0;
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? "/";
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "", headers } = request;
      asked.push({ path, method, headers, body: Buffer.concat(chunks).toString() });
      const reply = path.startsWith("/watched") ? (replies[at] ?? "") : files[path.split("?")[0] ?? ""];
      if (reply === undefined) return void response.writeHead(404).end();
      const {
        body,
        type = "text/html; charset=utf-8",
        status = 200,
      } = typeof reply === "string" ? { body: reply } : reply;
      response.writeHead(status, { "content-type": type }).end(body);
    };
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    sites.push({
      close() {
        server.closeAllConnections();
        server.close();
      },
    });
    const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
    return { url: `${origin}/watched`, origin, asked, show: (next: number) => void (at = next) };
  }

  /** A user with jobs on sites of their own. */
  async function open() {
    const person = await engine.person();
    // Each job's alert is looked at by itself.
    await person.call("PATCH", "/api/settings/notifications", { combineAlerts: false });
    async function run(jobId: string) {
      const { length } = await person.executionsOf(jobId);
      await person.call("POST", `/api/jobs/${jobId}/run`);
      return person.execution(jobId, length + 1);
    }

    /** Creates a job on a site of its own; `check` runs it on the next reply and returns what was found. */
    async function watch(settings: object, replies: Reply[], files: Record<string, Reply> = {}) {
      const site = await openSite(replies, files);
      const id = await person.createJob({ url: site.url + endOf(replies[0]), ...settings });
      const first = await detailOf(id, (await person.execution(id, 1)).id);
      let number = 0;
      const check = async (next = number + 1): Promise<ExecutionDetail> => {
        number = next;
        site.show(next);
        return detailOf(id, (await run(id)).id);
      };
      return { id, site, first, check };
    }

    const detailOf = async (jobId: string, executionId: string) =>
      (await person.call("GET", `/api/jobs/${jobId}/executions/${executionId}`))
        .body as unknown as ExecutionDetail;

    /** The mail about a check, once it is sent. */
    async function alertOf({ jobId, id, summary, untold }: ExecutionDetail) {
      const mail = await engine.waitFor(`the alert about “${untold ?? summary}”`, async () => {
        await sql`update pgboss.job set start_after = now() where state < 'active' and start_after > now()
          and name in ('announce', 'deliver')`.execute(engine.app.db);
        const mails = await engine.mailsTo(person.email);
        return mails.find(({ text }) => text.includes(id) && text.includes(jobId));
      });
      return { subject: mail.subject, text: mail.text.replaceAll("\r\n", "\n") };
    }

    /** The lines of the newest capture as they are compared, before any step. */
    async function textOf(jobId: string): Promise<string> {
      const { body } = await person.call("POST", `/api/jobs/${jobId}/rules/cover`, {
        steps: [{ do: "trim", text: "", to: "" }],
      });
      const [all] = body.steps as unknown as { lines: string[] }[];
      return all?.lines.join("\n") ?? "";
    }

    return { ...person, run, watch, alertOf, textOf };
  }

  return {
    ...engine,
    openSite,
    open,
    async close() {
      await engine.close();
      await stopCapturing();
      for (const site of sites) site.close();
    },
  };
}

/** By the end of its address, a file is captured by HTTP from the first time on. */
function endOf(reply: Reply | undefined): string {
  const [, kind = ""] =
    typeof reply === "object" ? (/^(?:text|application)\/(plain|json|xml)/.exec(reply.type ?? "") ?? []) : [];
  return kind && `.${kind === "plain" ? "txt" : kind}`;
}

export const page = (body: string, head = "<title>Watched</title>") =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;
export const file = (type: string) => (body: string) => ({ body, type });
export const plain = file("text/plain; charset=utf-8");
export const json = file("application/json");
