import { z } from "zod";

export const maxPageSteps = 50;
const maxSecrets = 10;

/** One way to find an element: a selector, or a chain of them, each inside the shadow root of the one before. */
const Selector = z
  .array(z.string().min(1, "A selector is empty.").max(1000, "A selector is too long."))
  .min(1);
const Selectors = z
  .array(Selector, "The step doesn’t say which element it uses.")
  .min(1, "The step doesn’t say which element it uses.")
  .max(8, "At most 8 selectors for one element.")
  .describe(
    "Ways to find the element, the best first: CSS, or with the prefix aria/, text/, xpath/ or pierce/",
  );
const position = z.number().min(-100_000).max(100_000);
const frame = z
  .array(z.int().min(0).max(100))
  .max(5)
  .optional()
  .describe("The way to the element’s frame, by the index of each frame in its parent");
const assertedEvents = z
  .array(z.object({ type: z.literal("navigation") }))
  .max(1)
  .optional()
  .describe("The step opens another page, which is waited for");

const onElement = { selectors: Selectors, frame, assertedEvents };
const pointer = {
  ...onElement,
  offsetX: position.optional(),
  offsetY: position.optional(),
  button: z.enum(["primary", "auxiliary", "secondary"]).optional(),
};

const refusedStep =
  "There is no such step. Code and custom steps can’t be run: wait for an element, a text or a URL instead.";

/** A step in the format of the DevTools Recorder, of which this is a subset. */
const PageStep = z.discriminatedUnion(
  "type",
  [
    z.object({
      type: z.literal("navigate"),
      url: z
        .string("A URL is missing.")
        .max(2048, "URL is too long.")
        .regex(/^https?:\/\//i, "Start with http:// or https://."),
      assertedEvents,
    }),
    z.object({ type: z.literal("click"), ...pointer }),
    z.object({ type: z.literal("doubleClick"), ...pointer }),
    z.object({ type: z.literal("hover"), ...onElement }),
    z.object({
      type: z.literal("change"),
      ...onElement,
      value: z
        .string("The value is missing.")
        .max(5000, "At most 5,000 characters.")
        .describe(
          "What is typed or selected; {{secret.NAME}} stands for a secret, {{totp.NAME}} for a one-time code (TOTP) made of it",
        ),
    }),
    z.object({ type: z.literal("keyDown"), key: z.string().min(1).max(30), assertedEvents }),
    z.object({ type: z.literal("keyUp"), key: z.string().min(1).max(30), assertedEvents }),
    z.object({
      type: z.literal("scroll"),
      selectors: Selectors.optional(),
      frame,
      x: position.optional(),
      y: position.optional(),
    }),
    z.object({
      type: z.literal("waitForElement"),
      selectors: Selectors,
      frame,
      visible: z.boolean().optional().describe("false: until the element isn’t shown any more"),
    }),
    z.object({
      type: z.literal("setViewport"),
      width: z.int().min(200, "200 to 3,840 pixels wide.").max(3840, "200 to 3,840 pixels wide."),
      height: z.int().min(200, "200 to 2,160 pixels high.").max(2160, "200 to 2,160 pixels high."),
    }),
    z
      .object({
        type: z.literal("customStep"),
        name: z.enum(["waitForUrl", "closeOverlay"], refusedStep),
        parameters: z.object({ url: z.string().max(2048).optional() }).default({}),
      })
      .describe("waitForUrl: until the URL contains parameters.url, in which * stands for anything"),
  ],
  refusedStep,
);
export type PageStep = z.infer<typeof PageStep>;

export const PageSteps = z
  .array(PageStep)
  .max(maxPageSteps, `At most ${maxPageSteps} steps.`)
  .describe("What is done on the page before the capture, in the format of the DevTools Recorder");

const secretNamePattern = /^[a-z][\w-]{0,39}$/i;
export const StepSecrets = z
  .array(
    z.object({
      name: z
        .string()
        .regex(secretNamePattern, "Name a secret with letters, digits, _ and -, starting with a letter."),
      value: z.string().max(1000, "A secret has at most 1,000 characters."),
    }),
  )
  .max(maxSecrets, `At most ${maxSecrets} secrets.`)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    "Two secrets have the same name.",
  )
  .describe("What steps type as {{secret.NAME}}; the values can’t be read again");
export type StepSecret = z.infer<typeof StepSecrets>[number];

/** What a step did at a check. */
export const StepRun = z.object({
  type: z.string(),
  text: z.string().describe("The step in words"),
  ms: z.int(),
  url: z.string().describe("The page’s URL after the step"),
  selector: z.string().nullable().describe("The selector that found the element"),
  note: z.string().nullable().describe("What is worth knowing although the step succeeded"),
  error: z.string().nullable().describe("Why the step failed"),
  hasPicture: z.boolean(),
});
export type StepRun = z.infer<typeof StepRun>;

/** In a path: which step, starting at 1. */
export const stepNumber = z.coerce.number().int().min(1).max(maxPageSteps);

export const RecordingInput = z.object({
  recording: z
    .string()
    .min(1, "Paste a recording.")
    .max(512 * 1024, "The recording is larger than 512 KiB.")
    .describe("JSON of the DevTools Recorder, or a test made by Playwright’s codegen"),
});
export const ReadRecording = z.object({
  title: z.string(),
  steps: z.array(z.unknown()).describe("The steps, as the setting pageSteps takes them"),
  secrets: StepSecrets.describe("What was typed into password fields; the steps refer to it by name"),
  refused: z.array(z.string()).describe("A sentence for each part that is left out"),
});
