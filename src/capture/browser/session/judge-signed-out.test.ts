import { expect, test } from "vitest";
import { sketchText } from "../../bot-walls/text-sketch.ts";
import type { SessionRequest } from "../../session-jar.ts";
import { judgeSignedOut, toBlocks, type Unproven } from "./judge-signed-out.ts";

const form = ["Welcome back", "User", "Password", "Forgot it?", "Sign in"];
const session: SessionRequest = {
  identityId: "1",
  jar: {
    cookies: [
      {
        name: "sid",
        value: "x",
        domain: "shop.example",
        path: "/",
        httpOnly: true,
        secure: true,
        expires: 1,
      },
    ],
    origins: [],
  },
  proof: { text: "Sign out" },
  origins: ["https://shop.example"],
  signInUrl: "https://shop.example/sign-in",
  signInSketch: sketchText(toBlocks(form)),
};
const seen: Unproven = {
  status: 200,
  asked: "https://shop.example/orders",
  url: "https://shop.example/orders",
  asksForPassword: false,
  hasCaptcha: false,
  lines: ["Orders", "Lamp", "Shade", "Bulb"],
  cookies: new Set(["sid"]),
};
const judge = (part: Partial<Unproven>) => judgeSignedOut(session, { ...seen, ...part });

test.each([
  [{ status: 403 }, "The site answered 403 instead of the page."],
  [
    { asksForPassword: true, url: "https://shop.example/login?next=1" },
    "The site asks for a password at https://shop.example/login.",
  ],
  [
    { url: "https://shop.example/sign-in?next=orders" },
    "The site leads to the sign-in page, https://shop.example/sign-in.",
  ],
  [{ cookies: new Set<string>() }, "The cookie “sid” has expired."],
  [{ lines: [...form, "New here?"] }, "The page looks like the one for signing in."],
])("a site that asks for a sign-in is recognized: %j", (part, reason) => {
  expect(judge(part)).toEqual({ reason, isCertain: true });
});

test("a page that only lacks the proof is no certain sign", () => {
  expect(judge({})).toEqual({
    reason: "The proof of being signed in (“Sign out”) isn’t on the page.",
    isCertain: false,
  });
});
