// What changes by itself: machine values, times and counters of a recognized form. Listed, never alerted.
import { news, office, shop } from "../page.ts";
import { alerted, noise, rows, type Scenario } from "../scenario.ts";

/** Serves the same page at every step: only the placeholders, which are filled for each request, differ. */
const servedAgain = (group: string, table: [name: string, page: string][]): Scenario[] =>
  table.map(([name, page]) => ({ class: group, name, serves: [page, page, page], expect: [noise] }));

const machine = servedAgain("token", [
  ["a script nonce changes", shop({ end: '<script nonce="%base64:22%">window.ready=1</script>' })],
  ["a token in a meta element changes", shop({ head: '<meta name="csrf-token" content="%base64:43%">' })],
  [
    "a token in a form changes",
    office(
      '<form action="/book" method="post"><input type="hidden" name="csrfmiddlewaretoken" value="%hex:64%"><button>Book</button></form>',
    ),
  ],
  [
    "an anti-forgery token changes",
    office(
      '<form action="/book"><input type="hidden" name="__RequestVerificationToken" value="CfDJ8%base64:43%"></form>',
    ),
  ],
  [
    "the view state changes",
    office(
      '<form action="/book"><input type="hidden" name="__VIEWSTATE" value="/wEPDwUK%base64:40%"></form>',
    ),
  ],
  [
    "the cache buster of a style sheet changes",
    shop({ head: '<link rel="stylesheet" href="/main.css?v=%epoch%">' }),
  ],
  ["the cache buster of a script changes", shop({ end: '<script src="/app.js?_=%epoch%"></script>' })],
  ["generated element IDs change", shop('<div id="el-%hex:12%"><p>Words of the shop</p></div>')],
  [
    "the generated ID of a label changes",
    shop('<label for="f%digits:6%">Amount</label><input id="f%digits:6%" name="n">'),
  ],
  ["generated class names change", shop('<p class="css-%hex:6% sc-%hex:6%">Words of the shop</p>')],
  ["a request ID in a comment changes", shop({ end: "<!-- request %uuid% served in 0.0%digits:2% s -->" })],
  [
    "the build ID in a framework's data changes",
    shop({
      end: '<script id="__NEXT_DATA__" type="application/json">{"buildId":"%base64:21%","props":{"n":1}}</script>',
    }),
  ],
  [
    "a request ID in a script's state changes",
    shop({ end: '<script>window.__STATE__={"requestId":"%uuid%","ts":%epoch%,"cart":[]}</script>' }),
  ],
  ["a visitor ID in a script changes", shop({ end: '<script>var visitor="%hex:32%";</script>' })],
  [
    "the URL of a tracking pixel changes",
    shop({ end: '<img src="/pixel.gif?r=%digits:12%" width="1" height="1" alt="">' }),
  ],
  [
    "a session ID in links changes",
    office('<p><a href="/book?sid=%hex:32%">Book</a> <a href="/rules?sid=%hex:32%">Rules</a></p>'),
  ],
  ["a visible request ID changes", office("<p>Request ID: %uuid%</p>")],
  ["a trace ID in small print changes", shop({ footer: "<small>Trace: %hex:32%</small>" })],
  ["the page generation time changes", shop({ footer: "<p>Page generated in 0.%digits:3% seconds</p>" })],
  [
    "the signature in a picture's URL changes",
    shop('<img src="/can.png?Expires=%epoch%&Signature=%base64:40%" alt="can" width="40" height="40">'),
  ],
  [
    "the key of a captcha changes",
    office('<img src="/captcha/%hex:16%.png" alt="captcha" width="80" height="30">'),
  ],
]);

