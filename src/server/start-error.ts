/** A start that cannot be: told in one sentence, without a stack. */
export class StartError extends Error {}
