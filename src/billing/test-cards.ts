/** The sandbox accepts only these cards, so that nobody enters a real one. */
export const testCards = {
  pays: "4242424242424242",
  declined: "4000000000000002",
  paysOnce: "4000000000000341",
} as const;
