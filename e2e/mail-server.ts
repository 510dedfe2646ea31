import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** Starts a real SMTP server on loopback that stores the mails it receives. */
export async function startMailServer() {
  const mails: Email[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          done();
        }, done);
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listener = smtp.listen(0, "127.0.0.1", () =>
      resolve((listener.address() as { port: number }).port),
    );
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Waits for a mail with this subject to this address. */
    async read(to: string, subject: string): Promise<Email> {
      const end = performance.now() + 120_000;
      while (performance.now() < end) {
        const found = mails.findLast((mail) => mail.to?.[0]?.address === to && mail.subject === subject);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`no mail "${subject}" came to ${to}`);
    },
    close: () => new Promise<void>((resolve) => smtp.close(resolve)),
  };
}

/** The link to the one action that a mail asks for. */
export function linkIn(mail: Email): string {
  const link = /^https?:\/\/\S+$/m.exec(mail.text ?? "")?.[0];
  if (!link) throw new Error(`no link in: ${mail.text}`);
  return link;
}
