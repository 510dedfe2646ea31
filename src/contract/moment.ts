import { z } from "zod";

/** A time that a caller gives, within what the database can compare with. */
export const Moment = z.iso
  .datetime()
  .refine((text) => /^(19|20|21)/.test(text), "A time must lie between 1900 and 2199.");
