type Preset = {
  id: string;
  name: string;
  /** What the user has to fill in before it works. */
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
/** A placeholder outside of a string inserts a JSON value, so it is added after the serialization. */
const bodyWithJsonValues = json({
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

/** Prefilled triggers for common workflow engines; the user replaces what is in capitals. */
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
    hint: "Enter the production URL of a Webhook node that accepts POST.",
    url: "https://HOST/webhook/PATH",
    method: "POST",
    headers: [],
    body: bodyWithJsonValues,
  },
  {
    id: "zapier",
    name: "Zapier",
    hint: "Enter the address shown under 'Webhooks by Zapier', Catch Hook.",
    url: "https://hooks.zapier.com/hooks/catch/ACCOUNT/HOOK/",
    method: "POST",
    headers: [],
    body: bodyWithJsonValues,
  },
  {
    id: "slack",
    name: "Slack",
    hint: "Enter the address of an incoming webhook.",
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
    hint: "Enter the address of the workflow 'Post to a channel when a webhook request is received'.",
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
