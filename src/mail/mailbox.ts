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

const maxMails = 200;

/** The newest mails of the local mailbox, newest first. */
export async function listMails(folder: string): Promise<StoredMail[]> {
  const newest = (await listMailIds(folder)).slice(-maxMails).reverse();
  const mails = await Promise.all(newest.map((id) => readMail(folder, id)));
  return mails.filter((mail) => mail !== undefined);
}

/** The ids of all mails in the local mailbox, oldest first. */
export async function listMailIds(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => /^([\w-]+)\.eml$/.exec(name)?.[1] ?? []).sort();
}

/** Reads one mail by its id from the list; undefined if it does not exist. */
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
