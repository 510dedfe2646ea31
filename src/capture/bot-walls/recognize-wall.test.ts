import { expect, test } from "vitest";
import { marks, recognizeWall } from "./recognize-wall.ts";

type Input = Parameters<typeof recognizeWall>[0];

function page(part: Partial<Omit<Input, "text">> & { text?: string } = {}): Input {
  const { text = "", ...rest } = part;
  return {
    kind: "html",
    status: 200,
    headers: [],
    title: "",
    html: `<html>${text}</html>`,
    forms: [],
    finalUrl: "https://example.com/page",
    ...rest,
    text: text === "" ? [] : [{ role: "paragraph", area: "", text }],
  };
}

const article = "A long article about walls. ".repeat(100);

test.for<[string, string, Input]>([
  ["Cloudflare", "by header", page({ status: 403, headers: [["cf-mitigated", "challenge"]] })],
  ["Cloudflare", "by title", page({ status: 403, title: "Just a moment..." })],
  [
    "Cloudflare",
    "by script, with status 200",
    page({ html: "<script>window._cf_chl_opt={cvId:'3'}</script>" }),
  ],
  [
    "Akamai",
    "denied",
    page({ status: 403, title: "Access Denied", html: "Reference #18.x https://errors.edgesuite.net/18.x" }),
  ],
  ["Akamai", "challenge", page({ status: 429, html: '<div id="sec-if-cpt-container"></div>' })],
  ["HUMAN (PerimeterX)", "captcha", page({ status: 403, html: '<div id="px-captcha"></div>' })],
  ["DataDome", "by header", page({ status: 403, headers: [["x-dd-b", "1"]] })],
  [
    "DataDome",
    "frame",
    page({ status: 403, html: '<iframe src="https://geo.captcha-delivery.com/captcha/?x">' }),
  ],
  ["AWS WAF", "captcha", page({ status: 405, headers: [["x-amzn-waf-action", "captcha"]] })],
  ["AWS WAF", "challenge", page({ status: 202, headers: [["x-amzn-waf-action", "challenge"]] })],
  [
    "Imperva",
    "incident",
    page({
      html: '<iframe src="/_Incapsula_Resource?SWUDNSAI=31&amp;incident_id=1">Request unsuccessful. Incapsula incident ID: 1</iframe>',
    }),
  ],
  ["Sucuri", "denied", page({ status: 403, html: "<title>Sucuri WebSite Firewall - Access Denied</title>" })],
  ["Vercel", "checkpoint", page({ status: 429, headers: [["x-vercel-mitigated", "challenge"]] })],
  [
    "Anubis",
    "proof of work",
    page({ html: '<script id="anubis_challenge" type="application/json">{}</script>' }),
  ],
])("%s is recognized (%s)", ([name, , input]) => {
  expect(recognizeWall(input, null)?.sentence).toBe(`${name} showed a challenge instead of the page.`);
});

test.for([
  "Verify you are human",
  "Please verify that you are not a robot",
  "Press & Hold to confirm you are a human",
  "Our systems have detected unusual traffic from your computer network",
  "Checking your browser before accessing the site",
  "Enable JavaScript and cookies to continue",
])("a page that only says “%s” is a wall", (text) => {
  expect(recognizeWall(page({ text }), null)?.sentence).toBe(
    "The site asks its visitors to prove that they are human.",
  );
});

test("a captcha on an error page is a wall, on a sign-up form it is not", () => {
  const html = '<div class="box g-recaptcha" data-sitekey="x"></div>';
  expect(recognizeWall(page({ status: 403, html }), null)?.sentence).toBe(
    "The site shows a captcha instead of the page.",
  );
  expect(recognizeWall(page({ status: 200, html, text: "Sign up" }), null)).toBeNull();
});

