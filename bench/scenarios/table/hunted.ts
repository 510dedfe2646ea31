// What hunters and defenders watch for: walls, lures, defacement, scope lists, strings that come, parts of pages.
import { news, office, scope } from "../page.ts";
import {
  type Answer,
  critical,
  failed,
  important,
  one,
  plain,
  rows,
  type Scenario,
  same,
  told,
} from "../scenario.ts";

const engine = (scenario: Scenario): Scenario => ({ ...scenario, needs: "engine" });

const lure = `<!doctype html><html><head><title>Verify you are human</title></head><body><h1>Verify you are human</h1>
<p>To prove that you are not a robot press Windows + R, then Ctrl + V and Enter.</p><button>I am not a robot</button></body></html>`;
const phish = `<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to go on</h1>
<form method="post" action="https://elsewhere.example/in"><input name="user"><input type="password" name="pass"><button>Sign in</button></form></body></html>`;
const challenge: Answer = {
  status: 403,
  headers: { "cf-mitigated": "challenge" },
  body: plain("Just a moment...", "Checking your browser before you go on."),
};
const ownLogin = `<!doctype html><html><head><title>Sign in | Brackwater</title></head><body><h1>Sign in</h1><form method="post" action="/in"><input name="user"><input type="password" name="pass"></form></body></html>`;

const walls = [
  engine(one("wall", "a lure that asks for Windows+R", [office(""), lure], critical)),
  engine(one("wall", "a password form that posts elsewhere", [office(""), phish], critical)),
  engine(one("wall", "a bot wall", [office(""), challenge], failed())),
  engine(
    one(
      "wall",
      "a bot wall is told at the third time",
      [office(""), challenge, challenge, challenge],
      failed(),
      failed(),
      { is: "failed", isPushed: true },
    ),
  ),
  engine(one("wall", "a bot wall and the page again", [office(""), challenge, office("")], failed(), same)),
  engine(
    one(
      "wall",
      "a bot wall and another page",
      [office(""), challenge, office("<p>Doors open at ten.</p>")],
      failed(),
      told(["Doors open"]),
    ),
  ),
  engine(one("wall", "the site's own login", [office(""), ownLogin], failed())),
  engine(
    one(
      "wall",
      "a captcha under an error",
      [office(""), { status: 403, body: plain("Are you human?", "Please verify that you are human.") }],
      failed(),
    ),
  ),
  one(
    "wall",
    "a lure inside a page that stands",
    [
      office(""),
      office("<p>To see this page press Windows + R, paste the text with Ctrl + V and press Enter.</p>"),
    ],
    critical,
  ),
];

const hacked = plain("Hacked by NightOwl", "Hacked by NightOwl. Greetz to all. Your security is low.");
const defaced = [
  one("defaced", "page replaced", [news(""), hacked], critical),
  one("defaced", "a line among others", [news(""), news("<h2>Hacked by NightOwl crew</h2>")], critical),
  one(
    "defaced",
    "replaced by one picture",
    [news(""), '<!doctype html><html><head><title>x</title></head><body><img src="/dot.png"></body></html>'],
    important,
  ),
  one(
    "defaced",
    "replaced by an error that says 200",
    [news(""), plain("Error", "Internal server error. Please try again later.")],
    important,
  ),
  one(
    "defaced",
    "replaced by a parked domain",
    [news(""), plain("eastholm-courier.example", "This domain is for sale. Buy it now.")],
    important,
  ),
  one(
    "defaced",
    "emptied",
    [news(""), "<!doctype html><html><head><title>The Eastholm Courier</title></head><body></body></html>"],
    important,
  ),
  one(
    "defaced",
    "pages of search spam",
    [
      news(""),
      news(
        `<ul>${Array.from({ length: 30 }, (_, i) => `<li><a href="https://s${i}.example/">togel gacor slot ${i}</a></li>`).join("")}</ul>`,
      ),
    ],
    important,
  ),
];

