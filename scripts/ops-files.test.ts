import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ops-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

const has = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: join(root, "ops") });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

const metricNames = new Set(
  ["src/server/metrics.ts", "src/server/watch-metrics.ts"].flatMap((path) =>
    [...read(path).matchAll(/"(watchglass_\w+)"/g)].map(([, name]) => name),
  ),
);

test.each(["ops/alerts.yml", "ops/grafana.json", "docs/operations.md"])(
  "%s names only figures that there are",
  (path) => {
    const named = [...read(path).matchAll(/\bwatchglass_\w+[a-z](?!\*)\b/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ""),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(
      named.filter(
        (name) => !metricNames.has(name) && ![...metricNames].some((known) => known?.startsWith(`${name}_`)),
      ),
    ).toEqual([]);
  },
);

test("each alert has a line in the guide on what to do, and each line an alert", () => {
  const alerts = [...read("ops/alerts.yml").matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const told = [...read("docs/operations.md").matchAll(/^\| (Watchglass\w+) +\| \S/gm)].map(
    ([, name]) => name,
  );
  expect(alerts.length).toBeGreaterThanOrEqual(12);
  expect(told).toEqual(alerts);
});

test("every setting that ops/ uses is one that the product or its parts read", () => {
  const known = new Set(
    [...read("src/server/config.ts").matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
  );
  for (const name of [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "UV_THREADPOOL_SIZE",
    "NODE_ENV",
    "NODE_COMPILE_CACHE",
    "MALLOC_MMAP_THRESHOLD_",
  ])
    known.add(name);
  const compose = read("ops/compose.yml").split("\nservices:")[0] ?? "";
  const used = [
    ...[...compose.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name),
    ...[...read("ops/Dockerfile").matchAll(/\b([A-Z_]+)=/g)].map(([, name]) => name),
    ...[...read("ops/kubernetes.yml").matchAll(/name: ([A-Z_]{3,}),/g)].map(([, name]) => name),
    ...[...read("ops/systemd/watchglass@.service").matchAll(/[ =]([A-Z_]{4,})=/g)].map(([, name]) => name),
  ];
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("wherever the product is started, the memory of pictures is given back", () => {
  for (const file of ["package.json", "ops/Dockerfile", "ops/systemd/watchglass@.service"])
    expect(read(file), file).toMatch(/\bMALLOC_MMAP_THRESHOLD_=1048576\b/);
});

test.runIf(has("promtool"))("promtool takes the alerts and the scraping", () => {
  expect(run("promtool", ["check", "rules", "alerts.yml"])).toBe("");
  copyFileSync(join(root, "ops/alerts.yml"), join(folder, "alerts.yml"));
  writeFileSync(
    join(folder, "prometheus.yml"),
    read("ops/prometheus.yml").replace("/etc/prometheus/watchglass-token", "/dev/null"),
  );
  expect(run("promtool", ["check", "config", join(folder, "prometheus.yml")])).toBe("");
});

test.runIf(has("yamllint"))("yamllint takes every YAML file", () => {
  const rules =
    "{extends: default, rules: {line-length: {max: 140}, document-start: disable, braces: {max-spaces-inside: 1}, comments: disable}}";
  const files = readdirSync(join(root, "ops")).filter((name) => name.endsWith(".yml"));
  expect(run("yamllint", ["-d", rules, ...files])).toBe("");
});

test.runIf(has("systemd-analyze"))("systemd takes the units", () => {
  const units = readdirSync(join(root, "ops/systemd")).map((name) => {
    const path = join(folder, name.replace("@.", "@api."));
    // What it starts is not installed here.
    const unit = read(`ops/systemd/${name}`).replace(
      /\/opt\/watchglass\/node_modules\/\.bin\/node/g,
      process.execPath,
    );
    writeFileSync(path, unit);
    return path;
  });
  const { stdout, stderr } = spawnSync("systemd-analyze", ["verify", ...units], { encoding: "utf8" });
  expect(`${stdout}${stderr}`.split("\n").filter((line) => line.includes("watchglass"))).toEqual([]);
});
