/* oxlint-disable no-restricted-globals -- runs in a page, whose every request must fail */
// The self-test's attack: every way a page has to make a connection, aimed at a canary. Nothing may arrive.
export const attack = async ({ tcp, udp, waitMs }) => {
  const attempt = (act) => {
    try {
      const made = act();
      if (made instanceof Promise) made.catch(() => {});
    } catch {
      // A way that this browser does not support is no way out.
    }
  };
  const add = (tag, attributes) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
    return element;
  };
  for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]"]) {
    const at = (what) => `http://${host}:${tcp}/${what}`;
    attempt(() => add("img", { src: at("img") }));
    attempt(() => add("iframe", { src: at("frame") }));
    attempt(() => add("script", { src: at("script") }));
    attempt(() => add("video", { src: at("video"), preload: "auto" }));
    attempt(() => add("object", { data: at("object") }));
    attempt(() => add("link", { rel: "stylesheet", href: at("style") }));
    attempt(() => add("link", { rel: "preload", as: "fetch", href: at("preload") }));
    attempt(() => add("link", { rel: "prefetch", href: at("prefetch") }));
    attempt(() => add("link", { rel: "preconnect", href: at("") }));
    attempt(() => add("link", { rel: "dns-prefetch", href: at("") }));
    attempt(() => add("link", { rel: "modulepreload", href: at("module") }));
    attempt(() => add("link", { rel: "icon", href: at("icon") }));
    attempt(() => add("link", { rel: "manifest", href: at("manifest") }));
    attempt(() => add("embed", { src: at("embed") }));
    attempt(() => add("a", { href: "#", ping: at("ping") }).click());
    attempt(() => {
      const font = `@import url(${at("import")});@font-face{font-family:f;src:url(${at("font")})}`;
      add("style", {}).textContent = `${font}body{font-family:f}`;
    });
    attempt(() => add("iframe", { srcdoc: `<meta http-equiv="refresh" content="0;url=${at("refresh")}">` }));
    attempt(() => {
      const page = new Blob([`<img src="${at("blob")}">`], { type: "text/html" });
      add("iframe", { src: URL.createObjectURL(page) });
    });
    attempt(() => add("iframe", { src: `data:text/html,<img src="${at("data")}">` }));
    attempt(() => import(at("dynamic")));
    attempt(() => fetch(at("keepalive"), { mode: "no-cors", keepalive: true, method: "POST", body: "x" }));
    attempt(() => new WebSocketStream(`ws://${host}:${tcp}/stream`).opened);
    attempt(() => add("div", { style: `background:url(${at("css")})` }));
    attempt(() => fetch(at("fetch"), { mode: "no-cors" }));
    attempt(() => navigator.sendBeacon(at("beacon"), "x"));
    attempt(() => new EventSource(at("events")));
    attempt(() => new WebSocket(`ws://${host}:${tcp}/socket`));
    attempt(() => new WebSocket(`wss://${host}:${tcp}/socket`));
    attempt(() => new WebTransport(`https://${host}:${udp}/transport`).ready);
    attempt(() => {
      const request = new XMLHttpRequest();
      request.open("GET", at("xhr"));
      request.send();
    });
    attempt(() => {
      const source = `fetch(${JSON.stringify(at("worker"))},{mode:"no-cors"});new WebSocket("ws://${host}:${tcp}/w")`;
      return new Worker(URL.createObjectURL(new Blob([source])));
    });
    attempt(() => new Worker(`data:text/javascript,importScripts(${JSON.stringify(at("data-worker"))})`));
    attempt(() => new SharedWorker(`/shared.js?${encodeURIComponent(at("shared"))}`));
    attempt(() => navigator.serviceWorker.register(`/service.js?${encodeURIComponent(at("service"))}`));
    attempt(() => {
      const form = add("form", {
        action: at("form"),
        method: "post",
        target: add("iframe", { name: `f${host}` }).name,
      });
      form.submit();
    });
    attempt(() => {
      const listed = (path) => [{ source: "list", urls: [at(path)], eagerness: "immediate" }];
      const rules = { prefetch: listed("speculation"), prerender: listed("prerender") };
      const script = document.createElement("script");
      script.type = "speculationrules";
      script.textContent = JSON.stringify(rules);
      document.body.append(script);
    });
    attempt(async () => {
      const login = { username: "u", credential: "c" };
      const connection = new RTCPeerConnection({
        iceServers: [
          { urls: `stun:${host}:${udp}` },
          { urls: `turn:${host}:${udp}?transport=udp`, ...login },
          { urls: `turn:${host}:${tcp}?transport=tcp`, ...login },
          { urls: `turns:${host}:${tcp}?transport=tcp`, ...login },
        ],
      });
      connection.createDataChannel("x");
      await connection.setLocalDescription(await connection.createOffer());
      // A peer's candidate makes the browser contact it without being asked.
      const line = `candidate:1 1 udp 2122260223 ${host.replace(/[[\]]/g, "")} ${udp} typ host`;
      await connection.addIceCandidate({ candidate: line, sdpMid: "0" });
    });
  }
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return true;
};
