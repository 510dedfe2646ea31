import { hash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
import S3rver from "s3rver";

/** An S3 server with a bucket for captures, in a folder. */
export async function startS3(directory: string, { address = "127.0.0.1", port = 0 } = {}) {
  const configureBuckets = [{ name: "captures", configs: [] }];
  const server = new S3rver({ port, address, silent: true, directory, configureBuckets });
  const { store } = server;
  // The original method answers before the file is written, so that a read could return the previous content.
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const file = store.getResourcePath(bucket, key, "object");
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
    const md5 = hash("md5", bytes);
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
  const { port: opened } = await server.run();
  return { port: opened, close: () => server.close() };
}
