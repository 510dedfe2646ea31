// What changes by itself: machine values, times and counters of recognised shape. Listed, never pushed.
import { news, office, shop } from "../page.ts";
import { noise, rows, type Scenario, told } from "../scenario.ts";

/** Served the same at every step: only what is filled in for each request differs. */
const again = (group: string, table: [name: string, page: string][]): Scenario[] =>
  table.map(([name, page]) => ({ class: group, name, serves: [page, page, page], expect: [noise] }));

const machine = again("token", [
  ["a nonce of scripts", shop({ end: '<script nonce="%base64:22%">window.ready=1</script>' })],
  ["a token in meta", shop({ head: '<meta name="csrf-token" content="%base64:43%">' })],
  [
    "a token in a form",
    office(
      '<form action="/book" method="post"><input type="hidden" name="csrfmiddlewaretoken" value="%hex:64%"><button>Book</button></form>',
    ),
  ],
  [
    "an anti-forgery token",
    office(
      '<form action="/book"><input type="hidden" name="__RequestVerificationToken" value="CfDJ8%base64:43%"></form>',
    ),
  ],
  [
    "view state",
    office(
      '<form action="/book"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUK%base64:40%"></form>',
    ),
  ],
  ["a cache buster in a style", shop({ head: '<link rel="stylesheet" href="/main.css?v=%epoch%">' })],
  ["a cache buster in a script", shop({ end: '<script src="/app.js?_=%epoch%"></script>' })],
  ["ids of elements", shop('<div id="el-%hex:12%"><p>Words of the shop</p></div>')],
  [
    "a unique id of a label",
    shop('<label for="f%digits:6%">Amount</label><input id="f%digits:6%" name="n">'),
  ],
  ["classes made by a builder", shop('<p class="css-%hex:6% sc-%hex:6%">Words of the shop</p>')],
  ["a request id in a comment", shop({ end: "<!-- request %uuid% served in 0.0%digits:2% s -->" })],
  [
    "data of the framework",
    shop({
      end: '<script id="__NEXT_DATA__" type="application/json">{"buildId":"%base64:21%","props":{"n":1}}</script>',
    }),
  ],
  [
    "state with a request id",
    shop({ end: '<script>window.__STATE__={"requestId":"%uuid%","ts":%epoch%,"cart":[]}</script>' }),
  ],
  ["a visitor id in a script", shop({ end: '<script>var visitor="%hex:32%";</script>' })],
  [
    "an address of a pixel",
    shop({ end: '<img src="/pixel.gif?r=%digits:12%" width="1" height="1" alt="">' }),
  ],
  [
    "a session in links",
    office('<p><a href="/book?sid=%hex:32%">Book</a> <a href="/rules?sid=%hex:32%">Rules</a></p>'),
  ],
  ["a request id for support", office("<p>Request ID: %uuid%</p>")],
  ["a trace id in small print", shop({ footer: "<small>Trace: %hex:32%</small>" })],
  ["how long the page took", shop({ footer: "<p>Page generated in 0.%digits:3% seconds</p>" })],
  [
    "a signed address of a picture",
    shop('<img src="/can.png?Expires=%epoch%&Signature=%base64:40%" alt="can" width="40" height="40">'),
  ],
  ["a captcha's key", office('<img src="/captcha/%hex:16%.png" alt="captcha" width="80" height="30">')],
]);

