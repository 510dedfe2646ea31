import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PageStep } from "#contract/page-steps.ts";
import { readRecording } from "#page-steps/read-recording.ts";
import { recordings } from "#page-steps/testing/recordings.ts";
import { type CaptureDeps, type CaptureRequest, capture } from "./capture-page.ts";
import { openCapture, type TestCapture } from "./testing/open-capture.ts";

let testCapture: TestCapture;
beforeAll(async () => {
  testCapture = await openCapture({ concurrency: 3 });
});
afterAll(() => testCapture.close());

const doc = (body: string) =>
  `<!doctype html><html><head><title>Shop</title></head><body>${body}</body></html>`;
const click = (...selectors: string[]): PageStep => ({
  type: "click",
  selectors: selectors.map((each) => [each]),
});
const fill = (selector: string, value: string): PageStep => ({
  type: "change",
  selectors: [[selector]],
  value,
});

/** Captures a page after steps. */
async function take(
  body: string,
  steps: PageStep[],
  { secrets = {}, ...request }: Partial<CaptureRequest> & { secrets?: Record<string, string> } = {},
) {
  const path = `/steps-${testCapture.zoo.given.size}`;
  testCapture.zoo.given.set(path, doc(body));
  return testCapture.capture(path, {
    pageSteps: { steps, secrets: new Map(Object.entries(secrets)) },
    ...request,
  });
}

async function takePage(...args: Parameters<typeof take>) {
  const result = await take(...args);
  if (!result.ok || result.unchanged)
    throw new Error(JSON.stringify(result, (key, value) => (key === "picture" ? undefined : value)));
  return {
    ...result,
    words: result.snapshot.text.map(({ text }) => text).join("\n"),
    steps: result.steps ?? [],
  };
}

/** Steps that can't succeed don't have to be waited for. */
async function fail(body: string, steps: PageStep[], limits: CaptureDeps["limits"] = { stepMs: 1_500 }) {
  const path = `/failing-${testCapture.zoo.given.size}`;
  testCapture.zoo.given.set(path, doc(body));
  const url = new URL(path, testCapture.zoo.origin).href;
  const deps = { ...testCapture.deps, limits };
  const result = await capture(deps, { url, pageSteps: { steps, secrets: new Map() } });
  if (result.ok) throw new Error("the steps did not fail");
  return { ...result, steps: result.steps ?? [] };
}

