// Loads the app into a page that came with its own markup, as soon as that is drawn: it can be read without the app.
const [entry, ...parts] = document.currentScript.dataset.files.split(" ");
function load() {
  for (const href of parts) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", href }));
  }
  void import(entry);
}
// A hidden page draws no frame.
const loadAfterFrame = () => (document.hidden ? load() : requestAnimationFrame(() => setTimeout(load)));
addEventListener("load", loadAfterFrame);
// A font that doesn't come must not keep the app away.
setTimeout(load, 5_000);
// The skip link works before the app does. It changes no address, for which React would draw the page anew. Taken on the
// way down, because React stops the clicks on what it has not taken over yet.
addEventListener(
  "click",
  (event) => {
    if (!event.target.closest('a[href="#content"]')) return;
    event.preventDefault();
    document.getElementById("content")?.focus();
  },
  true,
);
