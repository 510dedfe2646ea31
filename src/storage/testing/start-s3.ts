import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import S3rver from "s3rver";

/** An S3 server with a bucket for captures, in a folder. */
export async function startS3(directory: string, { address = "127.0.0.1", port = 0 } = {}) {
  const configureBuckets = [{ name: "captures", configs: [] }];
  const server = new S3rver({ port, address, silent: true, directory, configureBuckets });
  const { store } = server;
  // By itself it answers before the file is written, and then gives what stood there before.
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const file = store.getResourcePath(bucket, key, "object");
    await mkdir(dirname(file), { recursive: true });
    const hash = createHash("md5");
    let size = 0;
    const count = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    await pipeline(
      Buffer.isBuffer(content) ? Readable.from(content) : content,
      count,
      createWriteStream(file),
    );
    const md5 = hash.digest("hex");
    await store.putMetadata(bucket, key, metadata, md5);
    return { size, md5 };
  };
  const { port: opened } = await server.run();
  return { port: opened, close: () => server.close() };
}
