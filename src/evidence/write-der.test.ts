import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomBytes, sign, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childrenOf, type Der, parseDer, readElement } from "./verify/read-der.ts";
import { readStamp } from "./verify/read-stamp.ts";
import { writeElement, writeLength } from "./write-der.ts";

const longest = 70_000;

test("elements of every length from 0 to 70,000 are written and read back", () => {
  const content = randomBytes(longest);
  const room = Buffer.alloc(longest + 8);
  const misread: number[] = [];
  for (let length = 0; length <= longest; length++) {
    const head = Buffer.concat([Buffer.from([0x04]), writeLength(length)]);
    head.copy(room);
    content.copy(room, head.length, 0, Math.min(length, 16));
    const element = readElement(room, 0);
    if (element.bytes.length !== length || element.raw.length !== head.length + length) misread.push(length);
  }
  expect(misread).toEqual([]);
});

test.each([
  [0, "00"],
  [127, "7f"],
  [128, "8180"],
  [255, "81ff"],
  [256, "820100"],
  [65_535, "82ffff"],
  [65_536, "83010000"],
])("a length of %i is written as %s, and nested elements of it are read", (length, written) => {
  expect(writeLength(length).toString("hex")).toBe(written);
  const content = randomBytes(length);
  const whole = writeElement(0x30, writeElement(0x04, content), writeElement(0x05));
  const [first, second] = childrenOf(parseDer(whole)[0]);
  expect(first?.bytes.equals(content)).toBe(true);
  expect(second).toMatchObject({ tag: 0x05 });
});

test.each([
  ["a short length in the long form", "04817f"],
  ["a length with a leading zero", "0482008000"],
])("%s is refused, because DER allows only one form", (_, hex) => {
  expect(() => readElement(Buffer.concat([Buffer.from(hex, "hex"), Buffer.alloc(200)]), 0)).toThrow(
    "not DER",
  );
});

// Time stamps are made by OpenSSL, which also has to accept them. Where it is missing, these tests are listed as skipped.
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** Names as authorities have them: each is a section of OpenSSL's configuration. */
const names: [string, string, Record<string, string>][] = [
  ["one short name", "CN = A", {}],
  ["several parts", "C = US\nO = Example Trust, Inc.\nOU = Time stamps\nCN = Example TSA 2026", {}],
  ["letters beyond Latin", "O = Τίτλος 株式会社\nCN = Штамп времени", {}],
  ["no name at all, only an extension", "", { subjectAltName: "critical,URI:https://tsa.example/" }],
  ["no name anywhere", "", {}],
  ["a part with commas, quotes and a plus sign", 'CN = "A, B + C = \\"D\\""', {}],
  ["two values in one part", "CN = A\n+OU = B", {}],
  ["a name of 64 characters", `CN = ${"n".repeat(64)}`, {}],
  ["an unusual attribute", "serialNumber = 12345\nemailAddress = tsa@example.com\nDC = example", {}],
  [
    "many parts",
    Array.from({ length: 20 }, (_, n) => `${n}.OU = Unit ${n} ${"x".repeat(40)}`).join("\n"),
    {},
  ],
];
/** What certificates of no authority are for. */
const otherUses: [string, string][] = [
  ["signing code too", "critical,timeStamping,codeSigning"],
  ["stamps, but not marked as critical", "timeStamping"],
  ["signing code", "critical,codeSigning"],
];
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "watchglass-names-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });

/** Writes a DER encoding again, with some of its elements replaced. */
const rewrite = (bytes: Buffer, replace: (element: Der) => Buffer | undefined): Buffer =>
  Buffer.concat(
    parseDer(bytes).map(
      (element) =>
        replace(element) ??
        ((element.tag & 0x20) === 0
          ? element.raw
          : writeElement(element.tag, rewrite(element.bytes, replace))),
    ),
  );

