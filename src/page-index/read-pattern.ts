import { AppError } from "#contract/errors.ts";

/** A regular expression as PostgreSQL reads it, and strings of which each match contains one; null if that is unknown. */
export type Pattern = { source: string; anyOf: string[] | null };

/**
 * Whether the text index can look a text up: it consists of groups of three characters, within words and at their
 * borders. A border counts only if the text shows it, since a match may be in the middle of a word.
 */
export function isIndexable(text: string): boolean {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).some(({ 0: word, index }) => {
    const hasEnd = index + word.length < text.length;
    return word.length >= 3 || index > 0 || (hasEnd && word.length === 2);
  });
}

/**
 * What a part of a pattern matches: exactly one of some texts, or texts of which each contains one of several. With
 * `edges`, each match begins and ends with one of them.
 */
type Part = { exact: string[] | null; anyOf: string[] | null; edges?: string[] };

const nothing: Part = { exact: [""], anyOf: null };
const unknown: Part = { exact: null, anyOf: null };

/** More texts than this that a part may be are not told apart. */
const maxTexts = 16;
const maxDepth = 20;
const maxRepeats = 8;
const maxTextLength = 300;
/** PostgreSQL expands repetitions, also those within others, before it searches. */
const maxSize = 5_000;

const refuse = (why: string) =>
  new AppError("INVALID_INPUT", `This regular expression isn’t valid: ${why}.`, { field: "q" });

/** Reads a pattern, refuses what PostgreSQL would read in another way, and finds what each match contains. */
export function readPattern(text: string): Pattern {
  const flag = /^\(\?([a-z]*)\)/.exec(text);
  if (text.startsWith("***") || (flag && flag[1] !== "i"))
    throw refuse("at its start, only (?i) is an option");
  const prefix = flag?.[0] ?? "";
  const reader = new PatternReader(text.slice(prefix.length));
  const { exact, anyOf } = reader.readAll();
  return { source: prefix + reader.source, anyOf: exact?.every((one) => one !== "") ? exact : anyOf };
}

class PatternReader {
  /** The pattern with the word borders of other dialects in PostgreSQL's. */
  source = "";
  readonly #text: string;
  #at = 0;
  /** How many parts the pattern has so far once its repetitions are expanded. */
  #size = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Part {
    const part = this.#readChoice(0);
    if (this.#at < this.#text.length) throw refuse("a parenthesis is closed that wasn’t opened");
    return part;
  }