const more = again("token", [
  [
    "a token of a form in another language",
    office(
      '<form action="/buchen"><input type="hidden" name="authenticity_token" value="%base64:43%=="><button>Buchen</button></form>',
    ),
  ],
  [
    "a nonce in settings",
    shop({ end: '<script>var settings={"ajax":"/ajax","nonce":"%hex:10%"};</script>' }),
  ],
  [
    "a trace for error reports",
    shop({
      head: '<meta name="sentry-trace" content="%hex:32%-%hex:16%-0"><meta name="traceparent" content="00-%hex:32%-%hex:16%-01">',
    }),
  ],
  ["a nonce of styles", shop({ head: '<style nonce="%base64:22%">.x{margin:0}</style>' })],
  [
    "ids in a drawing",
    shop(
      '<svg width="20" height="20"><defs><clipPath id="c%hex:8%"><rect width="9" height="9"/></clipPath></defs></svg>',
    ),
  ],
  [
    "ids that describe",
    shop('<input name="n" aria-describedby="tip-%digits:7%"><span id="tip-%digits:7%">In litres</span>'),
  ],
  [
    "the time a form was made",
    office(
      '<form action="/book"><input type="hidden" name="form_time" value="%epoch%"><button>Book</button></form>',
    ),
  ],
  [
    "a signed ticket in a script",
    shop({
      end: '<script>window.ticket="eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE3OTQ4%base64:20%.%base64:43%";</script>',
    }),
  ],
  ["which server answered", shop({ end: "<!-- web-%pick:01|02|03% %hex:8% -->" })],
  ["a group of a trial", shop({ head: '<meta name="experiment" content="bucket-%pick:a|b|c%">' })],
  [
    "a frame's cache buster",
    office('<iframe src="/map.html?cb=%epoch%" width="300" height="80" title="Map"></iframe>'),
  ],
  ["a key of a list", shop('<ul><li data-key="%uuid%">Red</li><li data-key="%uuid%">Green</li></ul>')],
  [
    "an order of attributes of data",
    shop('<div data-shown-at="%epoch%" data-visitor="%hex:16%"><p>Words of the shop</p></div>'),
  ],
]);

const builds = rows(
  "token",
  (id) =>
    shop({
      head: `<link rel="stylesheet" href="/static/main.${id}.css">`,
      end: `<script src="/static/app.${id}.js"></script>`,
    }),
  noise,
  [["hashed names of assets", "3f9c1ab27d", "b81e0d44c9", "77aa01ef3b"]],
).concat(
  rows("token", (id) => shop({ head: `<meta name="build" content="${id}">` }), noise, [
    ["a build id", "2026.11.14-3f9c1ab", "2026.11.16-b81e0d4"],
  ]),
  rows("token", (v) => shop({ head: `<link rel="stylesheet" href="/theme/style.css?ver=${v}">` }), noise, [
    ["a version of a style", "6.4.1", "6.4.2"],
  ]),
);

const p = (text: string) => news(`<p class="meta">${text}</p>`);
const times = rows("time", p, noise, [
  ["minutes ago", "Updated 5 minutes ago", "Updated 12 minutes ago", "Updated 1 hour ago"],
  ["just now", "Posted just now", "Posted 1 minute ago"],
  ["short", "3h ago", "4h ago"],
  ["days ago", "Published 2 days ago", "Published 3 days ago"],
  ["German", "vor 5 Minuten", "vor 2 Stunden"],
  ["French", "il y a 5 minutes", "il y a 2 heures"],
  ["Spanish", "hace 5 minutos", "hace 2 horas"],
  ["Italian", "5 minuti fa", "2 ore fa"],
  ["Portuguese", "há 5 minutos", "há 2 horas"],
  ["Dutch", "5 minuten geleden", "2 uur geleden"],
  ["Polish", "5 minut temu", "2 godziny temu"],
  ["Swedish", "för 5 minuter sedan", "för 2 timmar sedan"],
  ["Danish", "for 5 minutter siden", "for 2 timer siden"],
  ["Finnish", "5 minuuttia sitten", "2 tuntia sitten"],
  ["Czech", "před 5 minutami", "před 2 hodinami"],
  ["Russian", "5 минут назад", "2 часа назад"],
  ["Turkish", "5 dakika önce", "2 saat önce"],
  ["Japanese", "5分前", "2時間前"],
  ["Chinese", "5分钟前", "2小时前"],
  ["Korean", "5분 전", "2시간 전"],
  ["Arabic", "منذ 5 دقائق", "منذ 12 دقيقة"],
  ["Norwegian", "for 5 minutter siden", "for 2 timer siden"],
  ["Ukrainian", "5 хвилин тому", "2 години тому"],
  ["Greek", "πριν από 5 λεπτά", "πριν από 2 ώρες"],
  ["Hebrew", "לפני 5 דקות", "לפני 12 דקות"],
  ["Hungarian", "5 perccel ezelőtt", "2 órával ezelőtt"],
  ["Romanian", "acum 5 minute", "acum 2 ore"],
  ["Vietnamese", "5 phút trước", "2 giờ trước"],
  ["Thai", "5 นาทีที่แล้ว", "12 นาทีที่แล้ว"],
  ["Hindi", "5 मिनट पहले", "12 मिनट पहले"],
  ["Indonesian", "5 menit yang lalu", "2 jam yang lalu"],
]);
const item = (when: string) =>
  news(`<article><h2>Swans return to the harbour</h2><p class="date">${when}</p></article>`);
