import type { Alert } from "#message-templates/alert.ts";
import type { SendRate } from "../send-rate.ts";

export const alert = (overrides: Partial<Alert> = {}): Alert => ({
  kind: "change",
  severity: "notice",
  title: "Shop",
  message: "2 lines added in main",
  url: "https://shop.example/",
  link: "https://watch.example/dashboard?view=jobs",
  at: new Date("2026-01-02T03:04:05Z"),
  jobId: "00000000-0000-4000-8000-000000000001",
  executionId: "00000000-0000-4000-8000-000000000002",
  status: { before: 200, after: 200 },
  similarity: 97.4,
  condition: null,
  lines: [
    { sign: "-", text: "Sold out" },
    { sign: "+", text: "In stock" },
  ],
  moreLines: 0,
  ignored: 0,
  findings: [{ kind: "endpoint", value: "/api/v2" }],
  picture: null,
  note: null,
  question: null,
  ...overrides,
});

/** Text as a hostile page would have it. */
export const hostile = `</pre><b>&amp;"'<script>alert(1)</script> @everyone <!channel> \`\`\` **x** [a](http://evil.example) 😀`;

/** An alert in which every text is as long as a page can make it. */
export const huge = (): Alert => {
  const long = hostile.repeat(200);
  return alert({
    title: long,
    message: long,
    condition: long,
    opinion: { model: long, sentence: long },
    url: `https://shop.example/${"a".repeat(2000)}`,
    lines: Array.from({ length: 200 }, () => ({ sign: "+" as const, text: long })),
    moreLines: 5000,
    findings: Array.from({ length: 50 }, () => ({ kind: "url", value: long })),
    note: long,
    status: { before: 404, after: 200 },
  });
};

export const noRateLimit: SendRate = { take: async () => 0, pause: async () => undefined };
