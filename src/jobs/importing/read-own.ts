import { z } from "zod";
import { type Draft, draft, UnreadableFile } from "./draft.ts";

const Header = z.object({ name: z.string(), value: z.string().nullish() });
const Archive = z.object({
  watchglass: z.literal(1),
  jobs: z.array(
    z.object({
      name: z.string(),
      url: z.string(),
      group: z.string(),
      frequencyMinutes: z.number(),
      status: z.string(),
      selector: z.string().nullable(),
      awaited: z.boolean().default(false),
      ignore: z.array(z.string()),
      lookup: z.object({ strings: z.array(z.string()), when: z.enum(["appears", "disappears"]) }).nullable(),
      waitFor: z.object({ selector: z.string().optional(), seconds: z.number().optional() }).nullable(),
      headers: z.array(Header),
      hasTrigger: z.boolean().default(false),
    }),
  ),
});

/** An archive of an account here or elsewhere. Secrets are not in it, and so are told of. */
export function readOwn(file: object): Draft[] {
  const { data, error } = Archive.safeParse(file);
  if (!data) {
    const [issue] = error.issues;
    throw new UnreadableFile(
      `The archive is not whole: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`,
    );
  }
  return data.jobs.map((job) => {
    const secret = job.headers.filter(({ value }) => !value).map(({ name }) => name);
    return draft({
      name: job.name,
      url: job.url,
      group: job.group,
      frequency: job.frequencyMinutes,
      paused: job.status !== "ACTIVE",
      selector: job.selector,
      awaited: job.awaited,
      ignore: job.ignore,
      lookup: job.lookup,
      waitFor: job.waitFor,
      left: [
        ...(secret.length > 0
          ? [`Put in again, since archives hold no secrets: the headers ${secret.join(", ")}.`]
          : []),
        ...(job.hasTrigger ? ["Put in again, since archives hold no secrets: the HTTP trigger."] : []),
      ],
    });
  });
}
