// What a reader, a shopper or a screen reader sees, and what only the page's head tells.
import { office, shop } from "../page.ts";
import { important, rows, type Scenario, seen, told } from "../scenario.ts";

const sheet = (css: string) => (piece: string) => shop({ head: `<style>${css}</style>`, main: piece });
const inShop = (piece: string) => shop(piece);
const hint = "Only two left in our barn";

const visibleByEngine: Scenario[] = [
  ...rows(
    "visible",
    sheet(".off{display:none}"),
    told(["Only two left"]),
    [
      ["shown by another class", `<p class="hint off">${hint}</p>`, `<p class="hint">${hint}</p>`],
      ["hidden by another class", `<p class="hint">${hint}</p>`, `<p class="hint off">${hint}</p>`],
      [
        "shown within a shown part",
        `<div class="off"><section><p>${hint}</p></section></div>`,
        `<div><section><p>${hint}</p></section></div>`,
      ],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    inShop,
    told(["Buy"]),
    [
      [
        "hidden by a style that comes",
        '<div><p class="buy">Buy it now</p></div>',
        '<style>main .buy{display:none}</style><div><p class="buy">Buy it now</p></div>',
      ],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) => shop({ head: `<style>${css}</style>`, main: `<p class="hint">${hint}</p>` }),
    told(["Only two left"]),
    [
      ["hidden by the style sheet", ".hint{color:red}", ".hint{display:none}"],
      ["shown by the style sheet", ".hint{visibility:hidden}", ".hint{visibility:visible}"],
      ["hidden by no opacity", ".hint{opacity:1}", ".hint{opacity:0}"],
      ["hidden by no height", ".hint{height:auto}", ".hint{height:0;overflow:hidden}"],
      ["moved out of sight", ".hint{position:static}", ".hint{position:absolute;left:-9999px}"],
    ],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) => shop({ head: `<style>.state::before{content:"${css}"}</style>`, main: '<p class="state"></p>' }),
    told(["Sold out"]),
    [["text before an element by style", "Available", "Sold out"]],
    { needs: "engine" },
  ),
  ...rows(
    "visible",
    (css) =>
      shop({
        head: `<style>.state::after{content:"${css}"}</style>`,
        main: '<p class="state">Delivery: </p>',
      }),
    told(["three weeks"]),
    [["text after an element by style", "two days", "three weeks"]],
    { needs: "engine" },
  ),
  {
    class: "visible",
    name: "hidden by a style sheet of its own file",
    serves: [0, 1].map(() =>
      shop({ head: '<link rel="stylesheet" href="/theme.css">', main: `<p class="hint">${hint}</p>` }),
    ),
    files: {
      "/theme.css": [
        { body: ".hint{color:green}", type: "text/css" },
        { body: ".hint{display:none}", type: "text/css" },
      ],
    },
    expect: [told(["Only two left"])],
    needs: "engine",
  },
];

const visible = [
  ...rows(
    "visible",
    inShop,
    told(["Only two left"]),
    [
      ["shown by its style", `<p style="display:none">${hint}</p>`, `<p style="display:block">${hint}</p>`],
      ["hidden by its style", `<p>${hint}</p>`, `<p style="display:none">${hint}</p>`],
      ["shown by losing hidden", `<p hidden>${hint}</p>`, `<p>${hint}</p>`],
      ["hidden by hidden", `<p>${hint}</p>`, `<p hidden>${hint}</p>`],
      ["shown by visibility", `<p style="visibility:hidden">${hint}</p>`, `<p>${hint}</p>`],
    ],
    { needs: "engine" },
  ),
  ...rows("visible", inShop, told(["casino"], "important"), [
    [
      "hidden links come",
      "",
      '<div style="display:none"><a href="https://spins.example/">best casino bonus</a></div>',
    ],
  ]),
  ...rows("visible", inShop, told(["secret"]), [
    [
      "hidden text changes",
      "<div hidden>internal note: nothing here</div>",
      "<div hidden>internal note: secret launch on Monday</div>",
    ],
  ]),
];

