import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "ops-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

// `npm test` brings nginx and promtool (scripts/fetch-ops-tools.ts).
const has = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
function run(command: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd: join(root, "ops") });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

const metricNames = new Set(
  ["src/server/observability/metrics.ts", "src/server/observability/watch-metrics.ts"].flatMap((path) =>
    [...read(path).matchAll(/"(watchglass_\w+)"/g)].map(([, name]) => name),
  ),
);

test.each(["ops/alerts.yml", "ops/grafana.json", "docs/operations.md"])(
  "%s names only metrics that exist",
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

test("each alert has a row in docs/operations.md on what to do, and each row has an alert", () => {
  const alerts = [...read("ops/alerts.yml").matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const documented = [...read("docs/operations.md").matchAll(/^\| (Watchglass\w+) +\| \S/gm)].map(
    ([, name]) => name,
  );
  expect(alerts.length).toBeGreaterThanOrEqual(12);
  expect(documented).toEqual(alerts);
});

test("every setting that ops/ uses is read by the product or its parts", () => {
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

test("every way to start the product sets MALLOC_MMAP_THRESHOLD_, so that memory of pictures is freed", () => {
  for (const file of ["package.json", "ops/Dockerfile", "ops/systemd/watchglass@.service"])
    expect(read(file), file).toMatch(/\bMALLOC_MMAP_THRESHOLD_=1048576\b/);
});

test.runIf(has("promtool"))("promtool accepts the alerts and the scrape configuration", () => {
  expect(run("promtool", ["check", "rules", "alerts.yml"])).toBe("");
  copyFileSync(join(root, "ops/alerts.yml"), join(folder, "alerts.yml"));
  writeFileSync(
    join(folder, "prometheus.yml"),
    read("ops/prometheus.yml").replace("/etc/prometheus/watchglass-token", "/dev/null"),
  );
  expect(run("promtool", ["check", "config", join(folder, "prometheus.yml")])).toBe("");
});

test.runIf(has("promtool"))(
  "promtool finds that each tested alert fires when it should and only then",
  () => {
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", "alerts.test.yml"], {
      encoding: "utf8",
      cwd: join(root, "ops"),
    });
    expect(`${stdout}${stderr}`).not.toContain("FAILED");
    expect(status).toBe(0);
  },
);

test("alerts compare sums over all processes, because series of other processes or results never match", () => {
  const { groups } = parse(read("ops/alerts.yml")) as { groups: { rules: { expr: string }[] }[] };
  const expressions = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  const binary = expressions.filter((expr) => /\s(unless|and|or)\s|\s\/\s/.test(expr));
  expect(binary.length).toBeGreaterThanOrEqual(4);
  for (const expr of binary)
    for (const side of expr.split(/\s(?:unless|and|or|\/)\s/)) expect(side.trim()).toMatch(/^(sum|max)\b/);
});

test("each replica is scraped by itself, under the name of its role", () => {
  const { scrape_configs: jobs } = parse(read("ops/prometheus.yml")) as {
    scrape_configs: { static_configs?: object; dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const targets = jobs.flatMap(({ dns_sd_configs }) =>
    dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
  );
  expect(targets).toEqual(["api:3000", "scheduler:9464", "worker:9464"]);
  expect(jobs.filter((job) => job.static_configs)).toEqual([]);
  const services = parseAllDocuments(read("ops/kubernetes.yml")).map(
    (document) => document.toJS() as { metadata: { name: string }; spec?: { clusterIP?: string } },
  );
  expect(
    services.filter(({ spec }) => spec?.clusterIP === "None").map(({ metadata }) => metadata.name),
  ).toEqual(["api-each", "scheduler-each", "worker-each"]);
});

test("nginx.conf has no directive that 1.22 or 1.27 refuses, and looks names up again", () => {
  const lines = read("ops/nginx.conf")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim());
  // "http2 on" came with 1.25.1, "resolve" of a server in an upstream with 1.27.3.
  expect(lines.filter((line) => /^http2\s|^server .*\bresolve\b|^upstream\s/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith("proxy_pass "))).toEqual(
    ["api", "api", "live", "live", "api"].map((name) => `proxy_pass $${name};`),
  );
  expect(lines.some((line) => line.startsWith("resolver "))).toBe(true);
});

test.runIf(has("nginx") && has("openssl"))("nginx accepts the configuration", () => {
  const certificate = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  spawnSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a", ...certificate]);
  const site = read("ops/nginx.conf").replaceAll("/etc/nginx/tls", folder);
  writeFileSync(join(folder, "site.conf"), site);
  const pid = join(folder, "nginx.pid");
  // Its package's own folders exist only where it is installed.
  const ownFolders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .concat("access_log off;")
    .join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `events {}\npid ${pid};\nhttp { ${ownFolders} include ${join(folder, "site.conf")}; }\n`,
  );
  const args = ["-t", "-e", "stderr", "-p", folder, "-c", join(folder, "nginx.conf")];
  const { stderr } = spawnSync("nginx", args, { encoding: "utf8" });
  expect(stderr).toContain("test is successful");
});

test("secrets of an installation get neither into the image nor into the repository", () => {
  const isIgnored = (file: string, path: string) =>
    read(file)
      .split("\n")
      .map((line) => line.trim().replace(/\/$/, ""))
      .filter((line) => line && !line.startsWith("#"))
      .some((pattern) => path === pattern || path.startsWith(`${pattern}/`) || path.endsWith(`/${pattern}`));
  const secrets = ["ops/.env", "ops/tls/privkey.pem", "ops/tls/fullchain.pem", "data/data-key"];
  for (const file of [".gitignore", ".dockerignore"])
    expect(secrets.filter((path) => !isIgnored(file, path))).toEqual([]);
});

test.runIf(has("yamllint"))("yamllint accepts every YAML file", () => {
  const rules =
    "{extends: default, rules: {line-length: {max: 140}, document-start: disable, braces: {max-spaces-inside: 1}, comments: disable}}";
  const files = readdirSync(join(root, "ops")).filter((name) => name.endsWith(".yml"));
  expect(run("yamllint", ["-d", rules, ...files])).toBe("");
});

test.runIf(has("systemd-analyze"))("systemd-analyze accepts the units", () => {
  const units = readdirSync(join(root, "ops/systemd")).map((name) => {
    const path = join(folder, name.replace("@.", "@api."));
    // The program that the unit starts is not installed here.
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
