import { InvalidArgumentError } from "commander";

/** Reads an option that is a number. */
export const wholeNumber = (from: number, to: number) => (given: string) => {
  const number = Number(given);
  if (given.trim() !== "" && Number.isInteger(number) && number >= from && number <= to) return number;
  throw new InvalidArgumentError(`It is a whole number from ${from} to ${to}.`);
};
