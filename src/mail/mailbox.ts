import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Attachment } from "postal-mime";

export type StoredMail = {
  id: string;
  to: string;
  from: string;
  subject: string;
  date: string;
  text: string;
  html: string;
};

const maxMails = 200;

/** The newest mails of the local mailbox, newest first. */
export async function listMails(folder: string): Promise<StoredMail[]> {
  const newest = (await listMailIds(folder)).slice(-maxMails).reverse();
  const mails = await Promise.all(newest.map((id) => parseMail(folder, id)));
  return mails.flatMap((mail) => mail?.stored ?? []);
}

/** The ids of all mails in the local mailbox, oldest first. */
export async function listMailIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []).sort();
}

/** Reads one mail by its id from the list, with its pictures; undefined if it does not exist. */
export async function readMail(folder: string, id: string): Promise<StoredMail | undefined> {
  const mail = await parseMail(folder, id);
  return mail && { ...mail.stored, html: showAttachments(mail.stored.html, mail.attachments) };
}

type ParsedMail = { stored: StoredMail; attachments: Attachment[] };

async function parseMail(folder: string, id: string): Promise<ParsedMail | undefined> {
  if (!/^[\w-]+$/.test(id)) return undefined;
  const bytes = await readFile(join(folder, `${id}.eml`)).catch(() => undefined);
  if (!bytes) return undefined;
  const mail = await PostalMime.parse(bytes);
  const stored = {
    id,
    to: mail.to?.map((address) => address.address ?? "").join(", ") ?? "",
    from: mail.from?.address ?? "",
    subject: mail.subject ?? "",
    date: new Date(mail.date ?? 0).toISOString(),
    text: mail.text ?? "",
    html: mail.html ?? "",
  };
  return { stored, attachments: mail.attachments };
}

/**
 * Puts the pictures that a mail carries into its HTML, where it shows them by their content id: the mailbox's frame
 * loads nothing.
 */
function showAttachments(html: string, attachments: Attachment[]): string {
  return attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (!contentId || !/^image\/(jpeg|png|gif|webp)$/.test(mimeType)) return shown;
    const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
    const id = contentId.replace(/^<|>$/g, "");
    return shown.replaceAll(`cid:${id}`, () => `data:${mimeType};base64,${bytes.toString("base64")}`);
  }, html);
}
