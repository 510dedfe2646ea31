// An S3 server that can be killed: node bench/faults/store.ts FOLDER PORT
import S3rver from "s3rver";

const [directory = "", port = "0"] = process.argv.slice(2);
await new S3rver({
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: "captures", configs: [] }],
}).run();
process.stdout.write("ready\n");