describe.concurrent("each kind of step", () => {
  const says = (text: string) => `document.querySelector('output').textContent += '${text};'`;

  test("clicks, types, selects, points and presses keys as a visitor does", async () => {
    const body = `<form onsubmit="event.preventDefault();${says("sent")}">
      <input id="user" oninput="window.typed=(window.typed??0)+1"><input id="old" value="old">
      <select id="land" onchange="${says("'+this.value+'")}"><option value="de">Germany<option value="at">Austria</select>
      <input type="checkbox" id="box" onchange="${says("box")}"><input type="date" id="day">
      <div contenteditable id="edit">before</div><input type="submit" hidden></form>
      <button onclick="${says("clicked '+event.isTrusted+'")}" ondblclick="${says("double")}">Go</button>
      <p onmouseover="${says("over")}">Menu</p><output></output>
      <script>document.querySelector('form').addEventListener('keydown', (event) => { if (event.key === 'F2') ${says("F2")}; })</script>`;
    const { words, steps } = await takePage(body, [
      fill("#user", "Ana 😀 <b>"),
      fill("#old", "new"),
      fill("#land", "Austria"),
      click("#box"),
      fill("#day", "2026-02-03"),
      fill("#edit", "after"),
      { type: "hover", selectors: [["text/Menu"]] },
      click("aria/Go"),
      // As Chromium names it at times.
      click('aria/ Go [role="button"]'),
      { type: "doubleClick", selectors: [["xpath///button"]] },
      click("#user"),
      { type: "keyDown", key: "F2" },
      { type: "keyDown", key: "Enter" },
      { type: "customStep", name: "closeOverlay", parameters: {} },
    ]);
    expect(steps.map(({ error }) => error)).toEqual(steps.map(() => null));
    expect(words).toContain(
      "at;box;over;clicked true;clicked true;clicked true;clicked true;double;F2;sent;",
    );
    expect(words).toContain("after");
    expect(steps.map(({ selector }) => selector).slice(6, 11)).toEqual([
      "text/Menu",
      "aria/Go",
      'aria/ Go [role="button"]',
      "xpath///button",
      "#user",
    ]);
  });

  test("fields hold what was typed, also instead of what they held", async () => {
    const report = `<script>setInterval(() => { document.querySelector('output').textContent = [...document.querySelectorAll('input')].map((each) => each.value).join('|') }, 50)</script>`;
    const { words } = await takePage(
      `<input id="a"><input id="b" value="old"><output></output>${report}`,
      [
        fill("#a", `it's "quoted" 😀`),
        fill("#b", "{{secret.word}}"),
        { type: "waitForElement", selectors: [["text/|"]] },
      ],
      { secrets: { word: "new" } },
    );
    expect(words).toContain(`it's "quoted" 😀|new`);
  });

  test("waits for an element, a text, a URL, and until an element is gone", async () => {
    const later = (code: string, ms: number) => `setTimeout(() => { ${code} }, ${ms});`;
    const body = `<p id="wait">Loading</p><output></output><script>
      ${later("document.querySelector('#wait').remove()", 1_500)}
      ${later("document.body.insertAdjacentHTML('beforeend', '<b class=ready>Ready now</b>')", 1_800)}
      ${later("history.pushState(null, '', '/steps/done?x=1')", 2_000)}</script>`;
    const { words, snapshot } = await takePage(body, [
      { type: "waitForElement", selectors: [["#wait"]], visible: false },
      { type: "waitForElement", selectors: [[".ready"]] },
      { type: "waitForElement", selectors: [["text/Ready now"]] },
      { type: "customStep", name: "waitForUrl", parameters: { url: "/steps/*?x=1" } },
    ]);
    expect(words).toContain("Ready now");
    expect(words).not.toContain("Loading");
    expect(snapshot.picture).not.toBeNull();
  });

  test("scrolls the page or an element, and sets the window for the capture", async () => {
    const body = `<div id="box" style="height:50px;overflow:auto" onscroll="this.dataset.at=this.scrollTop"><p style="height:900px">x</p></div>
      <div style="height:3000px"></div><output></output><script>addEventListener('scroll', () => { document.querySelector('output').textContent = 'at ' + scrollY })</script>`;
    const { snapshot, words } = await takePage(body, [
      { type: "setViewport", width: 700, height: 500 },
      { type: "scroll", x: 0, y: 400 },
      { type: "scroll", selectors: [["#box"]], y: 120 },
      { type: "waitForElement", selectors: [["#box[data-at='120']"]], visible: true },
    ]);
    expect(words).toContain("at ");
    expect(snapshot.html).toContain('data-at="120"');
    expect(snapshot.picture?.width).toBe(700);
  });

  test("goes through shadow roots and into frames", async () => {
    const body = `<my-app></my-app><iframe srcdoc="<body onscroll=&quot;parent.postMessage(',at ' + scrollY,'*')&quot;><button onclick=&quot;parent.postMessage('in frame','*')&quot;>Inside</button><p style=&quot;height:900px&quot;>"></iframe><output></output>
      <script>addEventListener('message', ({ data }) => { document.querySelector('output').textContent += data });
      document.querySelector('my-app').attachShadow({ mode: 'open' }).innerHTML = "<button onclick=\\"postMessage('in shadow,','*')\\">Deep</button>";</script>`;
    const { words } = await takePage(body, [
      { type: "click", selectors: [["my-app", "button"]] },
      { type: "click", selectors: [["pierce/button"]] },
      { type: "click", selectors: [["button"]], frame: [0] },
      { type: "scroll", frame: [0], y: 60 },
      { type: "waitForElement", selectors: [["text/in frame,at 60"]] },
    ]);
    expect(words).toContain("in shadow,in shadow,in frame,at 60");
  });

  test("closes what covers the page by its button, else by taking it away", async () => {
    const cover = (inner: string) => `<div style="position:fixed;inset:0;background:#fff">${inner}</div>`;
    const close: PageStep = { type: "customStep", name: "closeOverlay", parameters: {} };
    const button = `<button aria-label="Close" onclick="this.parentElement.remove();document.body.append('by button')">×</button>`;
    const [one, other] = await Promise.all([
      takePage(`<p>Story</p>${cover(`Subscribe! ${button}`)}`, [close]),
      takePage(`<p>Story</p>${cover("Subscribe!")}`, [close]),
    ]);
    expect(one.words).toContain("by button");
    for (const { words } of [one, other]) expect(words).not.toContain("Subscribe");
  });
});

