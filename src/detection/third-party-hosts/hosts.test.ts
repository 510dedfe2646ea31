import { expect, test } from "vitest";
import { publisherOf } from "./hosts.ts";

test.each([
  ["everything in a bucket", "s3.amazonaws.com/books/", "s3.amazonaws.com/books/moby-dick/cover.png", true],
  ["two buckets", "s3.amazonaws.com/books/a.js", "s3.amazonaws.com/boots/a.js", false],
  ["two versions of a package", "unpkg.com/lamp@1/lamp.js", "unpkg.com/lamp@2/lamp.js", true],
  ["two packages of a CDN", "cdn.jsdelivr.net/npm/lamp@1", "cdn.jsdelivr.net/npm/lump@1", false],
  ["two hosts of one owner", "a.lamps.co.uk/x.js", "b.lamps.co.uk/y.js", true],
  ["two users of a shared domain", "ana.github.io/x.js", "eva.github.io/x.js", false],
])("whether %s have one publisher", (_name, one, other, isOne) => {
  expect(publisherOf(`https://${one}`) === publisherOf(`https://${other}`)).toBe(isOne);
});
