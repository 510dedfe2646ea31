import { AppError } from "#contract/errors.ts";
import { RuleFailure, TookTooMuch } from "./took-too-much.ts";

/** Tells a caller whose rules or pages take too much what it is, where a check would record a failure. */
export async function refuseTooMuch<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RuleFailure) throw new AppError("CONFLICT", error.message);
    if (error instanceof TookTooMuch)
      throw new AppError("CONFLICT", "These captures take too long to be compared.");
    throw error;
  }
}