test.for<[string, Input]>([
  [
    "an article about walls",
    page({ text: `${article}Verify you are human. ${article}`, title: "How walls work" }),
  ],
  [
    "Cloudflare's script on a page it lets through",
    page({ text: article, html: `<script src="/cdn-cgi/challenge-platform/h/b/scripts/jsd/main.js">` }),
  ],
  ["a long page that quotes a challenge", page({ text: article, html: "<pre>window._cf_chl_opt</pre>" })],
  [
    "DataDome's tag on a page it lets through",
    page({
      text: article,
      html: '<script src="https://js.datadome.co/tags.js">',
      headers: [["x-datadome", "protected"]],
    }),
  ],
  ["a plain 403", page({ status: 403, title: "403 Forbidden", text: "Forbidden" })],
  ["a plain 503", page({ status: 503, text: "Service unavailable" })],
  ["JSON with the text of a challenge", { ...page({ text: "verify you are human" }), kind: "json" }],
])("%s is no wall", ([, input]) => {
  expect(recognizeWall(input, null)).toBeNull();
});

const previous = { finalUrl: "https://example.com/page", hasPassword: false, hasPasswordNow: true };
const login = page({
  finalUrl: "https://example.com/account/login?next=/page",
  title: "Sign in",
  text: "Sign in",
});

test("a login is a wall only if the page had content without a login before", () => {
  const sentence = "The site shows a login where the page was.";
  expect(recognizeWall(login, previous)?.sentence).toBe(sentence);
  expect(recognizeWall({ ...login, finalUrl: previous.finalUrl }, previous)?.sentence).toBe(sentence);
  expect(
    recognizeWall({ ...login, finalUrl: "https://sso.example.com/x", title: "" }, previous)?.sentence,
  ).toBe(sentence);
  expect(recognizeWall(login, null)).toBeNull();
  expect(recognizeWall(login, { ...previous, hasPassword: true })).toBeNull();
  expect(recognizeWall(login, { ...previous, hasPasswordNow: false })).toBeNull();
});

test("a page with content that gets a login form is a change, not a wall", () => {
  const grown = page({ text: article, title: "News" });
  expect(recognizeWall(grown, previous)).toBeNull();
});

test("a login that sends the password to another site is a change, not a wall", () => {
  const form = (action: string) => [{ action, method: "post", inputs: [{ name: "pw", type: "password" }] }];
  const at = (action: string) => ({ ...login, forms: form(action) });
  expect(recognizeWall(at("https://example.net/collect"), previous)).toBeNull();
  expect(recognizeWall(at("https://auth.example.com/session"), previous)?.sentence).toMatch(/login/);
});

test.for([
  "Verify you are human. 1. Press Windows Key + R 2. Press CTRL + V 3. Press Enter",
  "Checking your browser before accessing. Press ⊞ + R, then paste the code",
  "Prove you are human: press ⌘ + Space, open Terminal, paste and press Return",
  "Are you a robot? Paste this: powershell -w hidden -c iwr example.net",
])("a page that says “%s” is treated as a page, not as a wall", (text) => {
  const disguise = { title: "Just a moment...", html: "<script>window._cf_chl_opt={}</script>" };
  expect(recognizeWall(page({ text, ...disguise }), null)).toBeNull();
});

test("no pattern that runs on a page's HTML has an unbounded quantifier", () => {
  const patterns = marks.flatMap((mark) => mark.html ?? []);
  expect(patterns.length).toBeGreaterThan(10);
  for (const { source } of patterns) {
    const bare = source.replace(/\\./g, "").replace(/\[[^\]]*\]/g, "");
    expect(bare).not.toMatch(/[*+]|\{\d+,\}/);
  }
});

// A quadratic pattern would never finish on these.
test.for([
  "/cdn-cgi/challenge-platform/",
  ".awswaf.com/x/challenge.js",
  "window._pxAppId",
  "_Incapsula_Resource?",
  'class="x ',
  "Windows + ⊞ key ",
  "command + space curl ",
])("eight million characters of “%s” are checked without stalling", (piece) => {
  const html = piece.repeat(8e6 / piece.length);
  const refused = {
    ...page({ status: 403, html }),
    text: [{ role: "other", area: "", text: html } as const],
  };
  expect(recognizeWall(refused, previous)).toBeNull();
});
