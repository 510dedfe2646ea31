/** Parts of a page. Each is added to the usual content, except that title, language and menu replace it. */
type Parts = {
  title?: string;
  lang?: string;
  head?: string;
  /** Between the body's start and the header. */
  top?: string;
  header?: string;
  /** Replaces the usual entries. */
  menu?: string;
  main?: string;
  aside?: string;
  footer?: string;
  /** Before the body's end. */
  end?: string;
};

type Story = { title: string; heading: string; before: string; after: string; aside: string };

const stories = {
  shop: {
    title: "Copper watering can, 5 litres | Fernhill Garden Supplies",
    heading: "Copper watering can, 5 litres",
    before: `<p class="crumbs"><a href="/">Home</a> / <a href="/tools">Tools</a> / <a href="/tools/watering">Watering</a></p>
<p class="lead">Hand-made from recycled copper sheet by a family workshop near the coast.</p>`,
    after: `<h2>Description</h2>
<p>The long spout reaches the back of every greenhouse shelf, and the rose comes off for watering pots one by one.</p>
<p>Copper darkens with the weather. If you like it bright, rub it with lemon and salt twice a year.</p>
<p>Each can is tested for leaks before it leaves the workshop, and carries the mark of the smith who made it.</p>
<h2>Details</h2>
<table><tr><th>Capacity</th><td>5 litres</td></tr><tr><th>Weight</th><td>1.4 kg</td></tr><tr><th>Height</th><td>38 cm</td></tr>
<tr><th>Material</th><td>Copper, brass rose</td></tr><tr><th>Made in</th><td>Portugal</td></tr></table>
<h2>Delivery and returns</h2>
<p>Orders placed before noon leave our barn the same day. Parcels travel with the postal service.</p>
<p>You may send anything back within a month if it is unused, and we pay for the return.</p>
<h2>Care</h2>
<ul><li>Empty it before the first frost.</li><li>Do not leave fertiliser standing in it.</li><li>Store it upside down.</li></ul>`,
    aside:
      '<h2>Goes well with</h2><ul><li><a href="/tools/rain-barrel">Oak rain barrel</a></li><li><a href="/tools/hose">Rubber hose</a></li></ul>',
  },
  news: {
    title: "Harbour news | The Eastholm Courier",
    heading: "Harbour news",
    before: "<p>What happened between the lighthouse and the fish market, by our own reporters.</p>",
    after: `<article><h2><a href="/2026/pier-reopens">Old pier opens again after two winters</a></h2>
<p>Carpenters replaced three hundred oak planks, and the band of the fire brigade played until the rain came.</p></article>
<article><h2><a href="/2026/ferry-crew">Ferry crew saves a dog from the breakwater</a></h2>
<p>The captain says the animal swam towards the ship as if it had bought a ticket.</p></article>
<article><h2><a href="/2026/school-boats">Pupils build their own rowing boats</a></h2>
<p>The first of four boats was launched on Saturday and only leaked a little, their teacher told us.</p></article>
<article><h2><a href="/2026/library-move">Library moves into the old customs house</a></h2>
<p>Forty volunteers formed a chain and handed eleven thousand books across the square.</p></article>`,
    aside:
      '<h2>From the archive</h2><p><a href="/1998/storm">The night the storm took the bell</a></p><p><a href="/2004/bridge">How the bridge got its colour</a></p>',
  },
  office: {
    title: "Appointments | City of Brackwater",
    heading: "Appointments at the registry office",
    before:
      "<p>Here you can see when the registry office has time for you. Please bring a valid passport.</p>",
    after: `<h2>What you need</h2>
<ol><li>A passport or an identity card.</li><li>The form you were sent by post, filled in and signed.</li><li>One photograph, not older than half a year.</li></ol>
<h2>Where we are</h2>
<p>Town hall, ground floor, room behind the staircase. The entrance from the park has a ramp.</p>
<p>The building closes at noon on market days. Bicycles can be left in the yard.</p>
<h2>If you cannot come</h2>
<p>Tell us a day before, so that somebody else can have your place. You can name a person who comes for you.</p>
<p>Papers that nobody collects are kept for three months and then sent back to where they were made.</p>`,
    aside:
      '<h2>Other offices</h2><p><a href="/office/tax">Tax office</a></p><p><a href="/office/roads">Roads and parks</a></p>',
  },
  scope: {
    title: "Bug bounty programme | Lumen Pay",
    heading: "Bug bounty programme",
    before: "<p>We pay for reports that help us keep our customers safe. Be kind to production systems.</p>",
    after: `<h2>In scope</h2><ul class="scope"><li>www.lumenpay.example</li><li>api.lumenpay.example</li><li>id.lumenpay.example</li></ul>
<h2>Out of scope</h2><ul><li>Denial of service</li><li>Reports of scanners without proof</li><li>Social engineering of our staff</li></ul>
<h2>Rewards</h2><table><tr><th>Low</th><td>100 EUR</td></tr><tr><th>Medium</th><td>500 EUR</td></tr><tr><th>High</th><td>2,500 EUR</td></tr></table>
<h2>Rules</h2><p>Use test accounts of your own, stop when you see data of others, and give us time to mend it.</p>
<p>We answer within three working days and tell you what we found out.</p>`,
    aside: '<h2>Hall of fame</h2><p><a href="/thanks">People who helped us</a></p>',
  },
} satisfies Record<string, Story>;