const security = (lines: string): Answer => ({
  body: `# How to report\n${lines}\nPreferred-Languages: en\n`,
  type: "text/plain",
});
const watched = [
  ...rows(
    "hunter",
    (item) => scope(`<h2>New in scope</h2><ul><li>beta.lumenpay.example</li>${item}</ul>`),
    told(["vault.lumenpay.example"], "important"),
    [["a scope entry comes", "", "<li>vault.lumenpay.example</li>"]],
  ),
  ...rows(
    "hunter",
    (item) => scope(`<ul class="scope"><li>beta.lumenpay.example</li>${item}</ul>`),
    told(["vault.lumenpay.example"]),
    [["a scope entry goes", "<li>vault.lumenpay.example</li>", ""]],
  ),
  ...rows(
    "hunter",
    (reward) => scope(`<table><tr><th>Critical</th><td>${reward}</td></tr></table>`),
    told(["20,000"]),
    [["a reward is raised", "10,000 EUR", "20,000 EUR"]],
  ),
  ...rows(
    "hunter",
    security,
    told(["mailto:new@lumenpay.example"], "important"),
    [
      [
        "another security contact",
        "Contact: mailto:sec@lumenpay.example",
        "Contact: mailto:new@lumenpay.example",
      ],
    ],
    { path: "/.well-known/security.txt" },
  ),
  ...rows(
    "hunter",
    security,
    told(["2028"]),
    [
      [
        "the contact stands longer",
        "Contact: mailto:sec@lumenpay.example\nExpires: 2027-01-01T00:00:00Z",
        "Contact: mailto:sec@lumenpay.example\nExpires: 2028-01-01T00:00:00Z",
      ],
    ],
    { path: "/.well-known/security.txt" },
  ),
  ...rows(
    "hunter",
    (line) => ({ body: `User-agent: *\nDisallow: /cart\n${line}\n`, type: "text/plain" }),
    told(["/internal-admin"]),
    [["robots.txt names a place", "", "Disallow: /internal-admin"]],
    { path: "/robots.txt" },
  ),
  ...rows(
    "hunter",
    (code) => ({
      body: `(function(){var routes=["/api/v1/users"${code}];window.app={routes};})();`,
      type: "text/javascript",
    }),
    told(["/api/v2/export"]),
    [["a script names an endpoint", "", ',"/api/v2/export"']],
    { path: "/app.js" },
  ),
  ...rows("hunter", (comment) => scope(comment), { is: "seen" }, [
    ["a comment comes", "", "<!-- TODO remove staging.lumenpay.example before launch -->"],
  ]),
];

const lookups: Scenario[] = [
  {
    ...one(
      "lookup",
      "a word appears",
      [office(""), office("<p>Slots are open again.</p>")],
      told(["slots"], "important"),
    ),
    job: { lookup: { strings: ["slots are open"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word disappears",
      [office("<p>No slots.</p>"), office("")],
      told(["No slots"], "important"),
    ),
    job: { lookup: { strings: ["No slots"], when: "disappears" } },
  },
  {
    ...one(
      "lookup",
      "a word with a soft hyphen appears",
      [office(""), office("<p>Termin&shy;vergabe geöffnet</p>")],
      told(["Terminvergabe"], "important"),
    ),
    needs: "engine",
    job: { lookup: { strings: ["Terminvergabe"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word in other composition appears",
      [office(""), office("<p>Cafe\u0301 ouvert</p>")],
      told(["ouvert"], "important"),
    ),
    job: { lookup: { strings: ["Caf\u00e9 ouvert"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word with a zero-width space appears",
      [office(""), office("<p>sold\u200bout</p>")],
      told([], "important"),
    ),
    job: { lookup: { strings: ["soldout"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "another change without the word",
      [office(""), office("<p>Doors open at ten.</p>")],
      told(["Doors"]),
    ),
    job: { lookup: { strings: ["slots"], when: "appears" } },
  },
];

const narrowed: Scenario[] = [
  {
    ...one(
      "selector",
      "a change within",
      [office('<p id="state">full</p>'), office('<p id="state">free</p>')],
      told(["free"]),
    ),
    job: { selector: "#state" },
  },
  {
    ...one(
      "selector",
      "a change without",
      [office('<p id="state">full</p><p>Rain</p>'), office('<p id="state">full</p><p>Sun</p>')],
      same,
    ),
    job: { selector: "#state" },
  },
  {
    ...one(
      "selector",
      "a change in what is ignored",
      [office('<p class="weather">Rain</p>'), office('<p class="weather">Sun</p>')],
      same,
    ),
    job: { ignore: [".weather"] },
  },
  {
    ...one(
      "selector",
      "a pattern that is ignored",
      [office("<p>Rain at 12 degrees</p>"), office("<p>Rain at 14 degrees</p>")],
      same,
    ),
    job: { ignore: ["/Rain at \\d+ degrees/"] },
  },
  {
    ...one("selector", "what is watched goes", [office('<p id="state">full</p>'), office("")], failed()),
    job: { selector: "#state" },
  },
];

export const hunted: Scenario[] = [...walls, ...defaced, ...watched, ...lookups, ...narrowed];
