import { expect, test } from "vitest";
import { codeOf, periodOf, readCodeKey } from "./one-time-code.ts";

// The keys and codes of RFC 6238, appendix B: the ASCII digits 1 to 0, repeated to 20, 32 and 64 bytes.
const keys = {
  SHA1: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  SHA256: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
  SHA512:
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA",
};

test.for<[seconds: number, algorithm: keyof typeof keys, code: string]>([
  [59, "SHA1", "94287082"],
  [59, "SHA256", "46119246"],
  [59, "SHA512", "90693936"],
  [1_111_111_109, "SHA1", "07081804"],
  [1_111_111_111, "SHA256", "67062674"],
  [1_234_567_890, "SHA512", "93441116"],
  [20_000_000_000, "SHA1", "65353130"],
])("the code at %i s with %s is the one of RFC 6238: %s", ([seconds, algorithm, code]) => {
  const key = readCodeKey(
    `otpauth://totp/Shop:ana?secret=${keys[algorithm]}&algorithm=${algorithm}&digits=8`,
  );
  if (!key) throw new Error("the key was not read");
  expect(codeOf(key, periodOf(key, seconds * 1000))).toBe(code);
});

test("a key is read as sites show it, in groups and small letters, with six digits", () => {
  const key = readCodeKey(" gezd gnbv gy3t qojq gezd-gnbv-gy3t-qojq ");
  expect(key && codeOf(key, periodOf(key, 59_000))).toBe("287082");
});

test.for([
  "",
  "1234",
  "hunter2!",
  "GEZDGNBV",
  "otpauth://hotp/Shop?secret=GEZDGNBVGY3TQOJQ",
  "otpauth://totp/Shop",
  "otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQ&digits=40",
  "otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQ&algorithm=md5",
  "otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQ&period=1",
])("%s is no key of one-time codes", (text) => expect(readCodeKey(text)).toBeNull());