test.skipIf(!hasOpenssl).each(otherUses)(
  "a stamp whose certificate is for %s is refused, and OpenSSL agrees",
  (_, use) => {
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.pem");
    const makeCertificate = (name: string, keyUsage: string) => {
      writeFileSync(
        join(folder, "tsa.cnf"),
        `[req]\ndistinguished_name = name\nx509_extensions = tsa\nprompt = no\n[name]\nCN = A\n[tsa]\nbasicConstraints = critical,CA:true\nextendedKeyUsage = ${keyUsage}\n[tsa_config]\nserial = serial\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\ness_cert_id_alg = sha256\n`,
      );
      const config = ["-days", "3", "-set_serial", "1", "-config", "tsa.cnf"];
      openssl("req", "-x509", "-key", "key.pem", "-out", name, ...config);
      return new X509Certificate(readFileSync(join(folder, name))).raw;
    };
    const odd = makeCertificate("odd.pem", use);
    const good = makeCertificate("good.pem", "critical,timeStamping");
    writeFileSync(join(folder, "serial"), "01\n");
    const hash = randomBytes(32).toString("hex");
    openssl("ts", "-query", "-digest", hash, "-sha256", "-cert", "-out", "query");
    const reply = ["ts", "-reply", "-config", "tsa.cnf", "-section", "tsa_config", "-queryfile", "query"];
    openssl(...reply, "-signer", "good.pem", "-inkey", "key.pem", "-token_out", "-out", "token");
    const verifyBy = (certificate: string) =>
      openssl("ts", "-verify", "-digest", hash, "-in", "token", "-token_in", "-CAfile", certificate);
    const token = readFileSync(join(folder, "token"));
    expect(readStamp(token, hash)).not.toHaveProperty("problem");
    expect(String(verifyBy("good.pem"))).toMatch(/Verification: OK/);
    // OpenSSL makes no stamp for the other certificate, so it is put in the place of the first one and signed for.
    const hashOf = (raw: Buffer) => createHash("sha256").update(raw).digest();
    let signedAttributes: Buffer = Buffer.of();
    const withOther = rewrite(token, (element) => {
      if (element.raw.equals(good)) return odd;
      const isAttributes =
        element.tag === 0xa0 && element.bytes.includes(hashOf(good)) && !element.raw.includes(good);
      if (!isAttributes) return undefined;
      const attributes = rewrite(element.bytes, ({ bytes }) =>
        bytes.equals(hashOf(good)) ? writeElement(0x04, hashOf(odd)) : undefined,
      );
      signedAttributes = writeElement(0x31, attributes);
      return writeElement(0xa0, attributes);
    });
    const signature = sign("sha256", signedAttributes, readFileSync(join(folder, "key.pem")));
    const [info] = childrenOf(childrenOf(childrenOf(childrenOf(parseDer(token)[0])[1])[0]).at(-1));
    const old = childrenOf(info).findLast(({ tag }) => tag === 0x04)?.raw ?? Buffer.of();
    const forged = rewrite(withOther, ({ raw }) =>
      raw.equals(old) ? writeElement(0x04, signature) : undefined,
    );
    writeFileSync(join(folder, "token"), forged);
    expect(readStamp(forged, hash)).toEqual({ problem: "its certificate is not one for time stamps." });
    expect(() => verifyBy("odd.pem")).toThrow(/certificate purpose|purpose/i);
  },
);

test.skipIf(!hasOpenssl).each(names)(
  "a stamp of an authority with %s is read, and OpenSSL agrees",
  (_, name, more) => {
    const extensions = Object.entries(more).map(([key, value]) => `${key} = ${value}\n`);
    writeFileSync(
      join(folder, "tsa.cnf"),
      `[req]\ndistinguished_name = name\nx509_extensions = tsa\nprompt = no\nutf8 = yes\nstring_mask = utf8only\n[name]\n${name}\n[tsa]\nbasicConstraints = critical,CA:true\nextendedKeyUsage = critical,timeStamping\n${extensions.join("")}[tsa_config]\nserial = serial\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\ness_cert_id_alg = sha256\n`,
    );
    writeFileSync(join(folder, "serial"), "01\n");
    const subject = name === "" ? ["-subj", "/"] : [];
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.pem");
    openssl(
      "req",
      "-x509",
      "-key",
      "key.pem",
      "-out",
      "cert.pem",
      "-days",
      "3",
      "-config",
      "tsa.cnf",
      ...subject,
    );
    const hash = randomBytes(32).toString("hex");
    openssl("ts", "-query", "-digest", hash, "-sha256", "-cert", "-out", "query");
    const signer = ["-signer", "cert.pem", "-inkey", "key.pem"];
    openssl(
      "ts",
      "-reply",
      "-config",
      "tsa.cnf",
      "-section",
      "tsa_config",
      "-queryfile",
      "query",
      ...signer,
      "-token_out",
      "-out",
      "token",
    );
    const token = execFileSync("cat", ["token"], { cwd: folder });
    const stamp = readStamp(token, hash);
    expect(stamp).not.toHaveProperty("problem");
    expect(stamp).toMatchObject({
      authority: expect.stringMatching(/./),
      certificate: expect.stringMatching(/^[\da-f]{64}$/),
    });
    const verified = openssl(
      "ts",
      "-verify",
      "-digest",
      hash,
      "-in",
      "token",
      "-token_in",
      "-CAfile",
      "cert.pem",
    );
    expect(String(verified)).toMatch(/Verification: OK/);
    expect(readStamp(token, "a".repeat(64))).toEqual({ problem: "it stamps something else." });
  },
);
