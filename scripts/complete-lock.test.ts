import { expect, test } from "vitest";
import { completeLock, isSameLock, judgeLock } from "./complete-lock.ts";

const tool = {
  version: "2.0.0",
  dev: true,
  optionalDependencies: {
    "@tool/linux-x64": "2.0.0",
    "@tool/darwin-arm64": "2.0.0",
    "@tool/wasm32-wasi": "2.0.0",
  },
};
const lock = {
  name: "project",
  packages: {
    "": { optionalDependencies: { unused: "1.0.0" } },
    "node_modules/@tool/linux-x64": {
      version: "2.0.0",
      dev: true,
      optional: true,
      cpu: ["x64"],
      os: ["linux"],
    },
    "node_modules/tool": tool,
  },
};

test("packages for other platforms are added with their platform, and nothing else is changed", () => {
  const completed = completeLock(lock);
  expect(completed).toEqual({
    name: "project",
    packages: {
      ...lock.packages,
      "node_modules/@tool/darwin-arm64": {
        version: "2.0.0",
        cpu: ["arm64"],
        dev: true,
        optional: true,
        os: ["darwin"],
      },
      "node_modules/@tool/wasm32-wasi": { version: "2.0.0", cpu: ["wasm32"], dev: true, optional: true },
    },
  });
  expect(Object.keys(completed.packages)[1]).toBe("node_modules/@tool/darwin-arm64");
  expect(completeLock(completed)).toEqual(completed);
});

test("a lock file that lacks platforms or names a registry is refused with instructions", () => {
  expect(judgeLock(completeLock(lock))).toEqual([]);
  expect(judgeLock(lock)).toEqual([expect.stringContaining("lacks 2 packages for other platforms")]);
  const named = {
    packages: { "node_modules/a": { version: "1.0.0", resolved: "https://registry.example/a.tgz" } },
  };
  expect(judgeLock(named)).toEqual([expect.stringContaining("names a registry (node_modules/a)")]);
});

test("after an install, a lock file may differ only in what npm 10 leaves out", () => {
  const path = "node_modules/@tool/linux-x64-musl";
  const withLibc = { packages: { [path]: { version: "2.0.0", libc: ["musl"] } } };
  expect(isSameLock(withLibc, { packages: { [path]: { version: "2.0.0" } } })).toBe(true);
  expect(isSameLock(withLibc, { packages: { [path]: { version: "2.0.1" } } })).toBe(false);
  expect(isSameLock(withLibc, { packages: {} })).toBe(false);
});
