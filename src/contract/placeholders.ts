/**
 * What a trigger's URL and body may carry in double braces, and what each stands for. A fixed list: no expressions.
 * Besides, `value.NAME` stands for a value that the job follows.
 */
export const placeholders = {
  "event.id": "The same for every attempt and retry of one change",
  "job.id": "The job's id",
  "job.name": "The job's name",
  "job.url": "The watched address",
  "job.group": "The name of the job's group",
  "execution.id": "The id of the check that saw the change",
  "execution.time": "When it was made, ISO 8601, UTC",
  "status.before": "HTTP status of the capture before; null when there was none",
  "status.after": "HTTP status of this capture",
  similarity: "Share of the page that stands unchanged, 0 to 100",
  severity: "info, notice, important or critical",
  matched: "Which of the trigger's and the lookup's strings stand in the new content, one a line",
  summary: "The change in one line",
  added: "Text that is new, cut at 4,000 characters",
  removed: "Text that is gone, cut at 4,000 characters",
  findings: "What is of interest in the new part: a list, or in a string one line each",
  link: "The change in the viewer",
} as const satisfies Record<string, string>;

export type Placeholder = keyof typeof placeholders;

/** What the template of a channel may carry. */
export const alertPlaceholders = {
  kind: "change, failing, recovered, digest, test …",
  severity: "info, notice, important or critical",
  title: "The job's name",
  message: "The change in one line",
  url: "The watched address",
  link: "The change in the viewer",
  time: "ISO 8601, UTC",
  job: "The job's id",
  execution: "The execution's id",
  status: "404 → 200; null when it stayed",
  similarity: "0 to 100",
  words:
    "The changed lines with the words in them that went and came: ~~old~~ **new**, as the channel shows it",
  diff: "The changed lines, each with + or -",
  text: "The whole alert as text",
} as const satisfies Record<string, string>;

type Preset = {
  id: string;
  name: string;
  /** What has to be put in before it works. */
  hint: string;
  url: string;
  method: "POST";
  headers: { name: string; value: string }[];
  body: string;
};

const change = {
  job: "{{job.name}}",
  url: "{{job.url}}",
  summary: "{{summary}}",
  severity: "{{severity}}",
  link: "{{link}}",
};
const everything = {
  event: "{{event.id}}",
  ...change,
  group: "{{job.group}}",
  time: "{{execution.time}}",
  added: "{{added}}",
  removed: "{{removed}}",
};
const json = (value: unknown) => JSON.stringify(value, null, 2);
/** Placeholders outside of a string stand for a JSON value of their own. */
const withValues = json({
  ...everything,
  statusBefore: 0,
  statusAfter: 1,
  similarity: 2,
  findings: 3,
})
  .replace('"statusBefore": 0', '"statusBefore": {{status.before}}')
  .replace('"statusAfter": 1', '"statusAfter": {{status.after}}')
  .replace('"similarity": 2', '"similarity": {{similarity}}')
  .replace('"findings": 3', '"findings": {{findings}}');

/** Forms filled for the common workflow engines; capitals mark what is the user's to fill in. */
export const triggerPresets: readonly Preset[] = [
  {
    id: "github",
    name: "GitHub Actions",
    hint: "Fill in OWNER, REPO and a token that may write the repository's contents. The workflow starts on repository_dispatch with the type watchglass.",
    url: "https://api.github.com/repos/OWNER/REPO/dispatches",
    method: "POST",
    headers: [
      { name: "Accept", value: "application/vnd.github+json" },
      { name: "Authorization", value: "Bearer TOKEN" },
      { name: "X-GitHub-Api-Version", value: "2022-11-28" },
    ],
    body: json({ event_type: "watchglass", client_payload: everything }),
  },
  {
    id: "gitlab",
    name: "GitLab pipeline",
    hint: "Fill in PROJECT_ID and a pipeline trigger TOKEN (Settings, CI/CD, Pipeline trigger tokens).",
    url: "https://gitlab.com/api/v4/projects/PROJECT_ID/trigger/pipeline",
    method: "POST",
    headers: [],
    body: json({
      token: "TOKEN",
      ref: "main",
      variables: {
        WATCHGLASS_JOB: "{{job.name}}",
        WATCHGLASS_URL: "{{job.url}}",
        WATCHGLASS_SUMMARY: "{{summary}}",
        WATCHGLASS_LINK: "{{link}}",
      },
    }),
  },
  {
    id: "n8n",
    name: "n8n",
    hint: "Put in the production URL of a Webhook node that takes POST.",
    url: "https://HOST/webhook/PATH",
    method: "POST",
    headers: [],
    body: withValues,
  },
  {
    id: "zapier",
    name: "Zapier",
    hint: "Put in the address that 'Webhooks by Zapier', Catch Hook shows.",
    url: "https://hooks.zapier.com/hooks/catch/ACCOUNT/HOOK/",
    method: "POST",
    headers: [],
    body: withValues,
  },
  {
    id: "slack",
    name: "Slack",
    hint: "Put in the address of an incoming webhook.",
    url: "https://hooks.slack.com/services/T000/B000/SECRET",
    method: "POST",
    headers: [],
    // plain_text, because Slack's own markup would let a watched page mention a whole channel.
    body: json({
      text: "Watchglass saw a change",
      blocks: [
        { type: "section", text: { type: "plain_text", text: "{{job.name}}: {{summary}}" } },
        {
          type: "actions",
          elements: [
            { type: "button", text: { type: "plain_text", text: "Open the change" }, url: "{{link}}" },
          ],
        },
      ],
    }),
  },
  {
    id: "teams",
    name: "Microsoft Teams",
    hint: "Put in the address of the workflow 'Post to a channel when a webhook request is received'.",
    url: "https://HOST/workflows/ID/triggers/manual/paths/invoke",
    method: "POST",
    headers: [],
    body: json({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              { type: "TextBlock", weight: "Bolder", wrap: true, text: "{{job.name}}" },
              { type: "TextBlock", wrap: true, text: "{{summary}}" },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open the change", url: "{{link}}" }],
          },
        },
      ],
    }),
  },
];
