import { expect, test } from "vitest";
import { compareSecurityTxt, isSecurityTxt } from "./security-txt.ts";

const plain = `# Our policy
Contact: mailto:security@shop.example
Contact: https://shop.example/report
Expires: 2026-12-31T23:00:00.000Z
Preferred-Languages: en, de
`;
const signed = (text: string, signature: string): string =>
  `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${text}-----BEGIN PGP SIGNATURE-----\n\n${signature}\n-----END PGP SIGNATURE-----\n`;

function differences(before: string, after: string): string[] {
  return compareSecurityTxt(before, after).found.map(
    ({ place, before: old, after: now }) => `${place}: ${old} → ${now}`,
  );
}

test("recognizes the file by its address or its fields", () => {
  expect(isSecurityTxt("https://shop.example/.well-known/security.txt", "Contact: mailto:a@b.example")).toBe(
    true,
  );
  expect(isSecurityTxt("https://shop.example/x", plain)).toBe(true);
  expect(isSecurityTxt("https://shop.example/.well-known/security.txt", "<h1>Not found</h1>")).toBe(false);
  expect(isSecurityTxt("https://shop.example/x", "Contact: us")).toBe(false);
  expect(isSecurityTxt("", "# old draft\nContact: https://shop.example/report\nDisclosure: Full")).toBe(true);
  expect(isSecurityTxt("", "Contact: me@shop.example\nand more words")).toBe(false);
});

test("ignores comments, layout and signatures", () => {
  expect(differences(plain, plain.replace("# Our policy", "# Our new policy\n"))).toEqual([]);
  expect(differences(plain, signed(plain, "iQIz1"))).toEqual([]);
  expect(differences(signed(plain, "iQIz1"), signed(plain, "iQIz2"))).toEqual([]);
  expect(
    differences(
      plain,
      plain.replace("2026-12-31T23:00:00.000Z", "2027-01-01T00:00:00+01:00").replaceAll("\n", "\r\n"),
    ),
  ).toEqual([]);
  expect(differences(plain, plain.replace("contact", "CONTACT"))).toEqual([]);
});

test("reports a renewal, a swapped contact and a dropped field", () => {
  expect(differences(plain, plain.replace("2026", "2027"))).toEqual([
    "Expires: 2026-12-31T23:00:00.000Z → 2027-12-31T23:00:00.000Z",
  ]);
  expect(differences(plain, plain.replace("security@shop", "security@evil"))).toEqual([
    "Contact: mailto:security@shop.example → mailto:security@evil.example",
  ]);
  expect(differences(signed(plain, "a"), signed(plain.replace(/Preferred.*\n/, ""), "b"))).toEqual([
    "Preferred-Languages: en, de → null",
  ]);
});

test("reports a date that was corrected to the format of the RFC", () => {
  expect(
    differences(
      "Contact: a@b.c\nExpires: Mon, 14 Mar 2022 00:00 +0000",
      "Contact: a@b.c\nExpires: 2022-03-14T00:00:00.000Z",
    ),
  ).toHaveLength(1);
});

test("reports reordered contacts, because their order states a preference", () => {
  const swapped = plain.replace(/(Contact: m.*\n)(Contact: h.*\n)/, "$2$1");
  expect(differences(plain, swapped)).toHaveLength(1);
});
