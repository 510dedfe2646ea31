import { type Plan, plans } from "#plans/plans.ts";

type ChannelFacts = {
  name: string;
  /** The smallest plan that includes the channel. */
  from: Plan["id"];
  /** Whether the user sets up an address. If not, messages go to the account's email address. */
  ownAddress: boolean;
  /** The channel shows text without formatting, so its preview does too. */
  plain?: true;
  /** What the user enters. Absent if the address comes another way, such as a chat that the bot links. */
  given?: {
    noun: string;
    /** What the target is called once it is set up, if not by the noun. */
    place?: string;
    example: string;
    hint: string;
    /** Inputs besides the address, keyed by their name in the API call. */
    also?: Partial<Record<"room" | "token", { label: string; example: string; hint: string }>>;
  };
};

/** The only list of alert channels: tables, plans, tasks, settings and screens all use it. */
export const channels = {
  email: { name: "Email", from: "basic", ownAddress: false },
  telegram: { name: "Telegram", from: "professional", ownAddress: true },
  discord: {
    name: "Discord",
    from: "professional",
    ownAddress: true,
    given: {
      noun: "webhook",
      example: "https://discord.com/api/webhooks/…",
      hint: "In Discord: channel settings, Integrations, Webhooks, Copy Webhook URL.",
    },
  },
  slack: {
    name: "Slack",
    from: "professional",
    ownAddress: true,
    given: {
      noun: "webhook",
      example: "https://hooks.slack.com/services/…",
      hint: "In Slack: your app, Incoming Webhooks, Copy.",
    },
  },
  teams: {
    name: "Microsoft Teams",
    from: "professional",
    ownAddress: true,
    given: {
      noun: "workflow",
      example: "https://….logic.azure.com/workflows/…",
      hint: "In Teams: Workflows, 'Post to a channel when a webhook request is received', Copy.",
    },
  },
  ntfy: {
    name: "ntfy",
    from: "professional",
    ownAddress: true,
    plain: true,
    given: {
      noun: "topic",
      example: "https://ntfy.sh/a-topic-nobody-guesses",
      hint: "On ntfy.sh or a server of your own; anyone who knows the name of a topic without a token can read it.",
      also: { token: { label: "Access token", example: "tk_…", hint: "Only if the topic needs one." } },
    },
  },
  matrix: {
    name: "Matrix",
    from: "professional",
    ownAddress: true,
    given: {
      noun: "homeserver",
      place: "room",
      example: "https://matrix.org",
      hint: "Alerts are posted by this token’s user. Rooms must be unencrypted.",
      also: {
        room: { label: "Room id", example: "!abc:matrix.org", hint: "Room settings, Advanced." },
        token: { label: "Access token", example: "syt_…", hint: "All settings, Help & About, Access Token." },
      },
    },
  },
  push: { name: "Browser", from: "professional", ownAddress: true, plain: true },
  webhook: {
    name: "Webhook",
    from: "professional",
    ownAddress: true,
    given: {
      noun: "address",
      example: "https://example.com/alerts",
      hint: "Any address that accepts POST requests.",
      also: {
        token: { label: "Bearer token", example: "", hint: "Sent in the Authorization header, if set." },
      },
    },
  },
} as const satisfies Record<string, ChannelFacts>;

export type ChannelId = keyof typeof channels;

/** Channels whose address the user enters. */
export type GivenChannelId = {
  [Id in ChannelId]: (typeof channels)[Id] extends { given: object } ? Id : never;
}[ChannelId];

/** The channel that replaces one that fails. */
export const fallbackChannel = "email" satisfies ChannelId;

const entries = Object.entries<ChannelFacts>(channels) as [ChannelId, ChannelFacts][];
export const channelIds = entries.map(([id]) => id) as [ChannelId, ...ChannelId[]];
export const ownChannelIds = idsWith(({ ownAddress }) => ownAddress);
// `GivenChannelId` is defined by the same condition.
export const givenChannelIds = idsWith(({ given }) => given !== undefined) as [GivenChannelId];

function idsWith(matches: (facts: ChannelFacts) => boolean) {
  return entries.filter(([, facts]) => matches(facts)).map(([id]) => id) as [ChannelId, ...ChannelId[]];
}

export const isPlain = (id: ChannelId): boolean => facts(id).plain === true;

/** The target of messages, such as "Matrix room". */
export function placeOf(id: GivenChannelId): string {
  const { name, given } = facts(id);
  return `${name} ${given?.place ?? given?.noun}`;
}

const facts = (id: ChannelId): ChannelFacts => channels[id];

/** The plans that include a channel, smallest first. */
export function plansWithChannel(id: ChannelId): Plan[] {
  return plans.slice(plans.findIndex((plan) => plan.id === channels[id].from));
}

export function hasChannel(plan: Plan, id: ChannelId): boolean {
  return plansWithChannel(id).some((other) => other.id === plan.id);
}
