// An S3 server that can be killed: node bench/faults/store.ts FOLDER PORT
import { startS3 } from "#storage/testing/start-s3.ts";

const [directory = "", port = "0"] = process.argv.slice(2);
await startS3(directory, { port: Number(port) });
process.stdout.write("ready\n");
