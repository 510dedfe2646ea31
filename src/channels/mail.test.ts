import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openMailboxMailer } from "#mail/mailer.ts";
import { openMailChannel } from "./mail.ts";
import { alert, hostile, huge } from "./testing/alerts.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "watchglass-mail-"));
});
afterEach(() => rm(folder, { recursive: true }));

const channel = () =>
  openMailChannel(openMailboxMailer(folder, "Watchglass <w@watch.example>"), "https://watch.example");
const address = {
  to: "ana@example.com",
  unsubscribe: "https://watch.example/api/unsubscribe/TOKEN",
  id: "some-id",
};

async function readSentMail() {
  const [name = ""] = await readdir(folder);
  const bytes = await readFile(join(folder, name));
  return { mail: await PostalMime.parse(bytes), raw: bytes.toString() };
}

test("a mail has the same text and HTML content, an inline picture and one-click unsubscribe (RFC 8058)", async () => {
  const picture = Buffer.from([255, 216, 255, 1, 2, 3]);
  expect(await channel().sendAlert(address, alert({ picture }))).toEqual({ ok: true });
  const { mail } = await readSentMail();
  expect(mail.subject).toBe("Shop: 2 lines added in main");
  expect(mail.messageId).toBe("<some-id@watch.example>");
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(header("list-unsubscribe")).toBe("<https://watch.example/api/unsubscribe/TOKEN>");
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("auto-submitted")).toBe("auto-generated");
  for (const part of [mail.text, mail.html]) {
    for (const text of [
      "2 lines added in main",
      "Sold out",
      "In stock",
      "endpoint: /api/v2",
      "https://shop.example/",
    ])
      expect(part).toContain(text);
  }
  const cid = /src="cid:([^"]+)"/.exec(mail.html ?? "")?.[1];
  expect(mail.attachments[0]).toMatchObject({
    contentId: `<${cid}>`,
    mimeType: "image/jpeg",
    disposition: "inline",
  });
  expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toEqual(picture);
});

test("V3 N1 page text is escaped and can't add headers", async () => {
  const title = `${hostile}\r\nBcc: evil@example.com\r\n\r\nbody`;
  await channel().sendAlert(
    address,
    alert({ title, message: hostile, lines: [{ sign: "+", text: hostile }] }),
  );
  const { mail } = await readSentMail();
  expect(mail.bcc).toBeUndefined();
  expect(mail.to?.map((to) => to.address)).toEqual(["ana@example.com"]);
  expect(mail.subject).not.toMatch(/\p{Cc}/u);
  expect(mail.html).not.toMatch(/<script|<b>|<\/pre>/);
  expect(mail.html).toContain("&#60;script&#62;");
});

test("the largest possible alert is still a small mail", async () => {
  await channel().sendAlert(address, huge());
  const { raw } = await readSentMail();
  expect(raw.length).toBeLessThan(800_000);
});

test("a digest lists as many changes as it may and counts the others", async () => {
  const entries = Array.from({ length: 250 }, (_, i) => alert({ title: `Job ${i}` }));
  await channel().sendDigest(address, {
    isDaily: false,
    entries,
    link: "https://watch.example/dashboard",
    note: null,
  });
  const { mail } = await readSentMail();
  expect(mail.subject).toBe("250 more changes");
  expect(mail.text?.match(/• Job \d+: 2 lines added/g)?.length).toBe(200);
  expect(mail.text).toContain("… 50 more in your notifications");
});
