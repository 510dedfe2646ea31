import { AppError } from "#contract/errors.ts";
import { RuleFailure, TookTooMuch } from "./limit-errors.ts";

/** Refuses a call whose rules or pages take too much, with the reason. A check would record a failure instead. */
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
