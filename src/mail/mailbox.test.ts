import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listMails, readMail } from "./mailbox.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailbox-"));
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: "watchglass@example.com",
    to: "ana@example.com",
    subject: "Changed",
    html: '<img src="cid:before-after@watchglass"><img src="cid:drawing@watchglass"><img src="cid:gone">',
    attachments: [
      { cid: "before-after@watchglass", content: Buffer.from([1, 2, 3]), contentType: "image/jpeg" },
      { cid: "drawing@watchglass", content: "<svg/>", contentType: "image/svg+xml" },
    ],
  });
  await writeFile(join(folder, "one.eml"), message as Buffer);
});
afterAll(() => rm(folder, { recursive: true }));

test("a mail shows the pictures that it carries, but no drawing, which could hold a script", async () => {
  const mail = await readMail(folder, "one");
  expect(mail?.html.trim()).toBe(
    '<img src="data:image/jpeg;base64,AQID"><img src="cid:drawing@watchglass"><img src="cid:gone">',
  );
});

test("the list of mails doesn't repeat their pictures", async () => {
  const [mail] = await listMails(folder);
  expect([mail?.subject, mail?.html.includes("base64")]).toEqual(["Changed", false]);
});
