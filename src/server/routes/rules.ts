import { Readable } from "node:stream";
import type { ruleRoutes } from "#contract/rule-routes.ts";
import type { TrialLine } from "#contract/trial.ts";
import { compareExecutions } from "#history/compare-executions.ts";
import {
  coverCapture,
  jobSource,
  pickFrom,
  previewSource,
  readElements,
  readPreview,
  readPreviewImage,
} from "#history/read-elements.ts";
import { tryRules } from "#history/try-rules.ts";
import { askPreview } from "#jobs/ask-preview.ts";
import type { Handlers } from "../register-routes.ts";
import { whenGone } from "../when-gone.ts";
import { asCapture } from "./executions.ts";

export const ruleHandlers: Handlers<keyof typeof ruleRoutes> = {
  coverRules: async (app, { actor, params, body }) =>
    coverCapture(app.jobs, await jobSource(app.jobs, actor, params.jobId), body),
  elements: async (app, { actor, params: { jobId, executionId } }) =>
    readElements(app.jobs, await jobSource(app.jobs, actor, jobId, executionId)),
  pickElement: async (app, { actor, params: { jobId, executionId, at } }) =>
    pickFrom(app.jobs, await jobSource(app.jobs, actor, jobId, executionId), at),
  askPreview: async (app, { actor, body }) => ({ id: await askPreview(app.jobs, actor, body) }),
  preview: (app, { actor, params }) => readPreview(app.jobs, actor, params.previewId),
  async previewImage(app, { actor, params, reply }) {
    const png = await readPreviewImage(app.jobs, actor, params.previewId);
    return asCapture(reply, "image/png").send(Buffer.from(png));
  },
  previewElements: async (app, { actor, params }) =>
    readElements(app.jobs, await previewSource(app.jobs, actor, params.previewId)),
  pickPreviewElement: async (app, { actor, params: { previewId, at } }) =>
    pickFrom(app.jobs, await previewSource(app.jobs, actor, previewId), at),
  coverPreview: async (app, { actor, params, body }) =>
    coverCapture(app.jobs, await previewSource(app.jobs, actor, params.previewId), body),
  async tryRules(app, { actor, params, body, reply }) {
    const gone = whenGone(reply);
    const release = app.trying.take(actor.accountId);
    // Whoever leaves before the first line is asked for would keep his place.
    gone.addEventListener("abort", release);
    try {
      const lines = await tryRules(app.jobs, actor, params.jobId, body, gone);
      return reply
        .type("application/x-ndjson")
        .header("cache-control", "no-store")
        .header("x-accel-buffering", "no")
        .send(Readable.from(asText(lines, release), { objectMode: false }));
    } catch (error) {
      release();
      throw error;
    }
  },
  async compareByRules(app, { actor, params, body: { from, to, ...tried }, reply }) {
    const gone = whenGone(reply);
    const verdict = await app.comparing.inTurn(actor.accountId, () =>
      compareExecutions(app.jobs, actor, params.jobId, { from, to }, gone, tried),
    );
    return { ...verdict, from, to };
  },
};

async function* asText(lines: AsyncIterable<TrialLine>, onEnd: () => void): AsyncGenerator<string> {
  try {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  } finally {
    onEnd();
  }
}
