import { z } from "zod";
import { IdentityParams, Origins } from "./identity.ts";
import type { PageStep, StepSecret } from "./page-steps.ts";
import { url } from "./setting-shapes.ts";

/** The size of the page in a live view. */
export const liveSize = { width: 1280, height: 800 };

/** The name of the socket's protocol. The ticket is offered as a second one, because URLs are logged. */
export const liveProtocol = "watchglass.live";
export const ticketPrefix = "ticket.";

export const NewLiveView = z.strictObject({
  url: url
    .trim()
    .regex(/^https?:\/\//i, "Start with http:// or https://.")
    .describe("Where the live view begins"),
  origins: Origins.describe("The sites whose session may be kept; the site of the URL is always one of them"),
  identityId: IdentityParams.shape.identityId
    .nullish()
    .describe("The identity whose session it begins with, or, when signing in, replaces"),
  signsIn: z.boolean().default(false).describe("Begins signed out; the session can be kept for the identity"),
});
export type NewLiveView = z.infer<typeof NewLiveView>;

export const LiveViewParams = z.object({ liveViewId: z.uuid() });

const x = z.number().min(0).max(liveSize.width);
const y = z.number().min(0).max(liveSize.height);
const distance = z.number().min(-5_000).max(5_000);

/** All that goes into a live view. */
export const LiveInput = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("move"), x, y }),
  z.strictObject({ type: z.literal("press"), x, y, clicks: z.int().min(1).max(2) }),
  z.strictObject({ type: z.literal("release"), x, y, clicks: z.int().min(1).max(2) }),
  z.strictObject({ type: z.literal("wheel"), x, y, dx: distance, dy: distance }),
  z.strictObject({
    type: z.literal("key"),
    key: z.string().min(1).max(20),
    modifiers: z.array(z.enum(["Alt", "Control", "Meta", "Shift"])).max(4),
  }),
  z.strictObject({ type: z.literal("paste"), text: z.string().min(1).max(5_000) }),
  z.strictObject({ type: z.literal("choose"), value: z.string().max(5_000) }),
  z.strictObject({ type: z.literal("back") }),
  /** The frame arrived, so that the next one may be sent. */
  z.strictObject({ type: z.literal("seen") }),
  /** The next click points at the proof and isn't done on the page. */
  z.strictObject({ type: z.literal("point"), x, y }),
  /** Rests the pointer on an element, as a step. */
  z.strictObject({ type: z.literal("hover"), x, y }),
  z.strictObject({ type: z.literal("remove"), step: z.int().min(0).max(1_000) }),
  /** Ends the recording, which is sent with its secrets. */
  z.strictObject({ type: z.literal("finish") }),
  /** Keeps the session of the browser. */
  z.strictObject({ type: z.literal("keep") }),
]);
export type LiveInput = z.infer<typeof LiveInput>;

/** What comes out of a live view, beside its frames, which are JPEG. */
export type LiveOutput =
  | { type: "page"; url: string }
  | { type: "steps"; steps: { id: number; step: PageStep }[] }
  | { type: "options"; options: { value: string; label: string; isChosen: boolean }[] }
  | { type: "proof"; text: string | null; selector: string | null }
  | { type: "recorded"; steps: PageStep[]; secrets: StepSecret[] }
  | { type: "kept"; message: string }
  | { type: "notice"; message: string }
  | { type: "end"; message: string };
