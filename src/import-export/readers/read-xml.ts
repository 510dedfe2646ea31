import { Parser } from "htmlparser2";
import { UnreadableFile } from "#contract/unreadable-file.ts";
import { refuseLarge } from "./draft.ts";

// Many times what the largest real files contain besides their addresses.
const limits = { elements: { OPML: 20_000, sheet: 300_000 }, attributes: 50, depth: 50 };
const numbers = new Intl.NumberFormat("en");

type Handlers = {
  onOpen: (name: string, attributes: Record<string, string>) => void;
  onText?: (text: string) => void;
  onClose: (name: string) => void;
};

/**
 * Reads XML as a stream that stops at its limits, because the parser's own list of open elements makes deep nesting
 * quadratic.
 */
export function readXml(xml: string, what: keyof typeof limits.elements, handlers: Handlers): void {
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  const parser = new Parser(
    {
      onopentagname() {
        if (++depth > limits.depth)
          throw new UnreadableFile(
            `The ${what} is nested too deeply: at most ${limits.depth} levels are read.`,
          );
        if (++elements > limits.elements[what])
          refuseLarge(`The ${what} has more than ${numbers.format(limits.elements[what])} elements.`);
        attributes = 0;
      },
      onattribute() {
        if (++attributes > limits.attributes)
          throw new UnreadableFile(
            `An element of the ${what} has more than ${limits.attributes} attributes.`,
          );
      },
      onopentag: handlers.onOpen,
      ontext: handlers.onText,
      onclosetag(name) {
        depth--;
        handlers.onClose(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}