const swaps = rows("time", item, noise, [
  ["relative became a clock", "35 minutes ago", "10:25"],
  ["relative became a date", "23 hours ago", "15 November 2026"],
  ["a clock became a date", "10:25", "Nov 15"],
  ["yesterday became a date", "Yesterday, 10:25", "15 November 2026"],
]);
const clocks = rows("time", (text) => office({ header: `<p class="clock">${text}</p>` }), noise, [
  ["a clock in the header", "10:42", "11:07"],
  ["a clock with seconds", "10:42:07", "10:42:31"],
  ["the day and the hour", "Monday, 16 November 2026, 10:42", "Monday, 16 November 2026, 11:55"],
]);
const today = (day: string, at: string) => ({ body: office(`<p>As of ${day}</p>`), headers: { date: at } });
const dated: Scenario[] = [
  {
    class: "time",
    name: "the day of the check",
    serves: [
      today("15 November 2026", "Sun, 15 Nov 2026 10:00:00 GMT"),
      today("16 November 2026", "Mon, 16 Nov 2026 10:00:00 GMT"),
    ],
    expect: [noise],
  },
  {
    class: "time",
    name: "the year of the copyright",
    serves: [shop({ footer: "<p>© 2026 Fernhill</p>" }), shop({ footer: "<p>© 2027 Fernhill</p>" })],
    expect: [noise],
  },
  {
    class: "time",
    name: "a time element's stamp",
    serves: [
      news('<time datetime="2026-11-16T10:42:07Z">5 minutes ago</time>'),
      news('<time datetime="2026-11-16T10:42:07Z">9 minutes ago</time>'),
    ],
    expect: [noise],
  },
];

const counters = rows("counter", p, noise, [
  ["views", "1,204 views", "1,311 views"],
  ["likes", "87 likes", "93 likes"],
  ["comments", "12 comments", "15 comments"],
  ["shortened", "1.2K followers", "1.3K followers"],
  ["viewers", "7 people are viewing this right now", "4 people are viewing this right now"],
  ["online", "Users online: 412", "Users online: 398"],
  ["downloads", "20,311 downloads", "20,377 downloads"],
  ["stars", "512 stars", "514 stars"],
  ["reviews", "(231 reviews)", "(234 reviews)"],
  ["German", "1.204 Aufrufe", "1.311 Aufrufe"],
  ["French", "1 204 vues", "1 311 vues"],
  ["Spanish", "87 comentarios", "91 comentarios"],
  ["Russian", "1204 просмотра", "1311 просмотров"],
  ["Japanese", "1,204回視聴", "1,311回視聴"],
  ["Polish", "1204 wyświetlenia", "1311 wyświetleń"],
  ["Portuguese", "1.204 visualizações", "1.311 visualizações"],
  ["Chinese", "1204次浏览", "1311次浏览"],
  ["Korean", "조회수 1,204회", "조회수 1,311회"],
  ["Italian", "87 commenti", "91 commenti"],
  ["Dutch", "12 reacties", "15 reacties"],
  ["Swedish", "1 204 visningar", "1 311 visningar"],
  ["Turkish", "1.204 görüntülenme", "1.311 görüntülenme"],
  ["two counters", "3 comments, 1.2k views", "4 comments, 1.3k views"],
  ["a label before", "Views: 1,204", "Views: 1,311"],
  ["guests and members", "Online: 12 members, 231 guests", "Online: 9 members, 254 guests"],
]);

