import type { startTestEngine } from "#checks/testing/engine.ts";
import type { ImportReply } from "#contract/import.ts";
import type { ImportLine } from "#contract/import-line.ts";

type Call = Awaited<ReturnType<typeof startTestEngine>>["call"];
type Refusal = { code?: string; message?: string };

async function post(call: Call, token: string, path: string, content: BlobPart) {
  const form = new FormData();
  form.set("file", new Blob([content]), "file");
  const encodedForm = new Response(form);
  const headers = { "content-type": encodedForm.headers.get("content-type") ?? "" };
  return call("POST", path, Buffer.from(await encodedForm.bytes()), { token, headers });
}

/** Uploads a file to import through the API; with `dryRun` nothing is imported. */
export async function sendImport(
  { call }: { call: Call },
  { token }: { token: string },
  content: BlobPart,
  dryRun = false,
) {
  const { status, body } = await post(call, token, `/api/import?dryRun=${dryRun}`, content);
  return { status, body: body as unknown as ImportReply & Refusal };
}

/** The same, but returns every line of progress that the server sends. */
export async function sendImportWithProgress(
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
