/**
 * Recordings as versions of the DevTools Recorder export them, and the pages that they are replayed on. `page` is the
 * body of the page at `/`; `says` is what it shows at the end. `HERE` stands for the site's origin.
 */
export const recordings: { name: string; recording: object; page: string; says: string; refused?: number }[] =
  [
    {
      name: "Chrome 97: a viewport, targets, and selectors as plain texts",
      recording: {
        title: "Recording 12/3/2021 at 10:12:45 AM",
        steps: [
          {
            type: "setViewport",
            width: 1050,
            height: 700,
            deviceScaleFactor: 1,
            isMobile: false,
            hasTouch: false,
            isLandscape: false,
          },
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          { type: "click", target: "main", selectors: ["aria/Prices", "#prices"], offsetX: 12, offsetY: 8 },
        ],
      },
      page: `<button id="prices" onclick="document.querySelector('output').textContent='Prices shown'">Prices</button><output></output>`,
      says: "Prices shown",
    },
    {
      name: "Chrome 100: a search form with keys",
      recording: {
        title: "Search",
        steps: [
          { type: "navigate", url: "HERE", assertedEvents: [{ type: "navigation", url: "HERE", title: "" }] },
          { type: "click", target: "main", selectors: [["aria/Search"], ["#q"]], offsetY: 11.5, offsetX: 54 },
          { type: "change", target: "main", value: "lamp", selectors: [["aria/Search"], ["#q"]] },
          { type: "keyDown", target: "main", key: "Enter", assertedEvents: [] },
          { type: "keyUp", target: "main", key: "Enter" },
        ],
      },
      page: `<form onsubmit="event.preventDefault();document.querySelector('output').textContent='Found '+q.value"><input id="q" name="q" aria-label="Search"></form><output></output>`,
      says: "Found lamp",
    },
    {
      name: "Chrome 105: pierce and XPath selectors, a shadow root",
      recording: {
        title: "Shadow",
        timeout: 5000,
        steps: [
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "click",
            target: "main",
            selectors: [
              ['aria/Add to cart[role="button"]'],
              ["my-shop", "button.add"],
              ['xpath///*[@id="nothing"]'],
              ["pierce/button.add"],
            ],
            offsetY: 5,
            offsetX: 20,
          },
        ],
      },
      page: `<my-shop></my-shop><output></output><script>document.querySelector('my-shop').attachShadow({mode:'open'}).innerHTML='<button class="add">Add to cart</button>';
      document.querySelector('my-shop').shadowRoot.querySelector('button').onclick=()=>{document.querySelector('output').textContent='In the cart'}</script>`,
      says: "In the cart",
    },
    {
      name: "Chrome 108: text selectors, hover and double click",
      recording: {
        title: "Menu",
        steps: [
          {
            type: "setViewport",
            width: 1200,
            height: 800,
            deviceScaleFactor: 1,
            isMobile: false,
            hasTouch: false,
            isLandscape: false,
          },
          { type: "navigate", url: "HERE", assertedEvents: [] },
          {
            type: "hover",
            target: "main",
            selectors: [["aria/Products"], ["nav > span"], ["text/Products"]],
          },
          {
            type: "doubleClick",
            target: "main",
            selectors: [["#lamp"], ["text/Lamps"]],
            offsetX: 4,
            offsetY: 6,
            deviceType: "mouse",
            button: "primary",
          },
        ],
      },
      page: `<nav><span onmouseover="document.querySelector('#lamp').hidden=false">Products</span><b id="lamp" hidden ondblclick="document.querySelector('output').textContent='Lamps opened'">Lamps</b></nav><output></output>`,
      says: "Lamps opened",
    },
    {
      name: "Chrome 112: a list, a date and a checkbox",
      recording: {
        title: "Filter",
        steps: [
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "change",
            value: "at",
            selectors: [["aria/Country"], ["#country"], ['xpath///*[@id="country"]'], ["pierce/#country"]],
            target: "main",
          },
          { type: "change", value: "2026-05-04", selectors: [["#day"]], target: "main" },
          {
            type: "click",
            target: "main",
            selectors: [["aria/In stock"], ["#stock"]],
            offsetX: 7,
            offsetY: 7,
          },
          { type: "waitForElement", selectors: ["#done"], visible: true, count: 1, operator: ">=" },
        ],
      },
      page: `<select id="country" aria-label="Country"><option value="de">Germany<option value="at">Austria</select><input id="day" type="date"><label><input type="checkbox" id="stock">In stock</label><output></output>
      <script>document.querySelector('#stock').onchange=()=>setTimeout(()=>{document.querySelector('output').innerHTML='<i id=done>'+document.querySelector('#country').value+' '+document.querySelector('#day').value+'</i>'},300)</script>`,
      says: "at 2026-05-04",
    },
    {
      name: "Chrome 115: a password becomes a secret",
      recording: {
        title: "Sign in",
        steps: [
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "change",
            value: "ana@example.com",
            selectors: [["aria/Email"], ["#email"]],
            target: "main",
          },
          { type: "keyDown", target: "main", key: "Tab" },
          { type: "keyUp", key: "Tab", target: "main" },
          {
            type: "change",
            value: 'hunter2 "x" 😀',
            selectors: [["aria/Password"], ["#pw"]],
            target: "main",
          },
          {
            type: "click",
            target: "main",
            selectors: [["aria/Continue"], ["form > button"]],
            offsetX: 10,
            offsetY: 10,
            assertedEvents: [],
          },
        ],
      },
      page: `<form onsubmit="event.preventDefault();document.querySelector('output').textContent=pw.value.length+' characters for '+email.value"><input id="email" aria-label="Email"><input id="pw" type="password" aria-label="Password"><button>Continue</button></form><output></output>`,
      says: "14 characters for ana@example.com",
    },
    {
      name: "Chrome 119: steps in a frame",
      recording: {
        title: "Frame",
        steps: [
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "click",
            target: "main",
            frame: [0],
            selectors: [["aria/Accept"], ["button"]],
            offsetX: 3,
            offsetY: 3,
          },
        ],
      },
      page: `<iframe srcdoc="<button onclick=&quot;parent.postMessage('Accepted inside','*')&quot;>Accept</button>"></iframe><output></output><script>onmessage=({data})=>{document.querySelector('output').textContent=data}</script>`,
      says: "Accepted inside",
    },
    {
      name: "Chrome 125: scrolling until the rest is loaded",
      recording: {
        title: "More",
        steps: [
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          { type: "scroll", x: 0, y: 900, target: "main" },
          { type: "waitForElement", target: "main", selectors: [["text/Lamp 20"]], timeout: 3000 },
        ],
      },
      page: `<div style="height:3000px">Lamp 1</div><output></output><script>addEventListener('scroll',()=>{document.querySelector('output').textContent='Lamp 20'})</script>`,
      says: "Lamp 20",
    },
    {
      name: "Chrome 131: code and network conditions are left out",
      recording: {
        title: "With code",
        selectorAttribute: "data-test",
        steps: [
          { type: "emulateNetworkConditions", download: 50000, upload: 50000, latency: 2000 },
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "waitForExpression",
            expression: "new Promise(resolve => setTimeout(() => resolve(true), 500))",
          },
          {
            type: "click",
            target: "main",
            selectors: [["[data-test='open']"], ["aria/Open"]],
            offsetX: 3,
            offsetY: 3,
            duration: 120,
          },
          { type: "customStep", name: "lighthouse", parameters: {} },
          { type: "close", target: "main" },
        ],
      },
      page: `<button data-test="open" onclick="document.querySelector('output').textContent='Opened'">Open</button><output></output>`,
      says: "Opened",
      refused: 4,
    },
    {
      name: "Chrome 140: another page is opened, and all but the text has changed",
      recording: {
        title: "Drift",
        steps: [
          {
            type: "setViewport",
            width: 1440,
            height: 900,
            deviceScaleFactor: 2,
            isMobile: false,
            hasTouch: false,
            isLandscape: true,
          },
          {
            type: "navigate",
            url: "HERE",
            assertedEvents: [{ type: "navigation", url: "HERE", title: "Shop" }],
          },
          {
            type: "click",
            target: "main",
            selectors: [
              ['aria/Offers of the week[role="link"]'],
              ["#offers-2024"],
              ['xpath///*[@id="offers-2024"]'],
              ["pierce/#offers-2024"],
              ["text/Offers"],
            ],
            offsetX: 5,
            offsetY: 5,
            assertedEvents: [{ type: "navigation", url: "HERE/next", title: "Offers" }],
          },
        ],
      },
      page: `<a href="?next">Offers</a><output></output><script>if(location.search==='?next')document.querySelector('output').textContent='On the next page'</script>`,
      says: "On the next page",
    },
  ];
