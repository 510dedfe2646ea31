import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";

export type StoredMail = {
  id: string;
  to: string;
  from: string;
  subject: string;
  date: string;
  text: string;
  html: string;
};

const NEWEST = 200;

/** The newest mails of the local mailbox, newest first. */
export async function listMails(folder: string): Promise<StoredMail[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => /^[\w-]+\.eml$/.test(name))
    .sort()
    .reverse()
    .slice(0, NEWEST);
  const mails = await Promise.all(newest.map((name) => readMail(folder, name.slice(0, -4))));
  return mails.filter((mail) => mail !== undefined);
}

/** One mail by the id that the list gave; undefined when there is none. */
export async function readMail(folder: string, id: string): Promise<StoredMail | undefined> {
  if (!/^[\w-]+$/.test(id)) return undefined;
  const bytes = await readFile(join(folder, `${id}.eml`)).catch(() => undefined);
  if (!bytes) return undefined;
  const mail = await PostalMime.parse(bytes);
  return {
    id,
    to: mail.to?.map((address) => address.address ?? "").join(", ") ?? "",
    from: mail.from?.address ?? "",
    subject: mail.subject ?? "",
    date: new Date(mail.date ?? 0).toISOString(),
    text: mail.text ?? "",
    html: mail.html ?? "",
  };
}
