import { expect, test } from "vitest";
import { withoutComments } from "./without-comments.ts";

test.for([
  ["a();/* credits */b(); // more", "a();b(); "],
  ['a("/* no comment */")', 'a("/* no comment */")'],
  ['var r=/"/, s="/*"; b(); /* " */', 'var r=/"/, s="/*"; b(); '],
  ["import x from '/x.js'; // module", "import x from '/x.js'; "],
  ["if ( // broken", "if ( // broken"],
] satisfies [string, string][])("withoutComments removes only comments: %s", ([code, left]) => {
  expect(withoutComments(code)).toBe(left);
});
