import type { startTestEngine } from "#checks/testing/engine.ts";
import type { ImportReply } from "#contract/import.ts";
import type { ImportLine } from "#contract/import-line.ts";

type Call = Awaited<ReturnType<typeof startTestEngine>>["call"];
type Refusal = { code?: string; message?: string };

async function post(call: Call, token: string, path: string, content: BlobPart) {
  const form = new FormData();
  form.set("file", new Blob([content]), "file");
  const packed = new Response(form);
  const headers = { "content-type": packed.headers.get("content-type") ?? "" };
  return call("POST", path, Buffer.from(await packed.bytes()), { token, headers });
}

/** Imports a file as a person would, or only tries it. */
export async function sendImport(
  { call }: { call: Call },
  { token }: { token: string },
  content: BlobPart,
  dryRun = false,
) {
  const { status, body } = await post(call, token, `/api/import?dryRun=${dryRun}`, content);
  return { status, body: body as unknown as ImportReply & Refusal };
}

/** The same, with all that is told on the way. */
export async function followImport(
  { call }: { call: Call },
  { token }: { token: string },
  content: BlobPart,
  dryRun = false,
): Promise<ImportLine[]> {
  const { raw } = await post(call, token, `/api/import/progress?dryRun=${dryRun}`, content);
  return raw
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