describe.concurrent("pages that steps open", () => {
  test("a link, a form and a new window lead to the page that is captured", async () => {
    const { zoo } = testCapture;
    zoo.given.set("/stepped-to", doc("<p>Second page</p><a href='/stepped-on' target='_blank'>On</a>"));
    zoo.given.set("/stepped-on", doc("<p>Third page</p>"));
    const { words, snapshot, steps } = await takePage(`<a href="/stepped-to">Next</a>`, [
      { ...click("aria/Next"), assertedEvents: [{ type: "navigation" }] } as PageStep,
      click("text/On"),
      { type: "waitForElement", selectors: [["text/Third page"]] },
    ]);
    expect(words).toContain("Third page");
    expect(new URL(snapshot.finalUrl).pathname).toBe("/stepped-on");
    expect(steps.map(({ url }) => new URL(url).pathname).slice(0, 1)).toEqual(["/stepped-to"]);
  });

  test("B4 an address that the guard refuses ends the steps, also by a link, a redirect or a new window", async () => {
    const { zoo } = testCapture;
    const refused = zoo.canary.origin;
    const ways: [string, PageStep[]][] = [
      ["", [{ type: "navigate", url: `${refused}/secret` }]],
      [`<a href="${refused}/secret">Next</a>`, [click("text/Next"), click("#later")]],
      [`<a href="${refused}/secret" target="_blank">Next</a>`, [click("text/Next"), click("#later")]],
      [
        `<button onclick="window.open('${refused}/secret')">Next</button>`,
        [click("text/Next"), click("#later")],
      ],
      [`<a href="/redirect-inside">Next</a>`, [click("text/Next"), click("#later")]],
      ["", [{ type: "navigate", url: `${zoo.origin}/redirect-inside` }]],
      [
        `<button onclick="fetch('/x');location='${refused}/secret'">Next</button>`,
        [click("text/Next"), click("#later")],
      ],
    ];
    const results = await Promise.all(ways.map(([body, steps]) => fail(body, steps)));
    const refusal = "This address may not be requested: only public http and https addresses are allowed.";
    expect(results.map(({ failure, snapshot }) => ({ ...failure, snapshot }))).toEqual(
      ways.map(() => ({
        kind: "guard",
        message: expect.stringMatching(/^Step [12] failed \((Open|Click) .*\): /),
        snapshot: null,
      })),
    );
    for (const { failure } of results) expect(failure.message).toContain(refusal);
    expect(zoo.canary.hits).toEqual([]);
  });

  test("a step that leads to a file fails, and so do steps on a file", async () => {
    testCapture.zoo.given.set("/after-steps.txt", "plain");
    const result = await fail(`<a href="data:text/plain,x" download>File</a>`, [
      { type: "navigate", url: `${testCapture.zoo.origin}/echo-json` },
    ]);
    expect(result.failure).toEqual({
      kind: "steps",
      message: `Step 1 failed (Open ${testCapture.zoo.origin}/echo-json): It leads to a file, and after steps only a page can be captured.`,
    });
    const onFile = await testCapture.capture("/echo-json", {
      pageSteps: { steps: [click("a")], secrets: new Map() },
    });
    expect(onFile).toMatchObject({ ok: false, failure: { kind: "steps" }, snapshot: null });
  });
});

