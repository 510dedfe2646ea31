import { severityOf } from "../severity/severity.ts";
import { type Clue, clue, withoutVersions } from "./clue.ts";

// Every quantifier is bounded and no two neighbors can match the same character, so the time is linear.
const absolute = /\b(?:https?|wss?):\/\/([a-z0-9.-]{1,253}(?::\d{1,5})?)([^\s"'`<>\\(){}|^]{0,1000})/gi;
const quotedPath = /["'`](\/(?!\/)[\w\-.~%:@{}$+,/]{1,300})(?=["'`?#])/g;
const parameterName = /(?:[?&]|&amp;)([A-Za-z_][\w.\-[\]]{0,60})=/g;
const staticFile = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|woff2?|ttf|otf|eot|mp[34]|webm|map)$/i;
const mailCharacter = /[\w.%+-]/;
const mailHost = /(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?![\w-])/iy;
const cloudHost =
  /\.s3[a-z0-9.-]{0,60}amazonaws\.com|\.blob\.core\.windows\.net|\.(?:digitaloceanspaces|firebaseio|r2\.cloudflarestorage)\.com|\.(?:appspot|storage\.googleapis)\.com|\.r2\.dev/gi;
const cloudPath =
  /\b(?:s3|gs):\/\/([a-z0-9][a-z0-9._-]{1,62})|(?<![\w.-])s3[a-z0-9.-]{0,60}amazonaws\.com\/([a-z0-9][a-z0-9._-]{1,62})|\bstorage\.(?:cloud\.google|googleapis)\.com\/([a-z0-9][a-z0-9._-]{1,62})/gi;

export function findAddresses(text: string, ownHost: string): Clue[] {
  return [
    ...findUrls(text, ownHost),
    ...findEndpoints(text),
    ...findParameters(text),
    ...findEmails(text),
    ...findBuckets(text),
  ];
}

function* findUrls(text: string, ownHost: string): Generator<Clue> {
  for (const match of text.matchAll(absolute)) {
    const host = match[1]!.toLowerCase();
    // The part before an "@" may be a password.
    if (!host.includes(".") || /^[^/?#]*@/.test(match[2]!)) continue;
    const path = match[2]!.split(/[?#]/, 1)[0]!.replace(/(?<![.,;:!])[.,;:!]+$/, "");
    if (staticFile.test(path)) continue;
    const value = `${match[0].split("://", 1)[0]!.toLowerCase()}://${host}${path}`;
    const severity = host === ownHost ? severityOf.urlOnOwnHost : severityOf.urlOnOtherHost;
    yield clue("url", severity, value, match.index, withoutVersions(`${host}${path}`));
  }
}

function* findEndpoints(text: string): Generator<Clue> {
  for (const match of text.matchAll(quotedPath)) {
    const path = match[1]!;
    if (!/[A-Za-z]{2}/.test(path) || staticFile.test(path)) continue;
    yield clue("endpoint", severityOf.endpoint, path, match.index, withoutVersions(path));
  }
}

function* findParameters(text: string): Generator<Clue> {
  for (const match of text.matchAll(parameterName))
    yield clue("parameter", severityOf.parameter, match[1]!, match.index);
}

function* findEmails(text: string): Generator<Clue> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > 0 && at - start < 64 && mailCharacter.test(text[start - 1]!)) start--;
    if (start === at) continue;
    mailHost.lastIndex = at + 1;
    const host = mailHost.exec(text)?.[0];
    if (/:\/\/[^\s"'<>/]*$/.test(text.slice(Math.max(0, start - 100), start))) continue;
    // npm-like package@1.2.3 and retina file@2x.png are not addresses.
    if (!host || staticFile.test(host) || /\.[cm]?[jt]sx?$/i.test(host)) continue;
    const value = `${text.slice(start, at).replace(/^[.%+-]+/, "")}@${host}`;
    yield clue("email", severityOf.emailAddress, value, start, value.toLowerCase());
  }
}

function* findBuckets(text: string): Generator<Clue> {
  for (const match of text.matchAll(cloudHost)) {
    let start = match.index;
    while (start > 0 && match.index - start < 63 && /[a-z0-9._-]/i.test(text[start - 1]!)) start--;
    if (start === match.index) continue;
    const value = text.slice(start, match.index + match[0].length).toLowerCase();
    yield clue("bucket", severityOf.cloudBucket, value, start);
  }
  for (const match of text.matchAll(cloudPath))
    yield clue("bucket", severityOf.cloudBucket, match[0].toLowerCase(), match.index);
}
