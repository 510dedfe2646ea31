import { maskTokens } from "../noise/tokens.ts";
import { maskUrl } from "../noise/urls.ts";
import type { NoiseRow, NoiseRule } from "./noise-rule.ts";

/** A difference in one kind of markup ("class of <div>"); a value is null if that side has none. */
export type MarkupFact = { what: string; before: string | null; after: string | null };

const style =
  /^(?:class|style|width|height|sizes|media|viewbox|d|fill|transform|loading|decoding) of |^code of <style>/;
const address = /^(?:href|src|srcset|action|formaction|data|poster|content|data-[\w-]+) of /;
const code = /^(?:code of <script>|on\w+ of |nonce of |integrity of )/;
// Masking takes linear time; the beginning of a long value is enough.
const MAX_LENGTH = 4000;

const areEqual = ({ before, after }: MarkupFact, mask: (value: string) => string) =>
  before !== null && after !== null && mask(before.slice(0, MAX_LENGTH)) === mask(after.slice(0, MAX_LENGTH));

export const movedMarkup: NoiseRow = {
  id: "order.markup",
  claim: "Markup that is on both pages, at another position",
  where: "markup",
};

/** Markup that no other comparison reports: every row only says what kind of difference it is. */
export const markupRules: readonly NoiseRule<MarkupFact>[] = [
  {
    id: "token.markup",
    claim:
      "What a request or a build puts into markup: an identifier, the version of a file, campaign parameters",
    where: "markup",
    test: (fact) => areEqual(fact, maskTokens) || (address.test(fact.what) && areEqual(fact, maskUrl)),
  },
  {
    id: "style.markup",
    claim: "Classes, style sheets and sizes: how something is drawn",
    where: "markup",
    test: ({ what }) => style.test(what),
  },
  {
    id: "build.markup",
    claim: "Code that the script comparison found harmless",
    where: "markup",
    test: ({ what }) => code.test(what),
  },
  {
    id: "markup.other",
    claim: "Any other markup without effect on words, links, forms, frames and code",
    where: "markup",
    test: () => true,
  },
];
