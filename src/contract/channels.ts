import { type Plan, plans } from "./plans.ts";

type ChannelFacts = {
  name: string;
  /** The smallest plan that has it. */
  from: Plan["id"];
  /** Set up by its user; without, messages go to the account's own mail address. */
  ownAddress: boolean;
  /** It shows text without any look: a preview shows it so, too. */
  plain?: true;
  /** What its user puts in; left out where the address comes another way, as a chat does by the bot. */
  given?: {
    noun: string;
    /** What it is called once it is set up, where that is not the noun. */
    place?: string;
    example: string;
    hint: string;
    /** What is asked for besides the address, by the name it has in the call. */
    also?: Partial<Record<"room" | "token", { label: string; example: string; hint: string }>>;
  };
};

/** The one list of ways to tell people: tables, plans, tasks, settings and screens read it. */
export const channels = {
  email: { name: "E-mail", from: "basic", ownAddress: false },
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
      hint: "In Slack: an app of yours with Incoming Webhooks switched on, Copy.",
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
      hint: "On ntfy.sh or a server of your own; whoever knows a topic without a token can read it.",
      also: { token: { label: "Access token", example: "tk_…", hint: "Only where the topic needs one." } },
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
      hint: "Alerts are written by the user whose token this is, in rooms without encryption.",
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
      hint: "Any address that takes POST.",
      also: {
        token: { label: "Bearer token", example: "", hint: "Sent as Authorization, if you put one in." },
      },
    },
  },
} as const satisfies Record<string, ChannelFacts>;

export type ChannelId = keyof typeof channels;

/** Channels whose address is put in by their user. */
export type GivenChannelId = {
  [Id in ChannelId]: (typeof channels)[Id] extends { given: object } ? Id : never;
}[ChannelId];

/** What stands in for a channel that fails. */
export const lastResort = "email" satisfies ChannelId;

const entries = Object.entries<ChannelFacts>(channels) as [ChannelId, ChannelFacts][];
export const channelIds = entries.map(([id]) => id) as [ChannelId, ...ChannelId[]];
export const ownChannelIds = idsWith(({ ownAddress }) => ownAddress);
// The type asks of each the very same.
export const givenChannelIds = idsWith(({ given }) => given !== undefined) as [GivenChannelId];

function idsWith(has: (facts: ChannelFacts) => boolean) {
  return entries.filter(([, facts]) => has(facts)).map(([id]) => id) as [ChannelId, ...ChannelId[]];
}

export const isPlain = (id: ChannelId): boolean => facts(id).plain === true;

/** What messages go to, as "Matrix room". */
export function placeOf(id: GivenChannelId): string {
  const { name, given } = facts(id);
  return `${name} ${given?.place ?? given?.noun}`;
}

const facts = (id: ChannelId): ChannelFacts => channels[id];

/** The plans that have a channel, smallest first. */
export function plansWith(id: ChannelId): Plan[] {
  return plans.slice(plans.findIndex((plan) => plan.id === channels[id].from));
}

export function hasChannel(plan: Plan, id: ChannelId): boolean {
  return plansWith(id).some((other) => other.id === plan.id);
}
