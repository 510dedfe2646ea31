import { expect, it } from "vitest";
import { activationMail, passwordChangedMail, recoveryMail, renderMailContent } from "./mail-templates.ts";

it("V3 a name is never markup, in the text part or the HTML part", () => {
  const name = `<img src=x onerror="a">&`;
  const keys = { working: [{ name, scope: "read", lastUsedAt: null }], revoked: [name] };
  const mail = passwordChangedMail("https://watch.example", name, keys);
  expect(mail.html).not.toContain("<img");
  expect(mail.html).toContain("&#60;img src=x onerror=&#34;a&#34;&#62;&#38;");
  expect(mail.text).toContain(`Hello <img src=x onerror="a">&,`);
});

it("N1 a mail to an address that isn't confirmed contains no name", () => {
  const base = "https://watch.example";
  const occasion = { did: "signed up with this address", at: new Date(0), ip: "203.0.113.7" } as const;
  for (const isOneOfSeveral of [false, true]) {
    const { text } = activationMail(base, "TOKEN", occasion, isOneOfSeveral);
    expect(text).toMatch(/^Hello,\n/);
    expect(text).toContain("https://watch.example/account/activate/TOKEN");
    expect(text).toContain(
      "signed up with this address on January 1, 1970 at 12:00 AM UTC from 203.0.113.7.",
    );
  }
  expect(recoveryMail(base, null, "TOKEN").text).toMatch(/^Hello,\n/);
});

it("a mail without a button has no empty link", () => {
  const { html, text } = renderMailContent({ subject: "S", paragraphs: ["One", "Two"] });
  expect(html).not.toContain("<a ");
  expect(text).toBe("One\n\nTwo\n\n-- \nWatchglass");
});

it("the mail about a changed password lists the API keys that still work, with their last use", () => {
  const at = new Date("2026-11-18T08:05:00Z");
  const { text } = passwordChangedMail("https://watch.example", null, {
    working: [
      { name: "CI", scope: "write", lastUsedAt: at },
      { name: "Backup", scope: "read", lastUsedAt: null },
    ],
    revoked: [],
  });
  expect(text).toMatch(/^Hello,\n/);
  expect(text).toMatch(
    /- CI \(write\), last used on November 18, 2026 at 8:05\sAM UTC\n- Backup \(read\), never used/,
  );
  expect(text).toContain("https://watch.example/dashboard");
});
