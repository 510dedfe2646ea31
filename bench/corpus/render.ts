import type { Page } from "./page.ts";
import { base62, Random } from "./random.ts";

/** Every kind of noise a page may contain; `render` writes each from the capture's own seed. */
export const noiseKinds = [
  "nonce",
  "csrf",
  "session",
  "request-id",
  "asset-version",
  "build-hash",
  "etag",
  "now",
  "relative-time",
  "render-time",
  "counter",
  "quote",
  "advertisement",
  "recommendation",
  "ab-class",
  "css-module",
  "styled",
  "random-id",
  "attribute-order",
  "consent",
  "chat",
  "pixel",
  "next-data",
  "cf-email",
  "white-space",
  "visitor",
] as const;

export type NoiseKind = (typeof noiseKinds)[number];

const quotes = [
  "“I would not work without it.” Mara, planner",
  "“Saved us a week.” Jon, engineer",
  "“Simple and quick.” Ife, editor",
  "“Support answered at night.” Lee, nurse",
];
const goods = [
  "Oak desk lamp",
  "Steel bottle",
  "Wool blanket",
  "Travel kettle",
  "Garden chair",
  "Wall clock",
  "Paper tray",
];

/** The page as one capture sees it. `seed` is what differs between two captures of the same page. */
export function render(page: Page, noise: ReadonlySet<NoiseKind>, seed: number): string {
  const random = new Random(seed);
  const has = (kind: NoiseKind) => noise.has(kind);
  const hex = (length: number) => random.chars(length);
  const token = (length: number) => random.chars(length, base62);
  const attribute = (...pairs: string[]) =>
    (has("attribute-order") ? random.some(pairs, pairs.length) : pairs).join(" ");
  const css = (name: string) =>
    has("css-module") ? `${name}_${name}__${token(5)}` : has("styled") ? `sc-${token(6)} ${name}` : name;
  const version = has("asset-version") ? `?v=${1000 + random.below(9000)}` : "";
  const build = has("build-hash") ? `.${hex(8)}` : "";
  const id = has("random-id") ? `field-${hex(6)}` : "field-q";
  const nonce = has("nonce") ? ` nonce="${token(22)}"` : "";
  const minutes = 1 + random.below(50);
  const gap = has("white-space") ? "\n".repeat(1 + random.below(3)) : "\n";
  const address = page.mail;
  const mail = has("cf-email")
    ? `<a href="/cdn-cgi/l/email-protection#${encodeCfEmail(address, random)}"><span class="__cf_email__" data-cfemail="${encodeCfEmail(address, random)}">[email&#160;protected]</span></a>`
    : `<a href="mailto:${address}">${address}</a>`;
  const head = [
    `<meta charset="utf-8">`,
    `<title>${page.title}</title>`,
    page.inHead,
    has("csrf") ? `<meta name="csrf-token" content="${token(40)}">` : "",
    has("etag") ? `<meta name="etag" content="W/&quot;${hex(16)}&quot;">` : "",
    `<link rel="stylesheet" href="/assets/app${build}.css${version}">`,
    `<script${nonce} src="/assets/app${build}.js${version}"></script>`,
    has("request-id") ? `<!-- request ${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)} -->` : "",
    has("session")
      ? `<script${nonce}>window.session={"id":"${token(24)}","t":${1790000000 + random.below(1e6)}};</script>`
      : "",
    has("next-data")
      ? `<script id="__NEXT_DATA__" type="application/json">{"buildId":"${token(21)}","props":{"now":${1790000000000 + random.below(1e9)},"key":"${hex(12)}"}}</script>`
      : "",
  ];
  const main = [
    `<h1 class="${css("title")}">${page.heading}</h1>`,
    has("relative-time") ? `<p class="meta">Posted ${minutes} minutes ago</p>` : "",
    has("counter")
      ? `<p class="stats">${100 + random.below(9000)} views</p><p>${10 + random.below(400)} comments</p>`
      : "",
    ...page.sections.flatMap((section) => [
      `<section ${attribute(`class="${css("section")} wide"`, `data-role="part"`, `lang="en"`)}>`,
      `<h2>${section.heading}</h2>`,
      ...section.paragraphs.map((paragraph) => `<p>${paragraph}</p>`),
      "</section>",
    ]),
    `<ul class="${css("list")}">${page.items.map((item) => `<li>${item}</li>`).join(gap)}</ul>`,
    `<table><tbody>${page.table.map(([town, value]) => `<tr><th>${town}</th><td>${value}</td></tr>`).join("")}</tbody></table>`,
    `<p>${page.links.map((link) => `See the <a href="${link.href}${has("session") ? `?sid=${hex(16)}` : ""}">${link.text}</a>.`).join(" ")}</p>`,
    `<p>Write to ${mail}.</p>`,
    `<form action="${page.formAction}" method="get"><label for="${id}">Search</label><input ${attribute(`id="${id}"`, `name="q"`, `type="text"`)}>${has("csrf") ? `<input type="hidden" name="authenticity_token" value="${token(44)}">` : ""}${page.password ? '<input type="password" name="password">' : ""}<button aria-describedby="${id}-hint">Go</button></form>`,
    has("quote")
      ? `<div class="testimonial-slider"><blockquote>${random.pick(quotes)}</blockquote></div>`
      : "",
    has("recommendation")
      ? `<div class="related-products"><h3>You may also like</h3><ul>${random
          .some(goods, 3)
          .map((name) => `<li><a href="/p/${name.toLowerCase().replace(/ /g, "-")}">${name}</a></li>`)
          .join("")}</ul></div>`
      : "",
  ];
  const body = [
    `<header class="site-header"><a href="/">${page.name}</a>${has("visitor") ? `<a href="/cart">Cart (${random.below(5)})</a>` : ""}${has("now") ? `<span class="clock">${10 + random.below(10)}:${10 + random.below(49)}</span>` : ""}</header>`,
    `<nav><ul>${page.menu.map((item) => `<li><a href="${item.href}">${item.text}</a></li>`).join("")}</ul></nav>`,
    `<main class="${has("ab-class") ? `variant-${random.pick(["a", "b", "c"])} exp-${hex(4)}` : "content"}">${gap}${main.filter(Boolean).join(gap)}</main>`,
    has("advertisement")
      ? `<div class="ad-slot" id="ad-${hex(5)}"><a href="https://ad.doubleclick.net/c/${token(10)}">${random.pick(goods)} from ${5 + random.below(90)} €</a></div>`
      : "",
    `<footer>${page.footer.map((line) => `<p>${line}</p>`).join("")}${has("now") ? `<p>© ${2020 + random.below(7)} ${page.name}</p>` : ""}${has("render-time") ? `<p>Page generated in 0.${100 + random.below(800)} seconds</p>` : ""}${has("request-id") ? `<p>Request ID: ${hex(16)}</p>` : ""}</footer>`,
    has("consent") && random.below(2) === 0
      ? `<div id="onetrust-banner-sdk"><p>We use cookies to improve this site. <a href="https://www.onetrust.com/">More</a></p><button>Accept all cookies</button></div>`
      : "",
    has("chat") && random.below(2) === 0
      ? `<div id="intercom-container"><p>Hi! How can we help?</p></div><script${nonce}>window.intercomSettings={app_id:"${token(8)}"};</script>`
      : "",
    has("pixel")
      ? `<img width="1" height="1" src="https://www.facebook.com/tr?id=1&amp;ev=${token(8)}">${random.below(2) === 0 ? '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>' : ""}`
      : "",
    page.inBody,
  ];
  return `<!doctype html>\n<html lang="en"><head>${head.filter(Boolean).join("\n")}</head>\n<body>${body.filter(Boolean).join(gap)}</body></html>\n`;
}

function encodeCfEmail(mail: string, random: Random): string {
  const key = random.below(256);
  const byte = (value: number) => value.toString(16).padStart(2, "0");
  return (
    byte(key) +
    mail
      .split("")
      .map((char) => byte(char.charCodeAt(0) ^ key))
      .join("")
  );
}
