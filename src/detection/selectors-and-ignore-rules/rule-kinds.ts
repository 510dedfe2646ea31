/** A kind of entry that a field takes: an example of it, and what it means. */
export type RuleKind = { example: string; means: string };

/** Every kind of selector and ignore rule, and what is compared. The form's help and docs/rules.md show this table. */
export const ruleKinds = {
  selector: [
    { example: "main, #scope", means: "only these elements are compared" },
    {
      example: "xpath://table[2]//td[3]",
      means: "the nodes that an XPath 3.1 expression selects, on pages and in XML",
    },
    {
      example: "xpath:count(//li)",
      means: "a value that it computes; `xpath://a/@href`: the values of attributes",
    },
    { example: "jsonpath:$.items[*].price", means: "in JSON, the values that an RFC 9535 query selects" },
    { example: "jq:.items[] | .price", means: "in JSON, what a jq program gives" },
  ],
  ignore: [
    {
      example: ".ad",
      means: "these elements never count; so do `footer`, `my-widget`, `xpath:…` and `jsonpath:…`",
    },
    { example: "people online", means: "a line that contains this text, in upper or lower case" },
    { example: '"footer"', means: "an entry in quotes is always a text" },
    {
      example: "/\\d+ (views|likes)/i",
      means: "what the pattern matches in a line as a reader sees it; the rest of the line counts",
    },
  ],
  compareAs: [
    { example: "page", means: "the page as a reader sees it" },
    { example: "source", means: "the source, as the server sent it" },
  ],
} as const satisfies Record<string, RuleKind[]>;
