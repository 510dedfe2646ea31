import { z } from "zod";

const Learned = z.object({
  place: z.string(),
  why: z.enum(["twin", "said"]),
  times: z.int(),
  samples: z.array(z.string()),
});

/** What a job has learned to pass over, and the places the user wants to hear about all the same. */
export const Noise = z.object({ learned: z.array(Learned), kept: z.array(z.string()) });
export const NoisePlace = z.object({ place: z.string().min(1).max(2000) });
