import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { checkLine } from "./egress-check.ts";

const dns = {
  "a.example": [["93.184.216.34"]],
  "inside.example": [["10.0.0.1"]],
  "rebind.example": [["93.184.216.34"], ["127.0.0.1"]],
};

async function check(question: object): Promise<string> {
  const { decision, code } = await checkLine(JSON.stringify({ purpose: "page", dns, ...question }));
  return `${decision} ${code}`;
}

test("E12 judges URL, lookups and redirects in turn", async () => {
  expect(await check({ url: "https://a.example/" })).toBe("allow OK");
  expect(await check({ url: "https://a.example./" })).toBe("allow OK");
  expect(await check({ url: "https://missing.example/" })).toBe("refuse RESOLVE");
  expect(await check({ url: "https://constructor.example/", dns: {} })).toBe("refuse RESOLVE");
  expect(await check({ url: "https://inside.example/" })).toBe("refuse ADDRESS");
  expect(await check({ url: "https://a.example/", redirects: ["/b", "c?d", "//a.example/"] })).toBe(
    "allow OK",
  );
  expect(await check({ url: "https://a.example/", redirects: ["/b", "http://127.0.0.1/"] })).toBe(
    "refuse ADDRESS",
  );
  expect(await check({ url: "https://a.example/", redirects: ["https://inside.example/"] })).toBe(
    "refuse ADDRESS",
  );
});

test("E12 uses one answer list per lookup", async () => {
  expect(await check({ url: "http://rebind.example/" })).toBe("allow OK");
  expect(await check({ url: "http://rebind.example/", redirects: ["/again"] })).toBe("refuse ADDRESS");
});

test("E12 counts redirects by purpose", async () => {
  const steps = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`);
  const url = "http://a.example/";
  expect(await check({ url, redirects: steps(10) })).toBe("allow OK");
  expect(await check({ url, redirects: steps(11) })).toBe("refuse REDIRECTS");
  expect(await check({ url, purpose: "trigger", redirects: [] })).toBe("allow OK");
  expect(await check({ url, purpose: "trigger", redirects: ["/x"] })).toBe("refuse REDIRECTS");
  for (const purpose of ["browser", "icon", "preview"]) {
    expect(await check({ url, purpose, redirects: steps(10) })).toBe("allow OK");
    expect(await check({ url, purpose, redirects: steps(11) })).toBe("refuse REDIRECTS");
  }
  expect(await check({ url, purpose: "unheard", redirects: ["/x"] })).toBe("refuse REDIRECTS");
});

test("E12 judges headers in any of three forms", async () => {
  const url = "http://a.example/";
  for (const [name, expected] of [
    ["X-Key", "allow OK"],
    ["Host", "refuse HEADER"],
  ] as const) {
    expect(await check({ url, headers: [[name, "v"]] })).toBe(expected);
    expect(await check({ url, headers: [{ name, value: "v" }] })).toBe(expected);
    expect(await check({ url, headers: { [name]: "v" } })).toBe(expected);
  }
});

test("E12 applies the list of exceptions", async () => {
  const url = "http://127.0.0.1:8080/";
  expect(await check({ url, allow: "127.0.0.1:8080" })).toBe("allow OK");
  expect(await check({ url, allow: ["10.0.0.0/8", "127.0.0.1:8080"] })).toBe("allow OK");
  expect(await check({ url, allow: ["10.0.0.0/8"] })).toBe("refuse ADDRESS");
  expect(await check({ url, allow: "nonsense" })).toBe("refuse ALLOW");
  expect(await check({ url, allow: "169.254.169.254:80" })).toBe("refuse ALLOW");
  expect(await check({ url: "http://169.254.169.254/", allow: "0.0.0.0/0" })).toBe("refuse ADDRESS");
});

test.each([
  "",
  "{",
  "null",
  "[]",
  "1",
  '"x"',
  "{}",
  '{"url":1}',
  '{"url":"http://a.b/","dns":{"a.b":["1.2.3.4"]}}',
  '{"url":"http://a.b/","redirects":"/x"}',
  '{"url":"http://a.b/","headers":[1]}',
])("E12 refuses the line %j", async (line) => {
  expect(await checkLine(line)).toEqual({ decision: "refuse", code: "INPUT" });
});

test("E12 prints one decision per line, in order", async () => {
  const lines = Array.from({ length: 3_000 }, (_, at) =>
    at % 3 === 0
      ? '{"url":"http://93.184.216.34/"}'
      : at % 3 === 1
        ? "broken \u2028 line"
        : '{"url":"http://10.0.0.1/"}',
  );
  const child = spawn(process.execPath, [`${import.meta.dirname}/egress-check.ts`], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(lines.join("\n"));
  let output = "";
  for await (const chunk of child.stdout) output += String(chunk);
  const answers = [
    '{"decision":"allow","code":"OK"}',
    '{"decision":"refuse","code":"INPUT"}',
    '{"decision":"refuse","code":"ADDRESS"}',
  ];
  expect(output).toBe(lines.map((_, at) => `${answers[at % 3]}\n`).join(""));
}, 20_000);
