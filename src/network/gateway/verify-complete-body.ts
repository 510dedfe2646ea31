import { finished, Transform } from "node:stream";
import { createDecoder, isEarlyEnd } from "../dialing/content-codings.ts";
import { FailureError } from "../failure.ts";

// More than a capture accepts of a document; one that decodes to more than this is refused for its size.
const maxDecoded = 64 * 1024 * 1024;

/**
 * Forwards a compressed body, but its last byte only once the compressed data is complete. Chromium accepts compressed
 * data that ends early as complete, so it must not see such a transfer end.
 */
export function verifyCompleteBody(coding: string): Transform {
  let decoder: Transform | undefined;
  let isChecked = false;
  let decoded = 0;
  let lastByte: Buffer | undefined;
  let resume = () => {};

  function start(chunk: Buffer): Transform | undefined {
    const newDecoder = createDecoder(coding, chunk);
    isChecked = newDecoder !== undefined;
    const stopChecking = () => {
      isChecked = false;
      newDecoder?.destroy();
    };
    newDecoder?.on("data", (part: Buffer) => {
      decoded += part.length;
      if (decoded > maxDecoded) stopChecking();
    });
    // Data that is corrupt rather than cut is left to the browser to judge.
    newDecoder?.on("error", (error) => {
      if (!isEarlyEnd(error)) stopChecking();
    });
    // A decoder that failed does not call back for the chunk it was given.
    newDecoder?.on("close", () => resume());
    return newDecoder;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (lastByte === undefined) decoder = start(chunk);
      else this.push(lastByte);
      lastByte = chunk.subarray(-1);
      if (chunk.length > 1) this.push(chunk.subarray(0, -1));
      if (!isChecked || !decoder) return done();
      resume = () => {
        resume = () => {};
        done();
      };
      decoder.write(chunk, () => resume());
    },
    flush(done) {
      const pass = () => done(null, lastByte);
      if (!isChecked || !decoder) return pass();
      finished(decoder, { writable: false }, (error) => {
        if (error && isEarlyEnd(error)) done(new FailureError("cut", error));
        else pass();
      });
      decoder.end();
    },
    destroy(error, done) {
      decoder?.destroy();
      done(error);
    },
  });
}
