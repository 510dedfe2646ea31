import type { Transform } from "node:stream";
import type { Header } from "#page-requests/user-headers.ts";
import { FailureError } from "../failure.ts";
import { createDecoder, isEarlyEnd, listCodings } from "./content-codings.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Decodes the one coding that a body may have, up to `maxBytes` of output (E10). Data that ends too early is a failure,
 * unless we cut it ourselves.
 */
export async function decodeBody(
  answer: Exchange,
  maxBytes: number,
  cut: boolean,
): Promise<{ body: Uint8Array; isCut: boolean }> {
  const { body, isCut } = answer;
  if (codingsOf(answer.headers, "transfer-encoding").some((coding) => coding !== "chunked")) {
    throw new FailureError("protocol");
  }
  const [layer, ...more] = codingsOf(answer.headers, "content-encoding");
  if (body.length === 0 || layer === undefined) {
    return { body: body.subarray(0, maxBytes), isCut: isCut || body.length > maxBytes };
  }
  const decoder = more.length === 0 ? createDecoder(layer, body) : undefined;
  if (!decoder) throw new FailureError("protocol");
  const unpacked = await unpack(decoder, body, maxBytes, isCut);
  if (unpacked.isCut && !cut) throw new FailureError("too-large");
  return unpacked;
}

const codingsOf = (headers: Header[], name: string): string[] =>
  listCodings(headers.filter((header) => header[0] === name).map((header) => header[1]));

async function unpack(decoder: Transform, body: Buffer, maxBytes: number, wasCut: boolean) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  decoder.end(body);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    if (!wasCut) throw new FailureError(isEarlyEnd(error) ? "cut" : "protocol", error);
  }
  return { body: Buffer.concat(chunks), isCut: wasCut || bytes > maxBytes };
}
