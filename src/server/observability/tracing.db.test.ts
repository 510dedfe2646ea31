import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { startTestEngine } from "#checks/testing/engine.ts";
import { html, story } from "#checks/testing/page.ts";

type Span = { trace: string; id: string; parent: string; name: string };

/** The length-delimited fields of a protobuf message with their numbers: all that a span needs. */
function fieldsOf(bytes: Buffer): [number, Buffer][] {
  const fields: [number, Buffer][] = [];
  let offset = 0;
  const varint = () => {
    let [value, shift] = [0, 1];
    for (;;) {
      const byte = bytes[offset++] ?? 0;
      value += (byte & 127) * shift;
      shift *= 128;
      if (byte < 128) return value;
    }
  };
  while (offset < bytes.length) {
    const key = varint();
    const wire = key & 7;
    if (wire === 0) varint();
    else if (wire === 1) offset += 8;
    else if (wire === 5) offset += 4;
    else {
      const length = varint();
      fields.push([key >>> 3, bytes.subarray(offset, offset + length)]);
      offset += length;
    }
  }
  return fields;
}
const fieldValues = (bytes: Buffer, number: number) =>
  fieldsOf(bytes).flatMap(([field, value]) => (field === number ? [value] : []));

test("a check is one trace from its claim to the delivery of its alert", async () => {
  const spans: Span[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      for (const span of fieldValues(Buffer.concat(chunks), 1)
        .flatMap((resource) => fieldValues(resource, 2))
        .flatMap((scope) => fieldValues(scope, 2))) {
        const [trace, id, parent, name] = [1, 2, 4, 5].map(
          (field) => fieldValues(span, field)[0] ?? Buffer.alloc(0),
        );
        spans.push({
          trace: trace?.toString("hex") ?? "",
          id: id?.toString("hex") ?? "",
          parent: parent?.toString("hex") ?? "",
          name: String(name),
        });
      }
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  const { port } = collector.address() as AddressInfo;
  const engine = await startTestEngine({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  });
  const { createJob, execution, run, email } = await engine.person();
  engine.site.page.html = html(...story);
  const id = await createJob();
  await execution(id, 1);
  engine.site.page.html = html(...story, "A paragraph that was not there before.");
  expect(await run(id)).toMatchObject({ changed: true });
  await engine.mailTo(email);
  await engine.close();
  collector.close();
  const delivery = spans.find(({ name }) => name === "deliver");
  const trace = spans.filter((span) => span.trace === delivery?.trace);
  expect(trace.map(({ name }) => name).sort()).toEqual([
    "announce",
    "capture",
    "capture",
    "deliver",
    "execute",
    "execute",
  ]);
  const roots = trace.filter(({ parent }) => parent === "");
  expect(roots.map(({ name }) => name)).toEqual(["execute"]);
  const ids = new Set(trace.map((span) => span.id));
  expect(trace.every(({ parent }) => parent === "" || ids.has(parent))).toBe(true);
});
