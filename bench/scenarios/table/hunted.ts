// What bug hunters and defenders watch for: bot walls, paste scams, defacement, scope lists, lookups and parts of pages.
import { news, office, scope } from "../page.ts";
import {
  type Answer,
  alerted,
  critical,
  failed,
  important,
  one,
  plain,
  rows,
  type Scenario,
  same,
} from "../scenario.ts";

const engine = (scenario: Scenario): Scenario => ({ ...scenario, needs: "engine" });

const pasteScam = `<!doctype html><html><head><title>Verify you are human</title></head><body><h1>Verify you are human</h1>
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
  engine(
    one("wall", "a page is replaced by a lure that asks for Windows+R", [office(""), pasteScam], critical),
  ),
  engine(
    one(
      "wall",
      "a page is replaced by a password form that posts to another host",
      [office(""), phish],
      critical,
    ),
  ),
  engine(one("wall", "a bot wall makes the check fail", [office(""), challenge], failed())),
  engine(
    one(
      "wall",
      "a bot wall is alerted at the third check in a row",
      [office(""), challenge, challenge, challenge],
      failed(),
      failed(),
      { is: "failed", isPushed: true },
    ),
  ),
  engine(
    one(
      "wall",
      "an unchanged page returns after a bot wall",
      [office(""), challenge, office("")],
      failed(),
      same,
    ),
  ),
  engine(
    one(
      "wall",
      "a changed page returns after a bot wall",
      [office(""), challenge, office("<p>Doors open at ten.</p>")],
      failed(),
      alerted(["Doors open"]),
    ),
  ),
  engine(one("wall", "the site's own login makes the check fail", [office(""), ownLogin], failed())),
  engine(
    one(
      "wall",
      "a captcha with status 403 makes the check fail",
      [office(""), { status: 403, body: plain("Are you human?", "Please verify that you are human.") }],
      failed(),
    ),
  ),
  one(
    "wall",
    "a lure is added to an otherwise unchanged page",
    [
      office(""),
      office("<p>To see this page press Windows + R, paste the text with Ctrl + V and press Enter.</p>"),
    ],
    critical,
  ),
];

/** Each wall stays for three checks; then the page is back, unchanged or changed. */
const shownInstead: [name: string, answer: string | Answer][] = [
  ["a captcha", plain("Are you human?", "Verify you are human")],
  ["a captcha with status 403", { status: 403, body: '<!doctype html><div class="h-captcha"></div>' }],
  ["a bot wall with status 200", "<!doctype html><script>window._cf_chl_opt={}</script>"],
  ["a login at another address", { location: "/account/login?next=/page", body: ownLogin }],
  ["a login with status 401", { status: 401, headers: { "www-authenticate": "Basic" }, body: "" }],
  ["a geo block", plain("Unavailable", "This service is not available in your country.")],
  ["a geo block with status 451", { status: 451, body: plain("Sorry", "Legal reasons.") }],
  ["a rate limit with status 200", plain("Slow down", "Too many requests. Please try again later.")],
  ["a rate limit with status 429", { status: 429, body: plain("Stop", "Wait.") }],
  ["maintenance with status 200", plain("Maintenance", "We are down for maintenance. We'll be back soon.")],
  ["maintenance with status 503", { status: 503, body: plain("Sorry", "Scheduled maintenance.") }],
  [
    "a parked domain",
    `${plain("brackwater.example", "This domain is for sale.")}<script src="https://img.sedoparking.com/x.js"></script>`,
  ],
  ["a soft 404", plain("Page not found", "Sorry, the page you are looking for doesn't exist.")],
  [
    "an error page with status 200",
    plain("Oops", "An unexpected error has occurred. Please try again later."),
  ],
  ["a request to click", plain("Brackwater", "Click the button below to continue.")],
  ["a page without its content", office("").replace(/<main>.*<\/main>/s, "<main></main>")],
  ["an empty shell", '<!doctype html><title>Brackwater</title><div id="root"></div>'],
];
const wallScenarios = shownInstead.flatMap(([name, wall]) => [
  one(
    "wall",
    `${name} for three checks is no change, and neither is the page's return`,
    [office(""), wall, wall, wall, office("")],
    failed(),
    failed(),
    failed(),
    same,
  ),
  one(
    "wall",
    `a change behind ${name} is alerted once the page is back`,
    [office(""), wall, office("<p>Doors open at ten.</p>")],
    failed(),
    alerted(["Doors open"]),
  ),
]);

