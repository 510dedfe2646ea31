/** A reason why the process can't start. It is printed as one sentence, without a stack. */
export class StartError extends Error {}
