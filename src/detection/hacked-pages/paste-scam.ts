// Fake verification pages ask visitors to open the Run dialog or a terminal and to paste what a script put on the
// clipboard ("ClickFix"). Quantifiers are bounded, because the text is untrusted.
const keys =
  /(?:\b(?:windows|win)|⊞)(?:\s?(?:key|button|logo|icon|taste)){0,2}\s?(?:[+＋&]|and|plus|und|et|y)\s?(?:the\s)?["'“‘(]?[rx]\b|(?:\b(?:cmd|command)|⌘)(?:\skey)?\s?(?:[+＋&]|and|plus)\s?space\b[^.]{0,200}\bterminal\b/i;
const terminal = /\b(?:open|launch|start)\s(?:the\s)?(?:terminal|powershell|command prompt|run dialog)/i;
const commands = /\b(?:powershell(?:\.exe)?\s-|mshta\s{1,3}https?:|curl\s[^\n|]{1,200}\|\s?(?:ba|z)?sh\b)/i;
const paste =
  /\b(?:ctrl|control|strg|cmd|command)\s?[+＋&]\s?v\b|⌘\s?[+＋&]?\s?v\b|\bpaste\b|einfügen|\bcoller\b|\bpegar\b|\bincolla\b/i;

const MAX_READ = 100_000;

/** Whether a page asks its reader to run a command, which no legitimate page does to let a visitor in. */
export function isPasteScam(text: string): boolean {
  const start = text.slice(0, MAX_READ);
  return paste.test(start) && asksToOpen(start);
}

const asksToOpen = (text: string) => keys.test(text) || terminal.test(text) || commands.test(text);

/** Returns the line of a paste scam that says what to open. */
export function findPasteScamLine(text: string): string | undefined {
  return text.slice(0, MAX_READ).split("\n").find(asksToOpen)?.slice(0, 300);
}