const hacked = plain("Hacked by NightOwl", "Hacked by NightOwl. Greetz to all. Your security is low.");
const defaced = [
  one("defaced", "a page is replaced by a defacement", [news(""), hacked], critical),
  one(
    "defaced",
    "a defacement line is added to a page",
    [news(""), news("<h2>Hacked by NightOwl crew</h2>")],
    critical,
  ),
  one(
    "defaced",
    "a page is replaced by one picture",
    [news(""), '<!doctype html><html><head><title>x</title></head><body><img src="/dot.png"></body></html>'],
    important,
  ),
  one(
    "defaced",
    "a page is replaced by an error message with status 200",
    [news(""), plain("Error", "Internal server error. Please try again later.")],
    failed(),
  ),
  one(
    "defaced",
    "a page is replaced by a parked domain",
    [news(""), plain("eastholm-courier.example", "This domain is for sale. Buy it now.")],
    failed(),
  ),
  one(
    "defaced",
    "a page becomes empty",
    [news(""), "<!doctype html><html><head><title>The Eastholm Courier</title></head><body></body></html>"],
    important,
  ),
  one(
    "defaced",
    "links of search spam are added",
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
const hunterTargets = [
  ...rows(
    "hunter",
    (item) => scope(`<h2>New in scope</h2><ul><li>beta.lumenpay.example</li>${item}</ul>`),
    alerted(["vault.lumenpay.example"], "important"),
    [["a scope entry is added", "", "<li>vault.lumenpay.example</li>"]],
  ),
  ...rows(
    "hunter",
    (item) => scope(`<ul class="scope"><li>beta.lumenpay.example</li>${item}</ul>`),
    alerted(["vault.lumenpay.example"]),
    [["a scope entry is removed", "<li>vault.lumenpay.example</li>", ""]],
  ),
  ...rows(
    "hunter",
    (reward) => scope(`<table><tr><th>Critical</th><td>${reward}</td></tr></table>`),
    alerted(["20,000"]),
    [["a reward is raised", "10,000 EUR", "20,000 EUR"]],
  ),
  ...rows(
    "hunter",
    security,
    alerted(["mailto:new@lumenpay.example"], "important"),
    [
      [
        "the contact in security.txt changes",
        "Contact: mailto:sec@lumenpay.example",
        "Contact: mailto:new@lumenpay.example",
      ],
    ],
    { path: "/.well-known/security.txt" },
  ),
  ...rows(
    "hunter",
    security,
    alerted(["2028"]),
    [
      [
        "the expiry date in security.txt changes",
        "Contact: mailto:sec@lumenpay.example\nExpires: 2027-01-01T00:00:00Z",
        "Contact: mailto:sec@lumenpay.example\nExpires: 2028-01-01T00:00:00Z",
      ],
    ],
    { path: "/.well-known/security.txt" },
  ),
  ...rows(
    "hunter",
    (line) => ({ body: `User-agent: *\nDisallow: /cart\n${line}\n`, type: "text/plain" }),
    alerted(["/internal-admin"]),
    [["robots.txt lists a new path", "", "Disallow: /internal-admin"]],
    { path: "/robots.txt" },
  ),
  ...rows(
    "hunter",
    (code) => ({
      body: `(function(){var routes=["/api/v1/users"${code}];window.app={routes};})();`,
      type: "text/javascript",
    }),
    alerted(["/api/v2/export"]),
    [["a script names a new endpoint", "", ',"/api/v2/export"']],
    { path: "/app.js" },
  ),
  ...rows("hunter", (comment) => scope(comment), { is: "notLost" }, [
    ["an HTML comment is added", "", "<!-- TODO remove staging.lumenpay.example before launch -->"],
  ]),
];

const lookups: Scenario[] = [
  {
    ...one(
      "lookup",
      "a word appears",
      [office(""), office("<p>Slots are open again.</p>")],
      alerted(["slots"], "important"),
    ),
    job: { lookup: { strings: ["slots are open"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word disappears",
      [office("<p>No slots.</p>"), office("")],
      alerted(["No slots"], "important"),
    ),
    job: { lookup: { strings: ["No slots"], when: "disappears" } },
  },
  {
    ...one(
      "lookup",
      "a word with a soft hyphen appears",
      [office(""), office("<p>Termin&shy;vergabe geöffnet</p>")],
      alerted(["Terminvergabe"], "important"),
    ),
    needs: "engine",
    job: { lookup: { strings: ["Terminvergabe"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word in decomposed characters appears",
      [office(""), office("<p>Cafe\u0301 ouvert</p>")],
      alerted(["ouvert"], "important"),
    ),
    job: { lookup: { strings: ["Caf\u00e9 ouvert"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a word with a zero-width space appears",
      [office(""), office("<p>sold\u200bout</p>")],
      alerted([], "important"),
    ),
    job: { lookup: { strings: ["soldout"], when: "appears" } },
  },
  {
    ...one(
      "lookup",
      "a change without the word is alerted",
      [office(""), office("<p>Doors open at ten.</p>")],
      alerted(["Doors"]),
    ),
    job: { lookup: { strings: ["slots"], when: "appears" } },
  },
];

const selectors: Scenario[] = [
  {
    ...one(
      "selector",
      "a change inside the selected element is alerted",
      [office('<p id="state">full</p>'), office('<p id="state">free</p>')],
      alerted(["free"]),
    ),
    job: { selector: "#state" },
  },
  {
    ...one(
      "selector",
      "a change outside the selected element is not alerted",
      [office('<p id="state">full</p><p>Rain</p>'), office('<p id="state">full</p><p>Sun</p>')],
      same,
    ),
    job: { selector: "#state" },
  },
  {
    ...one(
      "selector",
      "a change inside an ignored element is not alerted",
      [office('<p class="weather">Rain</p>'), office('<p class="weather">Sun</p>')],
      same,
    ),
    job: { ignore: [".weather"] },
  },
  {
    ...one(
      "selector",
      "a change that matches an ignored pattern is not alerted",
      [office("<p>Rain at 12 degrees</p>"), office("<p>Rain at 14 degrees</p>")],
      same,
    ),
    job: { ignore: ["/Rain at \\d+ degrees/"] },
  },
  {
    ...one(
      "selector",
      "the check fails when the selected element disappears",
      [office('<p id="state">full</p>'), office("")],
      failed(),
    ),
    job: { selector: "#state" },
  },
];

export const hunted: Scenario[] = [
  ...walls,
  ...wallScenarios,
  ...defaced,
  ...hunterTargets,
  ...lookups,
  ...selectors,
];
