// How a server answers: status, redirects and headers.
import { scope, shop } from "../page.ts";
import {
  type Answer,
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
  told,
} from "../scenario.ts";

const page = (status: number, body = scope("")): Answer => ({ status, body });
const engine = (scenario: Scenario): Scenario => ({ ...scenario, needs: "engine" });

const missing = plain("Not found", "There is nothing here.");
/** Of an error page the user is told at the second check in a row. */
const failedTwice: Expected = { is: "failed", isPushed: true };

const statuses = [
  one(
    "status",
    "endpoint opened, 403",
    [page(403, plain("Forbidden", "You may not see this.")), page(200)],
    critical,
  ),
  one(
    "status",
    "endpoint opened, 404",
    [page(404, plain("Not found", "There is nothing here.")), page(200)],
    critical,
  ),
  one(
    "status",
    "endpoint opened, 401 with JSON",
    [
      { status: 401, body: '{"error":"sign in"}', type: "application/json" },
      { status: 200, body: '{"users":[{"name":"ana"}]}', type: "application/json" },
    ],
    critical,
  ),
  one("status", "page gone", [page(200), page(404, missing), page(404, missing)], failed(), failedTwice),
  one(
    "status",
    "page forbidden, and back with another scope",
    [
      page(200),
      page(403, plain("Forbidden", "You may not see this.")),
      page(200, scope("<li>new.example</li>")),
    ],
    failed(),
    told(["new.example"]),
  ),
  one(
    "status",
    "server error and back",
    [page(200), page(500, plain("Error", "Something broke.")), page(200)],
    failed(),
    same,
  ),
  one(
    "status",
    "endpoint opens and closes each time",
    flip(6, page(404, plain("Not found", "Nothing.")), page(200)),
    told(["200"]),
    told(["404"]),
    told(["200"]),
    told(["404"]),
    told(["200"]),
    told(["404"]),
  ),
  one("status", "same words under another status", [page(200), page(410), page(410)], failed(), failedTwice),
  one(
    "status",
    "no content",
    [
      { status: 200, body: "pong", type: "text/plain" },
      { status: 204, body: "", type: "text/plain" },
    ],
    told(["204"]),
  ),
  engine(
    one(
      "status",
      "asked for patience",
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
      "maintenance with a date",
      [page(200), { status: 503, body: plain("Maintenance", "Back soon."), headers: { "retry-after": "1" } }],
      failed(),
    ),
  ),
];

const redirects = [
  one(
    "redirect",
    "leads elsewhere on the site",
    [scope(""), { location: "/moved", body: scope("") }],
    told(["/moved"]),
  ),
  one(
    "redirect",
    "leads to another place than before",
    [
      { location: "/a", body: scope("") },
      { location: "/b", body: scope("") },
    ],
    told(["/b"]),
  ),
  one("redirect", "leads nowhere any more", [{ location: "/a", body: scope("") }, scope("")], told()),
  one(
    "redirect",
    "leads to an address with a session",
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
    "policy against scripts is gone",
    [guarded({ "content-security-policy": "default-src 'self' 'unsafe-inline'" }), guarded({})],
    important,
  ),
  one(
    "header",
    "policy against scripts is weaker",
    [
      guarded({ "content-security-policy": "default-src 'self' 'unsafe-inline'" }),
      guarded({ "content-security-policy": "default-src * 'unsafe-inline'" }),
    ],
    told(),
  ),
  one("header", "frames are allowed", [guarded({ "x-frame-options": "DENY" }), guarded({})], told()),
  one(
    "header",
    "any origin may read",
    [guarded({}), guarded({ "access-control-allow-origin": "*" })],
    told(),
  ),
  one(
    "header",
    "robots are sent away",
    [guarded({}), guarded({ "x-robots-tag": "noindex" })],
    told(["noindex"]),
  ),
  one(
    "header",
    "another server",
    [guarded({ server: "nginx/1.24.0" }), guarded({ server: "nginx/1.26.2" })],
    { is: "seen" },
  ),
  one(
    "header",
    "a nonce in the policy",
    [
      guarded({ "content-security-policy": "script-src 'nonce-%base64:22%' 'unsafe-inline'" }),
      guarded({ "content-security-policy": "script-src 'nonce-%base64:22%' 'unsafe-inline'" }),
    ],
    noise,
  ),
  one(
    "header",
    "request id, date and age",
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
      told(["HttpOnly"]),
    ),
  ),
  engine(
    one(
      "header",
      "a session cookie each time",
      [
        guarded({ "set-cookie": "sid=%hex:32%; HttpOnly" }),
        guarded({ "set-cookie": "sid=%hex:32%; HttpOnly" }),
      ],
      same,
    ),
  ),
];

export const answers: Scenario[] = [...statuses, ...redirects, ...headers];