describe.concurrent("selectors", () => {
  const button = `<button id="new" onclick="document.body.append('it was clicked')">Sign in</button>`;

  test("the first of the alternatives that finds one element is used and noted", async () => {
    const { steps, words } = await takePage(`<a>Sign in here</a>${button}`, [
      click("#gone", "text/Sign in", "#new"),
    ]);
    expect(words).toContain("it was clicked");
    expect(steps[0]).toMatchObject({ selector: "text/Sign in", note: null, error: null });
  });

  test("a step tells when only its text still finds the element", async () => {
    const { steps } = await takePage(button, [click("#sign-in", "[data-test=sign-in]", "text/Sign in")]);
    expect(steps[0]?.note).toBe("Only its text still finds the element; the other selectors match nothing.");
  });

  test("a selector that matches 40 things uses the first one and says so", async () => {
    const many = Array.from(
      { length: 40 },
      (_, at) => `<li onclick="document.body.append('row ${at}')">x</li>`,
    ).join("");
    const { steps, words } = await takePage(many, [click("li")]);
    expect(steps[0]?.note).toBe("“li” matches 40 elements; the first one was used.");
    expect(words).toContain("row 0");
  });

  test("an element that is missing, hidden, covered or invalid fails with its sentence and its picture", async () => {
    const cases: [string, PageStep, string][] = [
      [
        "<p>x</p>",
        click("#missing"),
        "Step 1 failed (Click #missing): The selector “#missing” matches nothing on the page.",
      ],
      [
        "<p>x</p><iframe srcdoc='<p>y</p>'></iframe>",
        { type: "click", selectors: [["p"]], frame: [1] },
        "Step 1 failed (Click p): The page has no such frame, or the frame is of another site and the browser of this server runs it apart.",
      ],
      [
        "<p>x</p>",
        click("#a", "#b"),
        "Step 1 failed (Click #a): None of its 2 selectors matches anything on the page, as “#a”.",
      ],
      [
        "<p hidden>x</p>",
        click("p"),
        "Step 1 failed (Click p): The element “p” is on the page, but it isn’t shown.",
      ],
      ["<p>x</p>", click("p:::"), "Step 1 failed (Click p:::): “p:::” isn’t a selector."],
      [
        `<p>x</p><div id="wall" style="position:fixed;inset:0"></div>`,
        click("p"),
        "Step 1 failed (Click p): The element is covered by another one (div#wall). Add a step before that closes what covers it.",
      ],
      ["<p>x</p>", fill("p", "y"), "Step 1 failed (Enter “y” in p): Nothing can be entered in this element."],
      [
        "<input>",
        fill("input", "{{secret.pin}}"),
        "Step 1 failed (Enter “{{secret.pin}}” in input): The secret “pin” isn’t set. Enter it in the job’s settings.",
      ],
      [
        "<select><option>a</select>",
        fill("select", "b"),
        "Step 1 failed (Enter “b” in select): The list has no such entry.",
      ],
      ["<p>x</p>", { type: "keyDown", key: "Jump" }, "Step 1 failed (Press Jump): There is no key “Jump”."],
    ];
    const results = await Promise.all(cases.map(([body, step]) => fail(body, [step, click("p")])));
    expect(results.map(({ failure }) => failure)).toEqual(
      cases.map(([, , message]) => ({ kind: "steps", message })),
    );
    for (const { steps, snapshot } of results) {
      expect([steps.length, snapshot]).toEqual([1, null]);
      expect((await sharp(Buffer.from(steps[0]?.picture ?? [])).metadata()).format).toBe("jpeg");
    }
  });
});