const menu = ["Products", "Services", "Company", "Careers", "Journal", "Contact"]
  .map((text) => `<li><a href="/${text.toLowerCase()}">${text}</a></li>`)
  .join("");

const entries = (folder: string, texts: string[]) =>
  texts
    .map((text) => `<li><a href="/${folder}/${text.toLowerCase().replaceAll(" ", "-")}">${text}</a></li>`)
    .join("");

const columns = [
  entries("help", [
    "Questions and answers",
    "Delivery abroad",
    "Returns",
    "Payment",
    "Size guide",
    "Write to us",
  ]),
  entries("about", ["Our history", "People", "Suppliers", "Prizes", "Annual report", "Open positions"]),
  entries("legal", ["Terms of use", "Accessibility", "Complaints", "Licences", "Data we keep", "Cookies"]),
]
  .map((links) => `<ul>${links}</ul>`)
  .join("");

/** Text that every site has further down, so that pages have a realistic length. */
const further = [
  [
    "How we work",
    "Everything here is made, written or decided by people who live nearby, and most of them have done it for a long time.",
    "We would rather say nothing than something wrong, so it may take a while until a question is answered.",
    "If you find a mistake, tell us where, and we mend it before we do anything else.",
  ],
  [
    "Getting here",
    "From the station it is a walk of a quarter of an hour along the canal, past the two old mills.",
    "Those who come by car find a place behind the fire station, except when there is a fair.",
    "The path from the ferry is steep and slippery after rain. There is a handrail on the left.",
  ],
  [
    "Who supports us",
    "The foundation of the rope makers pays for the roof, and the rotary club for the heating.",
    "Neighbours lend us tools, vans and now and then a hand, for which we are grateful.",
    "A list of all who gave something hangs in the hall and is read aloud at the summer party.",
  ],
  [
    "Words we use",
    "By a working day we mean a day on which the bakery is open, since everybody can see that.",
    "A season lasts from the first swallow to the first frost, as it always has.",
    "When we say we, we mean whoever is on duty. Their names are written on the board by the door.",
  ],
]
  .map(
    ([heading, ...paragraphs]) =>
      `<h2>${heading}</h2>${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}`,
  )
  .join("\n");

const style = `body{font:16px/1.5 sans-serif;margin:0;color:#222}header,main,aside,footer{padding:16px 32px}
header nav ul{display:flex;gap:16px;list-style:none;padding:0}main{max-width:760px}table{border-collapse:collapse}
th,td{border:1px solid #bbb;padding:4px 10px;text-align:left}footer{background:#eee}.btn{padding:8px 16px}`;

function draw({ title, heading, before, after, aside }: Story, parts: Parts): string {
  return `<!doctype html>
<html lang="${parts.lang ?? "en"}"><head><meta charset="utf-8"><title>${parts.title ?? title}</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="${heading}">
<style>${style}</style>${parts.head ?? ""}</head>
<body>${parts.top ?? ""}<header><a class="logo" href="/">Home</a>${parts.header ?? ""}
<nav><ul>${parts.menu ?? menu}</ul></nav></header>
<main><h1>${heading}</h1>
${before}
${parts.main ?? ""}
${after}
<section>${further}</section>
</main>
<aside>${aside}${parts.aside ?? ""}</aside>
<footer><p>12 Mill Lane, Eastholm</p><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy</a></li></ul>${columns}${parts.footer ?? ""}</footer>
<script>document.documentElement.classList.add("ready");</script>${parts.end ?? ""}</body></html>`;
}

const drawer = (story: Story) => (parts: string | Parts) =>
  draw(story, typeof parts === "string" ? { main: parts } : parts);

/** Four sites of realistic size; a string is put into the main content. */
export const shop = drawer(stories.shop);
export const news = drawer(stories.news);
export const office = drawer(stories.office);
export const scope = drawer(stories.scope);

/** A menu with the given entries. */
export const menuOf = (entries: [text: string, href: string][]) =>
  entries.map(([text, href]) => `<li><a href="${href}">${text}</a></li>`).join("");