/** Other kinds of content, of which two captures of one moment differ. */
const file = (type: string) => (body: string) => ({ body, type });
const filesAgain = [
  ...rows("token", file("application/json"), noise, [
    [
      "a number that jitters in JSON",
      '{"load":0.%digits:3%,"name":"api"}',
      '{"load":0.%digits:3%,"name":"api"}',
    ],
    ["a token in JSON", '{"csrf":"%base64:43%","items":["a"]}', '{"csrf":"%base64:43%","items":["a"]}'],
    [
      "the time of JSON",
      '{"generatedAt":"2026-11-16T10:%pick:10|24|37|41|53%:07Z","n":1}',
      '{"generatedAt":"2026-11-16T10:%pick:10|24|37|41|53%:07Z","n":1}',
    ],
  ]),
  ...rows("token", file("text/plain"), noise, [
    ["a line that jitters in a file", "# load 0.%digits:3%\nname api\n", "# load 0.%digits:3%\nname api\n"],
    ["an id in a file", "request %uuid%\nall good\n", "request %uuid%\nall good\n"],
  ]),
  ...rows("token", file("application/xml"), noise, [
    [
      "the time of a feed",
      "<rss><channel><title>t</title><lastBuildDate>Mon, 16 Nov 2026 10:%pick:10|24|37|41|53%:07 GMT</lastBuildDate></channel></rss>",
      "<rss><channel><title>t</title><lastBuildDate>Mon, 16 Nov 2026 10:%pick:10|24|37|41|53%:07 GMT</lastBuildDate></channel></rss>",
    ],
  ]),
];

/** Numbers beside words that look like those above, and times that are what the page is about. */
const notNoise = [
  ...rows("counter", p, told(), [
    ["seats are no views", "Seats: 12", "Seats: 3"],
    ["a counter and a word", "1,204 views, open", "1,311 views, closed"],
    ["comments were closed", "12 comments", "Comments are closed"],
    ["places among visitors", "Room for 40 visitors", "Room for 25 visitors allowed by law"],
    ["votes that decide", "Yes 51 %, No 49 %", "Yes 48 %, No 52 %"],
  ]),
  ...rows("time", p, told(), [
    ["a time and a word", "Updated 5 minutes ago by Ana", "Updated 12 minutes ago by Boris"],
    ["a delay in minutes", "Ferry 12: 5 minutes late", "Ferry 12: 40 minutes late"],
    ["how long a repair takes", "Repairs take 2 days", "Repairs take 9 days"],
    ["another headline at another time", "10:25 Storm is coming", "11:40 Storm has passed"],
  ]),
  ...rows("token", (id) => office(`<p>Fingerprint of our key: ${id}</p>`), told(), [
    [
      "a fingerprint that readers compare",
      "9E10 7D9D 372B B682 6BD8 1D35 42A4 19D6",
      "E4D9 09C2 90D0 FB1C A068 FFAD DF22 CBD0",
    ],
  ]),
  ...rows("token", (id) => shop(`<p>Order number of the part: ${id}</p>`), told(), [
    ["a part number", "WX-20417-B", "WX-20418-B"],
  ]),
  ...rows("token", (id) => shop(`<p>SHA-256 of the download: <code>${id}</code></p>`), told(), [
    [
      "a checksum of a download",
      "9e107d9d372bb6826bd81d3542a419d69e107d9d372bb6826bd81d3542a419d6",
      "e4d909c290d0fb1ca068ffaddf22cbd0e4d909c290d0fb1ca068ffaddf22cbd0",
    ],
  ]),
];

export const volatile: Scenario[] = [
  ...machine,
  ...more,
  ...filesAgain,
  ...builds,
  ...times,
  ...swaps,
  ...clocks,
  ...dated,
  ...counters,
  ...notNoise,
];
