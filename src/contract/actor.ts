/** Whoever a call acts for. Ownership is checked against it in every query. */
export type Actor = { accountId: string };
