import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts an RFC 3161 time-stamping authority on loopback that creates its time stamps with OpenSSL. */
export async function startStampAuthority() {
  const folder = mkdtempSync(join(tmpdir(), "watchglass-tsa-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  writeFileSync(
    join(folder, "tsa.cnf"),
    `[req]
distinguished_name = name
x509_extensions = tsa
prompt = no
[name]
CN = Test authority
[tsa]
extendedKeyUsage = critical,timeStamping
[tsa_config]
serial = serial
crypto_device = builtin
signer_cert = cert.pem
signer_key = key.pem
certs = cert.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
`,
  );
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "key.pem",
    "-out",
    "cert.pem",
    "-days",
    "30",
    "-config",
    "tsa.cnf",
  );
  writeFileSync(join(folder, "serial"), "01\n");
  /** If `answer` is set, it is sent instead of a time stamp. */
  const state: { answer: { status: number; body: string } | null; asked: number } = {
    answer: null,
    asked: 0,
  };
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = Buffer.concat(await request.toArray());
    if (state.answer) return void response.writeHead(state.answer.status).end(state.answer.body);
    writeFileSync(join(folder, "query"), query);
    openssl(
      "ts",
      "-reply",
      "-config",
      "tsa.cnf",
      "-section",
      "tsa_config",
      "-queryfile",
      "query",
      "-out",
      "reply",
    );
    const reply = readFileSync(join(folder, "reply"));
    response.writeHead(200, { "content-type": "application/timestamp-reply" }).end(reply);
  }
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    state,
    /** The authority's own certificate, as PEM. */
    certificate: () => readFileSync(join(folder, "cert.pem")),
    async close() {
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
