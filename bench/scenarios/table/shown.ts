// What a reader, a shopper or a screen reader sees, and what only the page's head contains.
import { office, shop } from "../page.ts";
import { alerted, important, notLost, rows, type Scenario } from "../scenario.ts";

const sheet = (css: string) => (piece: string) => shop({ head: `<style>${css}</style>`, main: piece });
const inShop = (piece: string) => shop(piece);
const hint = "Only two left in our barn";

const visibleByEngine: Scenario[] = [
  ...rows(
    "visible",
    sheet(".off{display:none}"),
    alerted(["Only two left"]),
    [
      [
        "text is shown by a change of its class",
        `<p class="hint off">${hint}</p>`,
        `<p class="hint">${hint}</p>`,
      ],
      [
        "text is hidden by a change of its class",
        `<p class="hint">${hint}</p>`,
        `<p class="hint off">${hint}</p>`,
      ],
      [
        "text is shown by a change of an ancestor's class",
        `<div class="off"><section><p>${hint}</p></section></div>`,
        `<div><section><p>${hint}</p></section></div>`,
      ],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    inShop,
    alerted(["Buy"]),
    [
      [
        "text is hidden by an added style element",
        '<div><p class="buy">Buy it now</p></div>',
        '<style>main .buy{display:none}</style><div><p class="buy">Buy it now</p></div>',
      ],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) => shop({ head: `<style>${css}</style>`, main: `<p class="hint">${hint}</p>` }),
    alerted(["Only two left"]),
    [
      ["text is hidden by a changed style sheet", ".hint{color:red}", ".hint{display:none}"],
      ["text is shown by a changed style sheet", ".hint{visibility:hidden}", ".hint{visibility:visible}"],
      ["text is hidden by zero opacity", ".hint{opacity:1}", ".hint{opacity:0}"],
      ["text is hidden by zero height", ".hint{height:auto}", ".hint{height:0;overflow:hidden}"],
      ["text is moved off the screen", ".hint{position:static}", ".hint{position:absolute;left:-9999px}"],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) => shop({ head: `<style>.state::before{content:"${css}"}</style>`, main: '<p class="state"></p>' }),
    alerted(["Sold out"]),
    [["text that a style adds before an element changes", "Available", "Sold out"]],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) =>
      shop({
        head: `<style>.state::after{content:"${css}"}</style>`,
        main: '<p class="state">Delivery: </p>',
      }),
    alerted(["three weeks"]),
    [["text that a style adds after an element changes", "two days", "three weeks"]],
    { needs: "engine" },
  ),
  {
    class: "visible",
    name: "text is hidden by a changed external style sheet",
    serves: [0, 1].map(() =>
      shop({ head: '<link rel="stylesheet" href="/theme.css">', main: `<p class="hint">${hint}</p>` }),
    ),
    files: {
      "/theme.css": [
        { body: ".hint{color:green}", type: "text/css" },
        { body: ".hint{display:none}", type: "text/css" },
      ],
    },
    expect: [alerted(["Only two left"])],
    needs: "engine",
  },
];

const visible = [
  ...rows(
    "visible",
    inShop,
    alerted(["Only two left"]),
    [
      [
        "text is shown by its style attribute",
        `<p style="display:none">${hint}</p>`,
        `<p style="display:block">${hint}</p>`,
      ],
      ["text is hidden by its style attribute", `<p>${hint}</p>`, `<p style="display:none">${hint}</p>`],
      ["text is shown because it loses the hidden attribute", `<p hidden>${hint}</p>`, `<p>${hint}</p>`],
      ["text is hidden by the hidden attribute", `<p>${hint}</p>`, `<p hidden>${hint}</p>`],
      [
        "text is shown by a change of its visibility",
        `<p style="visibility:hidden">${hint}</p>`,
        `<p>${hint}</p>`,
      ],
    ],
    { needs: "engine" },
  ),
  ...rows("visible", inShop, alerted(["casino"], "important"), [
    [
      "hidden links are added",
      "",
      '<div style="display:none"><a href="https://spins.example/">best casino bonus</a></div>',
    ],
  ]),
  ...rows("visible", inShop, alerted(["secret"]), [
    [
      "hidden text changes",
      "<div hidden>internal note: nothing here</div>",
      "<div hidden>internal note: secret launch on Monday</div>",
    ],
  ]),
];