const more = servedAgain("token", [
  [
    "a token in a German form changes",
    office(
      '<form action="/buchen"><input type="hidden" name="authenticity_token" value="%base64:43%=="><button>Buchen</button></form>',
    ),
  ],
  [
    "a nonce in a script's settings changes",
    shop({ end: '<script>var settings={"ajax":"/ajax","nonce":"%hex:10%"};</script>' }),
  ],
  [
    "trace IDs for error reports change",
    shop({
      head: '<meta name="sentry-trace" content="%hex:32%-%hex:16%-0"><meta name="traceparent" content="00-%hex:32%-%hex:16%-01">',
    }),
  ],
  ["a style nonce changes", shop({ head: '<style nonce="%base64:22%">.x{margin:0}</style>' })],
  [
    "generated IDs in an SVG change",
    shop(
      '<svg width="20" height="20"><defs><clipPath id="c%hex:8%"><rect width="9" height="9"/></clipPath></defs></svg>',
    ),
  ],
  [
    "generated IDs for aria-describedby change",
    shop('<input name="n" aria-describedby="tip-%digits:7%"><span id="tip-%digits:7%">In litres</span>'),
  ],
  [
    "the creation time of a form changes",
    office(
      '<form action="/book"><input type="hidden" name="form_time" value="%epoch%"><button>Book</button></form>',
    ),
  ],
  [
    "a signed ticket in a script changes",
    shop({
      end: '<script>window.ticket="eyJhbGciOiJIUzI1NiJ9.eyJpYXQiOjE3OTQ4%base64:20%.%base64:43%";</script>',
    }),
  ],
  ["the server name in a comment changes", shop({ end: "<!-- web-%pick:01|02|03% %hex:8% -->" })],
  [
    "the bucket of an experiment changes",
    shop({ head: '<meta name="experiment" content="bucket-%pick:a|b|c%">' }),
  ],
  [
    "the cache buster of an iframe changes",
    office('<iframe src="/map.html?cb=%epoch%" width="300" height="80" title="Map"></iframe>'),
  ],
  [
    "generated keys of list items change",
    shop('<ul><li data-key="%uuid%">Red</li><li data-key="%uuid%">Green</li></ul>'),
  ],
  [
    "a time and a visitor ID in data attributes change",
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
  [["hashed asset names change", "3f9c1ab27d", "b81e0d44c9", "77aa01ef3b"]],
).concat(
  rows("token", (id) => shop({ head: `<meta name="build" content="${id}">` }), noise, [
    ["a build ID changes", "2026.11.14-3f9c1ab", "2026.11.16-b81e0d4"],
  ]),
  rows("token", (v) => shop({ head: `<link rel="stylesheet" href="/theme/style.css?ver=${v}">` }), noise, [
    ["the version of a style sheet changes", "6.4.1", "6.4.2"],
  ]),
);

const p = (text: string) => news(`<p class="meta">${text}</p>`);
const times = rows("time", p, noise, [
  [
    "a relative time in minutes changes",
    "Updated 5 minutes ago",
    "Updated 12 minutes ago",
    "Updated 1 hour ago",
  ],
  ["just now becomes a minute ago", "Posted just now", "Posted 1 minute ago"],
  ["an abbreviated relative time changes", "3h ago", "4h ago"],
  ["a relative time in days changes", "Published 2 days ago", "Published 3 days ago"],
  ["a relative time in German changes", "vor 5 Minuten", "vor 2 Stunden"],
  ["a relative time in French changes", "il y a 5 minutes", "il y a 2 heures"],
  ["a relative time in Spanish changes", "hace 5 minutos", "hace 2 horas"],
  ["a relative time in Italian changes", "5 minuti fa", "2 ore fa"],
  ["a relative time in Portuguese changes", "há 5 minutos", "há 2 horas"],
  ["a relative time in Dutch changes", "5 minuten geleden", "2 uur geleden"],
  ["a relative time in Polish changes", "5 minut temu", "2 godziny temu"],
  ["a relative time in Swedish changes", "för 5 minuter sedan", "för 2 timmar sedan"],
  ["a relative time in Danish changes", "for 5 minutter siden", "for 2 timer siden"],
  ["a relative time in Finnish changes", "5 minuuttia sitten", "2 tuntia sitten"],
  ["a relative time in Czech changes", "před 5 minutami", "před 2 hodinami"],
  ["a relative time in Russian changes", "5 минут назад", "2 часа назад"],
  ["a relative time in Turkish changes", "5 dakika önce", "2 saat önce"],
  ["a relative time in Japanese changes", "5分前", "2時間前"],
  ["a relative time in Chinese changes", "5分钟前", "2小时前"],
  ["a relative time in Korean changes", "5분 전", "2시간 전"],
  ["a relative time in Arabic changes", "منذ 5 دقائق", "منذ 12 دقيقة"],
  ["a relative time in Norwegian changes", "for 5 minutter siden", "for 2 timer siden"],
  ["a relative time in Ukrainian changes", "5 хвилин тому", "2 години тому"],
  ["a relative time in Greek changes", "πριν από 5 λεπτά", "πριν από 2 ώρες"],
  ["a relative time in Hebrew changes", "לפני 5 דקות", "לפני 12 דקות"],
  ["a relative time in Hungarian changes", "5 perccel ezelőtt", "2 órával ezelőtt"],
  ["a relative time in Romanian changes", "acum 5 minute", "acum 2 ore"],
  ["a relative time in Vietnamese changes", "5 phút trước", "2 giờ trước"],
  ["a relative time in Thai changes", "5 นาทีที่แล้ว", "12 นาทีที่แล้ว"],
  ["a relative time in Hindi changes", "5 मिनट पहले", "12 मिनट पहले"],
  ["a relative time in Indonesian changes", "5 menit yang lalu", "2 jam yang lalu"],
]);
const item = (when: string) =>
  news(`<article><h2>Swans return to the harbour</h2><p class="date">${when}</p></article>`);
const swaps = rows("time", item, noise, [
  ["a relative time becomes a clock time", "35 minutes ago", "10:25"],
  ["a relative time becomes a date", "23 hours ago", "15 November 2026"],
  ["a clock time becomes a date", "10:25", "Nov 15"],
  ["yesterday becomes a date", "Yesterday, 10:25", "15 November 2026"],
]);
const clocks = rows("time", (text) => office({ header: `<p class="clock">${text}</p>` }), noise, [
  ["a clock in the header changes", "10:42", "11:07"],
  ["a clock with seconds changes", "10:42:07", "10:42:31"],
  ["a date with a clock time changes", "Monday, 16 November 2026, 10:42", "Monday, 16 November 2026, 11:55"],
]);
const today = (day: string, at: string) => ({ body: office(`<p>As of ${day}</p>`), headers: { date: at } });
const dated: Scenario[] = [
  {
    class: "time",
    name: "the date of the current day changes",
    serves: [
      today("15 November 2026", "Sun, 15 Nov 2026 10:00:00 GMT"),
      today("16 November 2026", "Mon, 16 Nov 2026 10:00:00 GMT"),
    ],
    expect: [noise],
  },
  {
    class: "time",
    name: "the copyright year changes",
    serves: [shop({ footer: "<p>© 2026 Fernhill</p>" }), shop({ footer: "<p>© 2027 Fernhill</p>" })],
    expect: [noise],
  },
  {
    class: "time",
    name: "the relative time in a time element changes",
    serves: [
      news('<time datetime="2026-11-16T10:42:07Z">5 minutes ago</time>'),
      news('<time datetime="2026-11-16T10:42:07Z">9 minutes ago</time>'),
    ],
    expect: [noise],
  },
];

const counters = rows("counter", p, noise, [
  ["a count of views changes", "1,204 views", "1,311 views"],
  ["a count of likes changes", "87 likes", "93 likes"],
  ["a count of comments changes", "12 comments", "15 comments"],
  ["an abbreviated count of followers changes", "1.2K followers", "1.3K followers"],
  [
    "a count of viewers changes",
    "7 people are viewing this right now",
    "4 people are viewing this right now",
  ],
  ["a count of users online changes", "Users online: 412", "Users online: 398"],
  ["a count of downloads changes", "20,311 downloads", "20,377 downloads"],
  ["a count of stars changes", "512 stars", "514 stars"],
  ["a count of reviews changes", "(231 reviews)", "(234 reviews)"],
  ["a count in German changes", "1.204 Aufrufe", "1.311 Aufrufe"],
  ["a count in French changes", "1 204 vues", "1 311 vues"],
  ["a count in Spanish changes", "87 comentarios", "91 comentarios"],
  ["a count in Russian changes", "1204 просмотра", "1311 просмотров"],
  ["a count in Japanese changes", "1,204回視聴", "1,311回視聴"],
  ["a count in Polish changes", "1204 wyświetlenia", "1311 wyświetleń"],
  ["a count in Portuguese changes", "1.204 visualizações", "1.311 visualizações"],
  ["a count in Chinese changes", "1204次浏览", "1311次浏览"],
  ["a count in Korean changes", "조회수 1,204회", "조회수 1,311회"],
  ["a count in Italian changes", "87 commenti", "91 commenti"],
  ["a count in Dutch changes", "12 reacties", "15 reacties"],
  ["a count in Swedish changes", "1 204 visningar", "1 311 visningar"],
  ["a count in Turkish changes", "1.204 görüntülenme", "1.311 görüntülenme"],
  ["two counts change", "3 comments, 1.2k views", "4 comments, 1.3k views"],
  ["a count after its label changes", "Views: 1,204", "Views: 1,311"],
  ["counts of guests and members change", "Online: 12 members, 231 guests", "Online: 9 members, 254 guests"],
]);

/** Other types of content, whose two captures of the same moment differ. */
const file = (type: string) => (body: string) => ({ body, type });
const filesAgain = [
  ...rows("token", file("application/json"), noise, [
    [
      "a number in JSON differs at every request",
      '{"load":0.%digits:3%,"name":"api"}',
      '{"load":0.%digits:3%,"name":"api"}',
    ],
    [
      "a token in JSON changes",
      '{"csrf":"%base64:43%","items":["a"]}',
      '{"csrf":"%base64:43%","items":["a"]}',
    ],
    [
      "the generation time in JSON changes",
      '{"generatedAt":"2026-11-16T10:%pick:10|24|37|41|53%:07Z","n":1}',
      '{"generatedAt":"2026-11-16T10:%pick:10|24|37|41|53%:07Z","n":1}',
    ],
  ]),
  ...rows("token", file("text/plain"), noise, [
    [
      "a line in a file differs at every request",
      "# load 0.%digits:3%\nname api\n",
      "# load 0.%digits:3%\nname api\n",
    ],
    ["a request ID in a file changes", "request %uuid%\nall good\n", "request %uuid%\nall good\n"],
  ]),
  ...rows("token", file("application/xml"), noise, [
    [
      "the build time of a feed changes",
      "<rss><channel><title>t</title><lastBuildDate>Mon, 16 Nov 2026 10:%pick:10|24|37|41|53%:07 GMT</lastBuildDate></channel></rss>",
      "<rss><channel><title>t</title><lastBuildDate>Mon, 16 Nov 2026 10:%pick:10|24|37|41|53%:07 GMT</lastBuildDate></channel></rss>",
    ],
  ]),
];

/** Numbers next to words that resemble the counters above, and times that are the page's content: alerted. */
const notNoise = [
  ...rows("counter", p, alerted(), [
    ["a count of seats is alerted", "Seats: 12", "Seats: 3"],
    ["a word next to a counter is alerted", "1,204 views, open", "1,311 views, closed"],
    ["closed comments are alerted", "12 comments", "Comments are closed"],
    ["a limit of visitors is alerted", "Room for 40 visitors", "Room for 25 visitors allowed by law"],
    ["the percentages of a vote are alerted", "Yes 51 %, No 49 %", "Yes 48 %, No 52 %"],
  ]),
  ...rows("time", p, alerted(), [
    [
      "a name next to a relative time is alerted",
      "Updated 5 minutes ago by Ana",
      "Updated 12 minutes ago by Boris",
    ],
    ["a delay in minutes is alerted", "Ferry 12: 5 minutes late", "Ferry 12: 40 minutes late"],
    ["the duration of a repair is alerted", "Repairs take 2 days", "Repairs take 9 days"],
    ["a headline next to a clock time is alerted", "10:25 Storm is coming", "11:40 Storm has passed"],
  ]),
  ...rows("token", (id) => office(`<p>Fingerprint of our key: ${id}</p>`), alerted(), [
    [
      "the fingerprint of a key is alerted",
      "9E10 7D9D 372B B682 6BD8 1D35 42A4 19D6",
      "E4D9 09C2 90D0 FB1C A068 FFAD DF22 CBD0",
    ],
  ]),
  ...rows("token", (id) => shop(`<p>Order number of the part: ${id}</p>`), alerted(), [
    ["a part number is alerted", "WX-20417-B", "WX-20418-B"],
  ]),
  ...rows("token", (id) => shop(`<p>SHA-256 of the download: <code>${id}</code></p>`), alerted(), [
    [
      "the checksum of a download is alerted",
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
