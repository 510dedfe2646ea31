// How a server answers: status, redirects and headers.
import { scope, shop } from "../page.ts";
import {
  type Answer,
  alerted,
  critical,
  type Expected,
  failed,
  flip,
  important,
  noise,
  one,
  plain,
  type Scenario,
  same,
} from "../scenario.ts";

const page = (status: number, body = scope("")): Answer => ({ status, body });
const engine = (scenario: Scenario): Scenario => ({ ...scenario, needs: "engine" });

const missing = plain("Not found", "There is nothing here.");
/** An error page is alerted at the second failed check in a row. */
const failedTwice: Expected = { is: "failed", isPushed: true };

const statuses = [
  one(
    "status",
    "an endpoint answers 200 instead of 403",
    [page(403, plain("Forbidden", "You may not see this.")), page(200)],
    critical,
  ),
  one(
    "status",
    "an endpoint answers 200 instead of 404",
    [page(404, plain("Not found", "There is nothing here.")), page(200)],
    critical,
  ),
  one(
    "status",
    "a JSON endpoint answers 200 instead of 401",
    [
      { status: 401, body: '{"error":"sign in"}', type: "application/json" },
      { status: 200, body: '{"users":[{"name":"ana"}]}', type: "application/json" },
    ],
    critical,
  ),
  one(
    "status",
    "a page answers 404 twice",
    [page(200), page(404, missing), page(404, missing)],
    failed(),
    failedTwice,
  ),
  one(
    "status",
    "a page answers 403 and returns with a new scope entry",
    [
      page(200),
      page(403, plain("Forbidden", "You may not see this.")),
      page(200, scope("<li>new.example</li>")),
    ],
    failed(),
    alerted(["new.example"]),
  ),
  one(
    "status",
    "a page answers 500 once and returns unchanged",
    [page(200), page(500, plain("Error", "Something broke.")), page(200)],
    failed(),
    same,
  ),
  one(
    "status",
    "an endpoint alternates between 404 and 200",
    flip(6, page(404, plain("Not found", "Nothing.")), page(200)),
    alerted(["200"]),
    alerted(["404"]),
    alerted(["200"]),
    alerted(["404"]),
    alerted(["200"]),
    alerted(["404"]),
  ),
  one(
    "status",
    "a page keeps its text but answers 410",
    [page(200), page(410), page(410)],
    failed(),
    failedTwice,
  ),
  one(
    "status",
    "a text file answers 204 without content",
    [
      { status: 200, body: "pong", type: "text/plain" },
      { status: 204, body: "", type: "text/plain" },
    ],
    alerted(["204"]),
  ),
  engine(
    one(
      "status",
      "a page answers 429 with Retry-After",
      [
        page(200),
        { status: 429, body: plain("Slow down", "Too many requests."), headers: { "retry-after": "1" } },
      ],
      failed(),
    ),
  ),
  engine(
    one(
      "status",
      "a page answers 503 with Retry-After",
      [page(200), { status: 503, body: plain("Maintenance", "Back soon."), headers: { "retry-after": "1" } }],
      failed(),
    ),
  ),
];

const redirects = [
  one(
    "redirect",
    "a page starts to redirect to another path of the site",
    [scope(""), { location: "/moved", body: scope("") }],
    alerted(["/moved"]),
  ),
  one(
    "redirect",
    "a redirect gets another target",
    [
      { location: "/a", body: scope("") },
      { location: "/b", body: scope("") },
    ],
    alerted(["/b"]),
  ),
  one("redirect", "a page stops redirecting", [{ location: "/a", body: scope("") }, scope("")], alerted()),
  one(
    "redirect",
    "only the session ID in a redirect's target changes",
    [
      { location: "/a?sid=%hex:32%", body: scope("") },
      { location: "/a?sid=%hex:32%", body: scope("") },
    ],
    noise,
  ),
];

const guarded = (headers: Record<string, string>): Answer => ({ body: shop(""), headers });
const headers = [
  one(
    "header",
    "the Content-Security-Policy is removed",
    [guarded({ "content-security-policy": "default-src 'self' 'unsafe-inline'" }), guarded({})],
    important,
  ),
  one(
    "header",
    "the Content-Security-Policy becomes weaker",
    [
      guarded({ "content-security-policy": "default-src 'self' 'unsafe-inline'" }),
      guarded({ "content-security-policy": "default-src * 'unsafe-inline'" }),
    ],
    alerted(),
  ),
  one(
    "header",
    "X-Frame-Options is removed",
    [guarded({ "x-frame-options": "DENY" }), guarded({})],
    alerted(),
  ),
  one(
    "header",
    "Access-Control-Allow-Origin starts to allow every origin",
    [guarded({}), guarded({ "access-control-allow-origin": "*" })],
    alerted(),
  ),
  one(
    "header",
    "X-Robots-Tag starts to say noindex",
    [guarded({}), guarded({ "x-robots-tag": "noindex" })],
    alerted(["noindex"]),
  ),
  one(
    "header",
    "the server's version changes",
    [guarded({ server: "nginx/1.24.0" }), guarded({ server: "nginx/1.26.2" })],
    { is: "notLost" },
  ),
  one(
    "header",
    "the nonce in the Content-Security-Policy changes",
    [
      guarded({ "content-security-policy": "script-src 'nonce-%base64:22%' 'unsafe-inline'" }),
      guarded({ "content-security-policy": "script-src 'nonce-%base64:22%' 'unsafe-inline'" }),
    ],
    noise,
  ),
  one(
    "header",
    "the request ID, the date and the age change",
    [
      guarded({ "x-request-id": "%uuid%", age: "%digits:3%" }),
      guarded({ "x-request-id": "%uuid%", age: "%digits:3%" }),
    ],
    noise,
  ),
  engine(
    one(
      "header",
      "a cookie loses HttpOnly",
      [
        guarded({ "set-cookie": "sid=%hex:32%; HttpOnly; SameSite=Lax" }),
        guarded({ "set-cookie": "sid=%hex:32%; SameSite=Lax" }),
      ],
      alerted(["HttpOnly"]),
    ),
  ),
  engine(
    one(
      "header",
      "each response sets a new session cookie",
      [
        guarded({ "set-cookie": "sid=%hex:32%; HttpOnly" }),
        guarded({ "set-cookie": "sid=%hex:32%; HttpOnly" }),
      ],
      same,
    ),
  ),
];

export const answers: Scenario[] = [...statuses, ...redirects, ...headers];
