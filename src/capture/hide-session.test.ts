import { expect, test } from "vitest";
import { hideSession } from "./hide-session.ts";

const secret = `it's "a" <b> & 😀`;
const captured = {
  html: `<input value="it's &quot;a&quot; &lt;b&gt; &amp; 😀"><p>it's "a" &lt;b&gt; &amp; 😀</p>`,
  script: `user = ${JSON.stringify({ secret })}`,
  body: Buffer.from(`<p>${secret}</p>`),
  picture: { png: Buffer.from(secret) },
  finalUrl: `https://a.example/?q=${encodeURIComponent(secret)}&${new URLSearchParams({ form: secret })}`,
  headers: [
    ["set-cookie", "session=1"],
    ["Set-Cookie", "other=2"],
    ["content-type", "text/html"],
    ["location", `/?q=${encodeURIComponent(secret)}`],
  ],
  truncated: false,
  steps: [{ error: null, note: `“${secret}”` }],
};

test("a secret is hidden in every spelling, and the headers of the session are left out", () => {
  const hidden = hideSession(captured, [secret]);
  const { picture: _, body, ...rest } = hidden;
  for (const text of [JSON.stringify(rest), body.toString()])
    for (const part of ["it's", "it%27s", "it&#39;s", "%F0%9F%98%80", "😀"]) expect(text).not.toContain(part);
  expect(body.toString()).toBe("<p>••••••••</p>");
  expect(hidden.html).toBe('<input value="••••••••"><p>••••••••</p>');
  expect(hidden.headers).toEqual([
    ["content-type", "text/html"],
    ["location", "/?q=••••••••"],
  ]);
  expect(hidden).toMatchObject({ truncated: false, picture: captured.picture });
});

test("what holds no secret stays as it is, and short secrets change nothing", () => {
  const { headers: _, ...rest } = captured;
  expect(hideSession(rest, ["other secret"])).toEqual(rest);
  expect(hideSession({ html: "<b>abc</b>" }, ["b", "abc"])).toEqual({ html: "<b>abc</b>" });
});
