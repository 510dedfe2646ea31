import { expect, test } from "vitest";
import { isIndexable, readPattern } from "#page-index/read-pattern.ts";
import { starterPatterns } from "./search-alert.ts";

// Examples in the formats that the issuers publish; none was ever valid.
const examples: Record<string, string> = {
  "AWS access key": "AKIAIOSFODNN7EXAMPLE",
  "GitHub token": `ghp_${"a1B2".repeat(9)}`,
  "GitLab token": `glpat-${"x9".repeat(10)}`,
  "Slack token": `xoxb-${"1234567890"}-abcdef`,
  "Slack webhook": "hooks.slack.com/services/T0ABCDEFG/B0ABCDEFG/abcdefghijklmnopqrstuvwx",
  "Discord webhook": `discord.com/api/webhooks/123456789012345678/${"aB3_".repeat(16)}`,
  "Telegram bot token": `123456789:AA${"h3_".repeat(11)}`,
  "Stripe secret key": `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`,
  "SendGrid key": `SG.${"a".repeat(22)}.${"b".repeat(43)}`,
  "Npm token": `npm_${"a1B2".repeat(9)}`,
  "Private key": "-----BEGIN RSA PRIVATE KEY-----",
  "Password in a URL": "postgres://app:hunter22@db.example.com",
};

const ordinary = [
  "The stakeholders of AKIA Corp. met on 12 May",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "550e8400-e29b-41d4-a716-446655440000",
  "https://example.com/?token=abcdefghijklmnop",
  "https://user@example.com/path",
  "discord.com/api/webhooks",
  "Order SG.12345 ships today",
  "pk_live_publishable keys start like this",
  "-----BEGIN CERTIFICATE-----",
  "Call us: 123456789:00 to 18:00",
];

test.each(starterPatterns)(
  "the starter pattern $name finds its example, and can be looked up",
  ({ name, q }) => {
    const pattern = new RegExp(q);
    expect(examples[name]).toMatch(pattern);
    expect(ordinary.filter((line) => pattern.test(line))).toEqual([]);
    expect(readPattern(q).anyOf?.every(isIndexable)).toBe(true);
  },
);

test("each starter pattern has an example here", () => {
  expect(starterPatterns.map(({ name }) => name)).toEqual(Object.keys(examples));
});
