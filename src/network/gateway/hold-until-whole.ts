import { finished, Transform } from "node:stream";
import { createDecoder, isEarlyEnd } from "../dialing/content-codings.ts";
import { FailureError } from "../failure.ts";

// Beyond what a capture takes of a document; who packs more than this into one is refused for its size.
const maxDecoded = 64 * 1024 * 1024;

/**
 * Passes a coded body on, its last byte only once the coding has ended as well. Chromium takes a coded body that ends
 * early for a whole one, so that it must not see this transfer end.
 */
export function holdUntilWhole(coding: string): Transform {
  let decoder: Transform | undefined;
  let isChecked = false;
  let decoded = 0;
  let lastByte: Buffer | undefined;
  let goOn = () => {};

  function start(chunk: Buffer): Transform | undefined {
    const made = createDecoder(coding, chunk);
    isChecked = made !== undefined;
    const stopChecking = () => {
      isChecked = false;
      made?.destroy();
    };
    made?.on("data", (part: Buffer) => {
      decoded += part.length;
      if (decoded > maxDecoded) stopChecking();
    });
    // What is broken rather than short is the browser's to judge.
    made?.on("error", (error) => {
      if (!isEarlyEnd(error)) stopChecking();
    });
    // One that is broken does not call back for what it was given.
    made?.on("close", () => goOn());
    return made;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (lastByte === undefined) decoder = start(chunk);
      else this.push(lastByte);
      lastByte = chunk.subarray(-1);
      if (chunk.length > 1) this.push(chunk.subarray(0, -1));
      if (!isChecked || !decoder) return done();
      goOn = () => {
        goOn = () => {};
        done();
      };
      decoder.write(chunk, () => goOn());
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
