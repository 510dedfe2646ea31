/** The only plan table: landing page, terms, billing, limits and messages all use it. */
export type Plan = {
  id: "basic" | "professional" | "ultimate";
  name: string;
  description: string;
  priceCents: number;
  groups: number;
  /** Total number of jobs; null means that only the limit per group applies. */
  jobs: number | null;
  jobsPerGroup: number;
  minimumMinutes: number;
  /** How many pages of a site one run may request. */
  sitePages: number;
  /** How many jobs may carry an HTTP trigger; null means any job. */
  triggers: number | null;
  textLookup: boolean;
  /** Whether jobs may be signed in as an identity. */
  identities: boolean;
  reports: boolean;
  retentionDays: number;
  storageBytes: number;
  /** Fair share: how many checks of the account run per turn when accounts take turns. */
  weight: number;
};

const GiB = 1024 ** 3;

export const plans: readonly [Plan, Plan, Plan] = [
  {
    id: "basic",
    name: "Basic",
    description: "For trying it out and for a handful of pages.",
    priceCents: 0,
    groups: 1,
    jobs: 4,
    jobsPerGroup: 4,
    minimumMinutes: 60,
    sitePages: 200,
    triggers: 1,
    textLookup: false,
    identities: false,
    reports: false,
    retentionDays: 30,
    storageBytes: GiB,
    weight: 1,
  },
  {
    id: "professional",
    name: "Professional",
    description: "For researchers who watch scopes, endpoints and assets.",
    priceCents: 900,
    groups: 15,
    jobs: null,
    jobsPerGroup: 20,
    minimumMinutes: 20,
    sitePages: 5000,
    triggers: null,
    textLookup: true,
    identities: true,
    reports: false,
    retentionDays: 180,
    storageBytes: 20 * GiB,
    weight: 2,
  },
  {
    id: "ultimate",
    name: "Ultimate",
    description: "For teams that need to know within minutes.",
    priceCents: 1900,
    groups: 20,
    jobs: null,
    jobsPerGroup: 20,
    minimumMinutes: 5,
    sitePages: 100_000,
    triggers: null,
    textLookup: true,
    identities: true,
    reports: true,
    retentionDays: 365,
    storageBytes: 100 * GiB,
    weight: 4,
  },
];

/** Finds a plan by its stored id. The database allows no other ids. */
export function planById(id: string): Plan {
  const plan = plans.find((candidate) => candidate.id === id);
  if (!plan) throw new Error(`unknown plan ${id}`);
  return plan;
}

/** A price as the screens show it: '0$', '9$'. */
export function formatPrice(cents: number): string {
  return `${cents % 100 === 0 ? cents / 100 : (cents / 100).toFixed(2)}$`;
}