const controls = rows("control", inShop, told(), [
  ["a button becomes usable", "<button disabled>Add to basket</button>", "<button>Add to basket</button>"],
  [
    "a button is switched off",
    "<button>Add to basket</button>",
    '<button disabled="disabled">Add to basket</button>',
  ],
  [
    "aria-disabled",
    '<a class="btn" href="/buy" aria-disabled="true">Buy</a>',
    '<a class="btn" href="/buy" aria-disabled="false">Buy</a>',
  ],
  [
    "aria-checked",
    '<span role="checkbox" aria-checked="false">Gift wrap</span>',
    '<span role="checkbox" aria-checked="true">Gift wrap</span>',
  ],
  [
    "aria-label of a button",
    '<button aria-label="Not available"><svg></svg></button>',
    '<button aria-label="Add to basket"><svg></svg></button>',
  ],
  [
    "aria-label of a rating",
    '<span role="img" aria-label="4 of 5 stars"></span>',
    '<span role="img" aria-label="1 of 5 stars"></span>',
  ],
  ["alt of a picture", '<img src="/dot.png" alt="In stock">', '<img src="/dot.png" alt="Sold out">'],
  [
    "the chosen option",
    "<select><option selected>Small</option><option>Large</option></select>",
    "<select><option>Small</option><option selected>Large</option></select>",
  ],
  [
    "an option comes",
    "<select><option>Small</option></select>",
    "<select><option>Small</option><option>Large</option></select>",
  ],
  [
    "an option is switched off",
    "<select><option>Small</option><option>Large</option></select>",
    "<select><option>Small</option><option disabled>Large</option></select>",
  ],
  [
    "a box is ticked",
    '<input type="checkbox" name="gift"> Gift',
    '<input type="checkbox" name="gift" checked> Gift',
  ],
  ["the value of a field", '<input name="qty" value="1">', '<input name="qty" value="25">'],
  [
    "a placeholder",
    '<input name="code" placeholder="Code">',
    '<input name="code" placeholder="Codes no longer accepted">',
  ],
  [
    "the name of a submit field",
    '<input type="submit" value="Order">',
    '<input type="submit" value="Join the waiting list">',
  ],
  [
    "a progress bar",
    '<progress max="100" value="20"></progress>',
    '<progress max="100" value="90"></progress>',
  ],
  [
    "text in SVG",
    '<svg width="90" height="20"><text y="15">Open</text></svg>',
    '<svg width="90" height="20"><text y="15">Closed</text></svg>',
  ],
  [
    "title in SVG",
    '<svg width="9" height="9"><title>Green light</title></svg>',
    '<svg width="9" height="9"><title>Red light</title></svg>',
  ],
]);

/** Neither words nor states that a reader is told of: listed at least. */
const attributes = rows("control", inShop, seen, [
  [
    "title of an abbreviation",
    '<abbr title="available from May">*</abbr>',
    '<abbr title="no longer made">*</abbr>',
  ],
  [
    "the highest quantity",
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
  ...rows("data", jsonLd, told(["OutOfStock"]), [
    [
      "JSON-LD availability",
      '"availability":"https://schema.org/InStock"',
      '"availability":"https://schema.org/OutOfStock"',
    ],
  ]),
  ...rows("data", jsonLd, told(["44.5"]), [
    ["JSON-LD price", '"price":"49.00","priceCurrency":"EUR"', '"price":"44.50","priceCurrency":"EUR"'],
  ]),
  ...rows(
    "data",
    (date) =>
      office({
        head: `<script type="application/ld+json">{"@type":"Event","name":"Town meeting","startDate":"${date}"}</script>`,
      }),
    told(["2027-04-02"]),
    [["JSON-LD date", "2027-03-01", "2027-04-02"]],
  ),
  ...rows("data", inShop, told(["OutOfStock"]), [
    [
      "microdata availability",
      '<link itemprop="availability" href="https://schema.org/InStock">',
      '<link itemprop="availability" href="https://schema.org/OutOfStock">',
    ],
  ]),
  ...rows("data", inShop, told(["39.00"]), [
    [
      "microdata price",
      '<span itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="49.00"></span>',
      '<span itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="39.00"></span>',
    ],
  ]),
  ...rows("data", inShop, seen, [
    [
      "a time element's date",
      '<time datetime="2027-05-02">the fair</time>',
      '<time datetime="2027-05-09">the fair</time>',
    ],
  ]),
  ...rows("data", inHead, told(["elsewhere.example"]), [
    [
      "canonical leads elsewhere",
      '<link rel="canonical" href="%origin%/can">',
      '<link rel="canonical" href="https://elsewhere.example/can">',
    ],
    [
      "og:url leads elsewhere",
      '<meta property="og:url" content="%origin%/can">',
      '<meta property="og:url" content="https://elsewhere.example/can">',
    ],
    [
      "og:image leads elsewhere",
      '<meta property="og:image" content="%origin%/can.png">',
      '<meta property="og:image" content="https://elsewhere.example/can.png">',
    ],
  ]),
  ...rows("data", inHead, told(["noindex"]), [
    [
      "robots",
      '<meta name="robots" content="index,follow">',
      '<meta name="robots" content="noindex,nofollow">',
    ],
  ]),
  ...rows("data", inHead, seen, [
    [
      "og:title",
      '<meta property="og:title" content="Copper can">',
      '<meta property="og:title" content="Copper can (discontinued)">',
    ],
  ]),
  ...rows("data", inHead, told(["59"]), [
    [
      "product price meta",
      '<meta property="product:price:amount" content="49">',
      '<meta property="product:price:amount" content="59">',
    ],
  ]),
  ...rows("data", inHead, important, [
    [
      "refresh to another host",
      "",
      '<meta http-equiv="refresh" content="600;url=https://elsewhere.example/">',
    ],
  ]),
];

export const shown: Scenario[] = [...visibleByEngine, ...visible, ...controls, ...attributes, ...data];
