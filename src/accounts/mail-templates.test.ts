import { expect, it } from "vitest";
import { activationMail, passwordChangedMail, recoveryMail, renderLetter } from "./mail-templates.ts";

it("V3 a name is text in both parts, never markup", () => {
  const mail = passwordChangedMail("https://watch.example", `<img src=x onerror="a">&`);
  expect(mail.html).not.toContain("<img");
  expect(mail.html).toContain("&#60;img src=x onerror=&#34;a&#34;&#62;&#38;");
  expect(mail.text).toContain(`Hello <img src=x onerror="a">&,`);
});

it("N1 an address that nobody confirmed is greeted by no name", () => {
  const base = "https://watch.example";
  expect(activationMail(base, "TOKEN").text).toMatch(/^Hello,\n/);
  expect(activationMail(base, "TOKEN").text).toContain("https://watch.example/account/activate/TOKEN");
  expect(recoveryMail(base, null, "TOKEN").text).toMatch(/^Hello,\n/);
});

it("a letter without a button has no empty link", () => {
  const { html, text } = renderLetter({ subject: "S", paragraphs: ["One", "Two"] });
  expect(html).not.toContain("<a ");
  expect(text).toBe("One\n\nTwo\n\n-- \nWatchglass");
});