  #take(length = 1): string {
    const taken = this.#text.slice(this.#at, this.#at + length);
    this.#at += length;
    this.source += taken;
    return taken;
  }

  #peek = (text: string) => this.#text.startsWith(text, this.#at);

  #readChoice(depth: number): Part {
    if (depth > maxDepth) throw refuse("it is nested too deeply");
    const branches = [this.#readSequence(depth)];
    while (this.#peek("|")) {
      this.#take();
      branches.push(this.#readSequence(depth));
    }
    const [first = nothing] = branches;
    if (branches.length === 1) return first;
    const exact = branches.map((branch) => branch.exact);
    const texts = exact.flatMap((set) => set ?? []);
    if (exact.every(Boolean) && texts.length <= maxTexts) return { exact: texts, anyOf: null };
    const sets = branches.map(textsOf);
    return { exact: null, anyOf: sets.some((set) => !set) ? null : sets.flatMap((set) => set ?? []) };
  }

  #readSequence(depth: number): Part {
    let run = [""];
    let isExact = true;
    const candidates: string[][] = [];
    const endRun = (next = [""]) => {
      if (run.every((text) => text !== "")) candidates.push(run);
      run = next;
    };
    const extendRun = (texts: string[]) => {
      const isShort = run.length * texts.length <= maxTexts;
      if (isShort) run = run.flatMap((text) => texts.map((more) => text + more));
      else {
        isExact = false;
        endRun(texts);
      }
    };
    while (this.#at < this.#text.length && !this.#peek("|") && !this.#peek(")")) {
      const sizeBefore = this.#size++;
      const part = this.#readRepeated(this.#readAtom(depth), sizeBefore);
      if (part.exact) extendRun(part.exact);
      else {
        isExact = false;
        if (part.edges) extendRun(part.edges);
        endRun(part.edges);
        if (part.anyOf) candidates.push(part.anyOf);
      }
    }
    if (isExact) return { exact: run, anyOf: null };
    endRun();
    return { exact: null, anyOf: candidates.toSorted((a, b) => shortest(b) - shortest(a))[0] ?? null };
  }

  #readRepeated(part: Part, sizeBefore: number): Part {
    const quantifier = /^(?:([*+?])|\{(\d{1,3})(?:(,)(\d{0,3}))?\})\??/.exec(
      this.#text.slice(this.#at, this.#at + 12),
    );
    if (!quantifier) return part;
    this.#take(quantifier[0].length);
    const [, sign, minimum, comma, maximum] = quantifier;
    const most = Math.max(1, Number(minimum ?? 1), Number(maximum ?? 1));
    this.#size = sizeBefore + (this.#size - sizeBefore) * most;
    if (this.#size > maxSize) throw refuse("it repeats too much");
    const times = sign ? (sign === "+" ? 1 : 0) : Number(minimum);
    if (times === 0) return unknown;
    const [text, ...others] = part.exact ?? [];
    if (
      !sign &&
      !comma &&
      times <= maxRepeats &&
      text !== undefined &&
      others.length === 0 &&
      isShort(text, times)
    )
      return { exact: [text.repeat(times)], anyOf: null };
    return { exact: null, anyOf: textsOf(part), ...(part.exact && { edges: part.exact }) };
  }

  #readAtom(depth: number): Part {
    if (this.#peek("(")) return this.#readGroup(depth);
    if (this.#peek("[")) return this.#readClass();
    if (this.#peek("\\")) return this.#readEscape();
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    this.#take(character.length);
    if (character === ".") return unknown;
    return character === "^" || character === "$" ? nothing : { exact: [character], anyOf: null };
  }

  #readGroup(depth: number): Part {
    const opening = /^\((?:\?(?::|=|!|<=|<!))?/.exec(this.#text.slice(this.#at, this.#at + 4))?.[0] ?? "(";
    if (opening === "(" && this.#peek("(?")) throw refuse("PostgreSQL doesn’t know this kind of group");
    this.#take(opening.length);
    const part = this.#readChoice(depth + 1);
    if (!this.#peek(")")) throw refuse("a parenthesis isn’t closed");
    this.#take();
    return /[=!]$/.test(opening) ? nothing : part;
  }

  #readClass(): Part {
    const found = /^\[\^?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]/s.exec(this.#text.slice(this.#at));
    if (!found) throw refuse("a bracket isn’t closed");
    this.#take(found[0].length);
    const plain = /^\[([^^[\]\\-]{1,6})\]$/.exec(found[0])?.[1];
    return plain ? { exact: [...plain], anyOf: null } : unknown;
  }

  #readEscape(): Part {
    const character = this.#text[this.#at + 1];
    if (character === undefined) throw refuse("it ends in a backslash");
    // Elsewhere \b is a word border; in PostgreSQL it would be a backspace.
    if (/[bB]/.test(character)) {
      this.#at += 2;
      this.source += character === "b" ? "\\y" : "\\Y";
      return nothing;
    }
    this.#take(2);
    if (/[AmMyYZ]/.test(character)) return nothing;
    return /[\p{L}\p{N}]/u.test(character) ? unknown : { exact: [character], anyOf: null };
  }
}

const isShort = (text: string, times: number) => text.length * times <= maxTextLength;
const textsOf = ({ exact, anyOf }: Part) => (exact?.every((text) => text !== "") ? exact : anyOf);
const shortest = (texts: string[]) => Math.min(...texts.map(({ length }) => length));
