import { InvalidArgumentError } from "commander";

/** Parses an option that is a whole number within a range. */
export const wholeNumber = (from: number, to: number) => (given: string) => {
  const number = Number(given);
  if (given.trim() !== "" && Number.isInteger(number) && number >= from && number <= to) return number;
  throw new InvalidArgumentError(`Enter a whole number from ${from} to ${to}.`);
};