const controls = rows("control", inShop, alerted(), [
  ["a button becomes enabled", "<button disabled>Add to basket</button>", "<button>Add to basket</button>"],
  [
    "a button becomes disabled",
    "<button>Add to basket</button>",
    '<button disabled="disabled">Add to basket</button>',
  ],
  [
    "aria-disabled changes",
    '<a class="btn" href="/buy" aria-disabled="true">Buy</a>',
    '<a class="btn" href="/buy" aria-disabled="false">Buy</a>',
  ],
  [
    "aria-checked changes",
    '<span role="checkbox" aria-checked="false">Gift wrap</span>',
    '<span role="checkbox" aria-checked="true">Gift wrap</span>',
  ],
  [
    "the aria-label of a button changes",
    '<button aria-label="Not available"><svg></svg></button>',
    '<button aria-label="Add to basket"><svg></svg></button>',
  ],
  [
    "the aria-label of a rating changes",
    '<span role="img" aria-label="4 of 5 stars"></span>',
    '<span role="img" aria-label="1 of 5 stars"></span>',
  ],
  [
    "the alt text of a picture changes",
    '<img src="/dot.png" alt="In stock">',
    '<img src="/dot.png" alt="Sold out">',
  ],
  [
    "the selected option changes",
    "<select><option selected>Small</option><option>Large</option></select>",
    "<select><option>Small</option><option selected>Large</option></select>",
  ],
  [
    "an option is added",
    "<select><option>Small</option></select>",
    "<select><option>Small</option><option>Large</option></select>",
  ],
  [
    "an option becomes disabled",
    "<select><option>Small</option><option>Large</option></select>",
    "<select><option>Small</option><option disabled>Large</option></select>",
  ],
  [
    "a checkbox becomes checked",
    '<input type="checkbox" name="gift"> Gift',
    '<input type="checkbox" name="gift" checked> Gift',
  ],
  ["the value of a field changes", '<input name="qty" value="1">', '<input name="qty" value="25">'],
  ["a field loses its text", "<textarea>Closed in August.</textarea>", "<textarea></textarea>"],
  [
    "a placeholder changes",
    '<input name="code" placeholder="Code">',
    '<input name="code" placeholder="Codes no longer accepted">',
  ],
  [
    "the label of a submit button changes",
    '<input type="submit" value="Order">',
    '<input type="submit" value="Join the waiting list">',
  ],
  [
    "the value of a progress bar changes",
    '<progress max="100" value="20"></progress>',
    '<progress max="100" value="90"></progress>',
  ],
  [
    "the text in an SVG changes",
    '<svg width="90" height="20"><text y="15">Open</text></svg>',
    '<svg width="90" height="20"><text y="15">Closed</text></svg>',
  ],
  [
    "the title in an SVG changes",
    '<svg width="9" height="9"><title>Green light</title></svg>',
    '<svg width="9" height="9"><title>Red light</title></svg>',
  ],
]);

/** Attributes that are neither words nor states that are alerted: their changes must at least be listed. */
const attributes = rows("control", inShop, notLost, [
  [
    "the title of an abbreviation changes",
    '<abbr title="available from May">*</abbr>',
    '<abbr title="no longer made">*</abbr>',
  ],
  [
    "the maximum quantity changes",
    '<input type="number" max="10" name="n">',
    '<input type="number" max="0" name="n">',
  ],
  [
    "a field becomes read-only",
    '<textarea name="note">Dear smith</textarea>',
    '<textarea name="note" readonly>Dear smith</textarea>',
  ],
]);

const jsonLd = (offer: string) =>
  shop({
    head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Watering can","offers":{"@type":"Offer",${offer}}}</script>`,
  });
const inHead = (piece: string) => shop({ head: piece });

const data = [
  ...rows("data", jsonLd, alerted(["OutOfStock"]), [
    [
      "the JSON-LD availability changes",
      '"availability":"https://schema.org/InStock"',
      '"availability":"https://schema.org/OutOfStock"',
    ],
  ]),
  ...rows("data", jsonLd, alerted(["44.5"]), [
    [
      "the JSON-LD price changes",
      '"price":"49.00","priceCurrency":"EUR"',
      '"price":"44.50","priceCurrency":"EUR"',
    ],
  ]),
  ...rows(
    "data",
    (date) =>
      office({
        head: `<script type="application/ld+json">{"@type":"Event","name":"Town meeting","startDate":"${date}"}</script>`,
      }),
    alerted(["2027-04-02"]),
    [["the JSON-LD date changes", "2027-03-01", "2027-04-02"]],
  ),
  ...rows("data", inShop, alerted(["OutOfStock"]), [
    [
      "the microdata availability changes",
      '<link itemprop="availability" href="https://schema.org/InStock">',
      '<link itemprop="availability" href="https://schema.org/OutOfStock">',
    ],
  ]),
  ...rows("data", inShop, alerted(["39.00"]), [
    [
      "the microdata price changes",
      '<span itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="49.00"></span>',
      '<span itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="39.00"></span>',
    ],
  ]),
  ...rows("data", inShop, notLost, [
    [
      "the date of a time element changes",
      '<time datetime="2027-05-02">the fair</time>',
      '<time datetime="2027-05-09">the fair</time>',
    ],
  ]),
  ...rows("data", inHead, alerted(["elsewhere.example"]), [
    [
      "the canonical URL changes to another host",
      '<link rel="canonical" href="%origin%/can">',
      '<link rel="canonical" href="https://elsewhere.example/can">',
    ],
    [
      "og:url changes to another host",
      '<meta property="og:url" content="%origin%/can">',
      '<meta property="og:url" content="https://elsewhere.example/can">',
    ],
    [
      "og:image changes to another host",
      '<meta property="og:image" content="%origin%/can.png">',
      '<meta property="og:image" content="https://elsewhere.example/can.png">',
    ],
  ]),
  ...rows("data", inHead, alerted(["noindex"]), [
    [
      "the robots meta element changes to noindex",
      '<meta name="robots" content="index,follow">',
      '<meta name="robots" content="noindex,nofollow">',
    ],
  ]),
  ...rows("data", inHead, notLost, [
    [
      "og:title changes",
      '<meta property="og:title" content="Copper can">',
      '<meta property="og:title" content="Copper can (discontinued)">',
    ],
  ]),
  ...rows("data", inHead, alerted(["59"]), [
    [
      "the product price in a meta element changes",
      '<meta property="product:price:amount" content="49">',
      '<meta property="product:price:amount" content="59">',
    ],
  ]),
  ...rows("data", inHead, important, [
    [
      "a refresh to another host is added",
      "",
      '<meta http-equiv="refresh" content="600;url=https://elsewhere.example/">',
    ],
  ]),
];

export const shown: Scenario[] = [...visibleByEngine, ...visible, ...controls, ...attributes, ...data];
