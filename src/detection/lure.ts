// Keys that open a command line, and the commands that a visitor is told to paste there ("ClickFix").
const keys =
  /(?:\b(?:windows|win)|⊞)(?:\s?(?:key|button|logo|icon)){0,2}\s?(?:\+|&|and|plus)\s?(?:the\s)?["'“‘(]?[rx]\b|(?:\b(?:cmd|command)|⌘)(?:\skey)?\s?(?:\+|&|and|plus)\s?space\b[^.]{0,200}\bterminal\b/i;
const commands = /\b(?:powershell(?:\.exe)?\s-|mshta\s{1,3}https?:|curl\s[^\n|]{1,200}\|\s?(?:ba|z)?sh\b)/i;
const paste = /\b(?:ctrl|control|strg|cmd|command)\s?\+\s?v\b|⌘\s?v\b|\bpaste\b/i;

/** Whether a page asks its reader to run a command, as no page in earnest does to let a visitor in. */
export function isLure(text: string): boolean {
  const start = text.slice(0, 100_000);
  return paste.test(start) && (keys.test(start) || commands.test(start));
}
