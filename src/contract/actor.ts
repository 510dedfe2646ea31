/** The account that a call acts for. Every query checks ownership against it. */
export type Actor = { accountId: string };
