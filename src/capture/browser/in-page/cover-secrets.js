// Covers password fields, fields that secrets were typed into and every text that shows one, while a picture is taken;
// with `shows` it takes the cover away again.
export const coverSecrets = ({ values, shows }) => {
  const key = Symbol.for("secret-cover");
  globalThis[key]?.remove();
  globalThis[key] = undefined;
  if (shows || !document.documentElement) return;
  const boxes = [];
  const add = (rects) => boxes.push(...[...rects].slice(0, 50));
  const holds = (text) => values.some((value) => text.includes(value));
  const typed = globalThis[Symbol.for("secret-elements")] ?? new Set();
  const roots = [document];
  for (let root = roots.shift(); root; root = roots.shift()) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
      const text = typeof element.value === "string" ? element.value : "";
      if (text !== "" && (element.type === "password" || typed.has(element) || holds(text)))
        add(element.getClientRects());
    }
    if (values.length === 0) continue;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!holds(node.data)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      add(range.getClientRects());
    }
  }
  if (boxes.length === 0) return;
  const host = document.createElement("div");
  host.style.cssText = "all:initial;position:fixed;inset:0;z-index:2147483647;pointer-events:none";
  const shadow = host.attachShadow({ mode: "closed" });
  for (const { left, top, width, height } of boxes.slice(0, 500)) {
    const box = document.createElement("div");
    box.style.cssText = `position:absolute;background:#444;left:${left - 2}px;top:${top - 2}px;width:${width + 4}px;height:${height + 4}px`;
    shadow.append(box);
  }
  document.documentElement.append(host);
  // The top layer, where dialogs are, is above every z-index.
  host.popover = "manual";
  host.showPopover?.();
  globalThis[key] = host;
};
