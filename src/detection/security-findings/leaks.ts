import { severityOf } from "../severity/severity.ts";
import { type Clue, clue, shorten, withoutVersions } from "./clue.ts";

const sourceMap = /[#@] ?sourceMappingURL=([^\s"'*<>]{1,300})/g;
const remark = /\b(?:TODO|FIXME|XXX|HACK|password|credentials?|backdoor)\b/g;
const revealing =
  /todo|fixme|hack|passw|secret|credential|debug|internal|staging|deprecated|disable|api.?key|remove/i;
// Conditional comments, framework markers, template names and build stamps are not written by a person.
const machineComment =
  /^\s*(?:\[if|\[endif|<!\[|\/?\$|\/?wp:|\/?ko\b|react-|\/?ssr|\/?\w+[-:]?$|[\w-]{1,20}:?\s*[\d.:TZ/ -]+$|generated|(?:begin|end|start|\/)\s)/i;

const traces: [RegExp, string][] = [
  [/Traceback \(most recent call last\)/, "Python traceback"],
  [
    /\bat (?:[\w$]{1,80}\.){1,12}[\w$<>]{1,80}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy):\d{1,6}|Native Method|Unknown Source)\)/,
    "Java stack trace",
  ],
  [
    /\bat [^\s()]{1,80}(?: [^\s()]{1,80}){0,2} \((?:file:\/\/|node:|[A-Za-z]:\\|\/)[^\s()]{1,200}:\d{1,6}:\d{1,6}\)/,
    "JavaScript stack trace",
  ],
  [/\bat [\w.`<>]{1,160}\([^()\n]{0,200}\) in [^\n<]{1,200}:line \d{1,6}/, ".NET stack trace"],
  [
    /(?:Fatal error|Parse error|Warning|Notice|Deprecated)(?:<\/b>)?: {1,3}[^\n]{1,300} in (?:<b>)?[/\\\w.:-]{1,200}\.php(?:<\/b>)? on line/,
    "PHP error",
  ],
  [/\.rb:\d{1,6}:in [`'][\w ]{1,80}'/, "Ruby stack trace"],
  [/goroutine \d{1,9} \[[a-z ]{3,30}\]:/, "Go stack trace"],
  [
    /SQLSTATE\[\w{5}\]|You have an error in your SQL syntax|ORA-\d{5}: |PG::\w{3,40}Error|Unclosed quotation mark after/,
    "database error",
  ],
  [
    /Whitelabel Error Page|Werkzeug Debugger|You're seeing this error because you have <code>DEBUG = True|Server Error in '\/[^']{0,100}' Application/,
    "debug page",
  ],
];
const listing =
  /<(?:title|h1)[^>]{0,100}>\s{0,10}(?:Index of \/|Directory (?:listing|index) (?:for|of)\b)|\[To Parent Directory\]/i;

export function findLeaks(text: string): Clue[] {
  const clues: Clue[] = [];
  for (const match of text.matchAll(sourceMap)) {
    const value = match[1]!.startsWith("data:") ? "inline source map" : match[1]!;
    clues.push(clue("source-map", severityOf.sourceMap, value, match.index, withoutVersions(value)));
  }
  for (const match of text.matchAll(remark)) {
    const line = text.slice(Math.max(0, match.index - 120), match.index);
    const opening = Math.max(line.lastIndexOf("//"), line.lastIndexOf("/*"));
    if (opening < 0 || line.indexOf("\n", opening) >= 0 || line[opening - 1] === ":") continue;
    const rest = /^[^\n*]{0,120}/.exec(text.slice(match.index, match.index + 120))?.[0] ?? "";
    clues.push(...findComment(line.slice(opening + 2) + rest, match.index));
  }
  for (const [pattern, name] of traces) {
    const match = pattern.exec(text);
    if (!match) continue;
    const value = `${name}: ${shorten(match[0], 120)}`;
    clues.push(clue("stack-trace", severityOf.stackTrace, value, match.index, name));
  }
  const index = listing.exec(text);
  if (index) {
    const value = shorten(index[0].replace(/^<[^>]*>\s*/, ""), 80);
    clues.push(clue("directory-listing", severityOf.directoryListing, value, index.index, "listing"));
  }
  return clues;
}

/** Returns a comment as a clue if a person wrote it. */
export function findComment(raw: string, at: number): Clue[] {
  const value = raw.slice(0, 2000).replace(/\s+/g, " ").trim();
  const start = value.slice(0, 300);
  if (value.length < 8 || !/\p{L}{2}[^\p{L}]+\p{L}{2}/u.test(start) || machineComment.test(start)) return [];
  const severity = revealing.test(value) ? severityOf.revealingComment : severityOf.comment;
  return [clue("comment", severity, value, at, value.toLowerCase().replace(/\d+/g, "#"))];
}