test.each(recordings)("a recording of $name is replayed", async ({ recording, page, says, refused = 0 }) => {
  const path = `/recorded-${testCapture.zoo.given.size}`;
  testCapture.zoo.given.set(path, doc(page));
  const url = new URL(path, testCapture.zoo.origin).href;
  const read = readRecording(JSON.stringify(recording).replaceAll("HERE", url));
  expect(read.refused).toHaveLength(refused);
  const secrets = new Map(read.secrets.map(({ name, value }) => [name, value]));
  const result = await testCapture.capture(path, { pageSteps: { steps: read.steps, secrets } });
  if (!result.ok || result.unchanged) throw new Error(JSON.stringify(result.ok || result.failure));
  expect(result.snapshot.text.map(({ text }) => text).join("\n")).toContain(says);
});

test("text and picture are of the moment after the steps", async () => {
  const after = "<h1 style='position:fixed;inset:0;margin:0;background:#f00'>All red</h1>";
  const body = `<p>All white</p><button onclick="document.body.innerHTML = document.querySelector('template').innerHTML">Go</button>
    <template>${after}</template>`;
  const { words, snapshot } = await takePage(body, [click("button")]);
  expect(words).toBe("All red");
  const { channels } = await sharp(snapshot.picture?.png).stats();
  expect(channels.slice(0, 3).map(({ mean }) => Math.round(mean / 85))).toEqual([3, 0, 0]);
});

test("all steps together have a time limit, which is said", async () => {
  // It asserts a page that never comes, which is waited for.
  const slow = { ...click("p"), assertedEvents: [{ type: "navigation" }] } as PageStep;
  const { failure, steps } = await fail("<p>x</p>", [slow, slow, slow], { stepsMs: 2_000 });
  expect(failure).toEqual({
    kind: "steps",
    message: "Step 2 failed (Click p): The steps took longer than 2 s.",
  });
  expect(steps).toHaveLength(2);
});

test("secrets can't be read in the pictures of steps", async () => {
  const secret = "correct horse";
  const body = `<style>*{margin:0;font:40px/50px monospace;color:#000}input{border:0;display:block;width:600px}</style>
    <input id="name"><p></p><script>document.querySelector('#name').oninput = ({ target }) => { document.querySelector('p').textContent = 'You typed ' + target.value }</script>`;
  const { steps } = await takePage(body, [fill("#name", "{{secret.word}}")], { secrets: { word: secret } });
  const { data, info } = await sharp(Buffer.from(steps[0]?.picture ?? []))
    .extract({ left: 0, top: 0, width: 700, height: 100 })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const dark = (x: number, y: number) => (data[y * info.width + x] ?? 0) < 120;
  // Both the field and the text that repeats it are covered by boxes without a gap.
  for (let x = 10; x < 250; x += 5) expect([x, dark(x, 25), dark(x, 75)]).toEqual([x, true, true]);
});

test("a frame of another origin that grabs the focus gets nothing of a secret", async () => {
  const grabber = `<input id=i><script>setInterval(()=>{i.focus();parent.postMessage(i.value,'*')},1)</script>`;
  const { words } = await takePage(
    `<input id="pin"><output></output><b></b><iframe sandbox="allow-scripts" srcdoc="${grabber}"></iframe>
     <script>onmessage=({data})=>{document.querySelector('b').textContent='caught:'+data.length}
     setInterval(()=>{document.querySelector('output').textContent='typed:'+pin.value.length},20)</script>`,
    [
      { type: "waitForElement", selectors: [["text/caught:"]] },
      fill("#pin", "{{secret.pin}}"),
      { type: "waitForElement", selectors: [["text/typed:40"]] },
    ],
    { secrets: { pin: "x".repeat(40) } },
  );
  expect(words).toContain("typed:40");
  expect(words).toContain("caught:0");
});
