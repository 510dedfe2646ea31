import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** Digits are spelled as letters, because numbers might be taken for noise. */
const letters = "bdfhkmprtv";
const spell = (version: number) => [...String(version)].map((digit) => letters[Number(digit)]).join("");
const unspell = (word: string) => Number([...word].map((letter) => letters.indexOf(letter)).join(""));
/** The newest version that a message names; it may also name the previous one. */
const versionIn = (text: string) =>
  Math.max(-1, ...[...text.matchAll(/zq([a-z]+)qz/g)].map(([, word = ""]) => unspell(word)));

const lines = Array.from(
  { length: 12 },
  (_, i) => `Line ${spell(i + 10)} stands in every version of this page.`,
);

/** Pages that change on command, and the receivers of the messages about them, which can refuse for a while. */
export async function startOutside() {
  const versions = new Map<number, number>();
  /** How often each version of each job was alerted, by channel. */
  const alertCounts = { trigger: new Map<string, number>(), mail: new Map<string, number>() };
  const countAlert = (channel: keyof typeof alertCounts, job: string, text: string) => {
    const key = `${job} ${versionIn(text)}`;
    alertCounts[channel].set(key, (alertCounts[channel].get(key) ?? 0) + 1);
  };
  let isReceiving = true;

  const site = createServer((request, response) => {
    const job = Number(/\/(\d+)/.exec(request.url ?? "")?.[1]);
    const news = `The newest notice is called zq${spell(versions.get(job) ?? 0)}qz by its author.`;
    const isPage = needsBrowser(job);
    const tag = `"${versions.get(job) ?? 0}"`;
    response.setHeader("etag", tag);
    if (request.headers["if-none-match"] === tag) return response.writeHead(304).end();
    response.setHeader("content-type", isPage ? "text/html" : "text/plain");
    const text = [...lines, news];
    response.end(
      isPage ? `<!doctype html><title>Page</title><p>${text.join("</p><p>")}</p>` : `${text.join("\n")}\n`,
    );
  }).listen(0, "0.0.0.0");
  const hook = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      if (!isReceiving) return response.writeHead(503).end();
      countAlert("trigger", /job=(\d+)/.exec(request.url ?? "")?.[1] ?? "", body);
      response.end("ok");
    });
  }).listen(0, "127.0.0.1");
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onMailFrom: (_, __, done) =>
      done(isReceiving ? null : Object.assign(new Error("Later."), { responseCode: 451 })),
    async onData(stream, { envelope }, done) {
      // A sender that is killed while sending has sent nothing.
      const message = await buffer(stream).catch((error: Error) => error);
      if (message instanceof Error) return done(message);
      const { text = "" } = await PostalMime.parse(message);
      countAlert("mail", envelope.rcptTo[0]?.address.split("@")[0] ?? "", text);
      done();
    },
  });
  smtp.on("error", () => undefined);
  const mail = smtp.listen(0, "127.0.0.1");
  for (const server of [site, hook, mail]) if (!server.listening) await once(server, "listening");
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  return {
    alertCounts,
    versions,
    pageOf: (host: string, job: number) => `http://${host}:${portOf(site)}/${job}`,
    hookOf: (job: number) => `http://127.0.0.1:${portOf(hook)}/?job=${job}`,
    mailOf: (job: number) => `${job}@example.com`,
    smtpUrl: `smtp://127.0.0.1:${portOf(mail)}`,
    receive(isEnabled: boolean) {
      isReceiving = isEnabled;
    },
    async close() {
      for (const server of [site, hook]) {
        server.closeAllConnections();
        server.close();
      }
      await new Promise<void>((done) => smtp.close(done));
    },
  };
}

/** One in ten jobs watches a page for the browser; the others watch texts, for which HTTP is enough. */
const needsBrowser = (job: number) => job % 10 === 0;
