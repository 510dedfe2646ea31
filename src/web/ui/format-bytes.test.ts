import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1024, "1 KiB"],
  [1536, "1.5 KiB"],
  [5_600_000, "5.3 MiB"],
  [20 * 1024 ** 3, "20 GiB"],
  [5000 * 1024 ** 3, "5,000 GiB"],
])("%d bytes are shown as %s", (bytes, shown) => expect(formatBytes(bytes)).toBe(shown));
