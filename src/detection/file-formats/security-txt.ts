import type { ContentDifferences, Difference } from "./content-difference.ts";

// The fields of RFC 9116 and others that are registered with IANA.
const fields =
  "Acknowledgments Canonical Contact CSAF Encryption Expires Hiring Policy Preferred-Languages".split(" ");
const fieldLine = /^([A-Za-z][A-Za-z-]{0,40})\s{0,10}:\s{0,10}(.*)$/;
const known = new Map(fields.map((field) => [field.toLowerCase(), field]));

/** Whether a text is a security.txt: it names a contact, and its URL says so or it consists of fields and comments. */
export function isSecurityTxt(url: string, text: string): boolean {
  const contacts = parse(text).get("Contact") ?? [];
  if (!contacts.some((contact) => /^(?:mailto:|https?:|tel:|\S+@\S)/i.test(contact))) return false;
  if (/\/security\.txt(?:[?#]|$)/i.test(url)) return true;
  return stripSignature(text).every((line) => line === "" || line.startsWith("#") || fieldLine.test(line));
}

/** Compares security.txt files by field (RFC 9116); comments, the order of fields and the signature don't count. */
export function compareSecurityTxt(before: string, after: string): ContentDifferences {
  const a = parse(before);
  const b = parse(after);
  const found: Difference[] = [];
  let total = 0;
  for (const field of new Set([...a.keys(), ...b.keys()])) {
    const old = a.get(field) ?? [];
    const now = b.get(field) ?? [];
    total += Math.max(old.length, now.length);
    const removed = old.filter((value) => !now.includes(value));
    const added = now.filter((value) => !old.includes(value));
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const difference: Difference = {
        place: field,
        before: removed[i] ?? null,
        after: added[i] ?? null,
        noise: null,
      };
      if (field === "Contact") difference.isImportant = true;
      found.push(difference);
    }
    // The order of contacts is the order of preference.
    if (
      field === "Contact" &&
      removed.length === 0 &&
      added.length === 0 &&
      old.join("\n") !== now.join("\n")
    ) {
      found.push({ place: field, before: old.join(", "), after: now.join(", "), noise: null, moved: true });
    }
  }
  return {
    found,
    standing: Math.max(0, 1 - found.length / Math.max(total, 1)),
    noun: "field",
    lines: [print(before), print(after)],
  };
}

/** Parses the values by field, in the given order; a repeated value counts once. */
function parse(text: string): Map<string, string[]> {
  const parsed = new Map<string, string[]>();
  for (const line of stripSignature(text)) {
    const match = fieldLine.exec(line);
    if (!match) continue;
    const field = known.get(match[1]!.toLowerCase()) ?? match[1]!;
    const value = field === "Expires" ? normalizeDate(match[2]!.trim()) : match[2]!.trim();
    const values = parsed.get(field) ?? [];
    if (!values.includes(value)) values.push(value);
    parsed.set(field, values);
  }
  return parsed;
}

/** Returns the lines inside an OpenPGP cleartext signature, or all lines if there is none. */
function stripSignature(text: string): string[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n?|\n/);
  const begin = lines.indexOf("-----BEGIN PGP SIGNED MESSAGE-----");
  const signature = lines.indexOf("-----BEGIN PGP SIGNATURE-----");
  const end = signature < 0 ? lines.length : signature;
  // The armor headers (Hash: SHA512) end with an empty line.
  const start = begin < 0 || begin > end ? 0 : lines.indexOf("", begin) + 1;
  return lines.slice(start, end).map((line) => line.replace(/^- /, "").trimEnd());
}

/** Normalizes a date: one instant can be written in any time zone. A format that the RFC forbids stays as it is. */
function normalizeDate(value: string): string {
  const isValid = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/.test(value);
  const time = isValid ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}

function print(text: string): string[] {
  return text.split(/\r\n?|\n/).map((line) => line.trimEnd());
}
