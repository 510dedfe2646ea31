import { Readable } from "node:stream";
import type { ruleRoutes } from "#contract/rule-routes.ts";
import type { RuleTestLine } from "#contract/rule-test.ts";
import { compareExecutions } from "#history/compare-executions.ts";
import { tryRules } from "#history/test-on-history/test-rules.ts";
import { readRecording } from "#page-steps/read-recording.ts";
import { askPreview } from "#previews/ask-preview.ts";
import {
  jobSource,
  measureCoverage,
  pickSelectorFrom,
  previewSource,
  readElements,
} from "#previews/preview-rules.ts";
import { previewRuns } from "#previews/preview-runs.ts";
import { readPreview, readPreviewImage, readPreviewStepImage } from "#previews/read-preview.ts";
import { abortOnDisconnect } from "#request-limits/abort-on-disconnect.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { setCaptureHeaders } from "./executions.ts";

export const ruleHandlers: Handlers<keyof typeof ruleRoutes> = {
  coverRules: (app, { actor, params, body }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      measureCoverage(app.jobs, await jobSource(app.jobs, actor, params.jobId), body),
    ),
  elements: (app, { actor, params: { jobId, executionId } }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      readElements(app.jobs, await jobSource(app.jobs, actor, jobId, executionId)),
    ),
  pickElement: (app, { actor, params: { jobId, executionId, at } }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      pickSelectorFrom(app.jobs, await jobSource(app.jobs, actor, jobId, executionId), at),
    ),
  askPreview: async (app, { actor, body }) => ({ id: await askPreview(app.jobs, actor, body) }),
  preview: (app, { actor, params }) => readPreview(app.jobs, actor, params.previewId),
  async previewImage(app, { actor, params, reply }) {
    const png = await readPreviewImage(app.jobs, actor, params.previewId);
    return setCaptureHeaders(reply, "image/png").send(Buffer.from(png));
  },
  async previewStepImage(app, { actor, params, reply }) {
    const jpeg = await readPreviewStepImage(app.jobs, actor, params);
    return setCaptureHeaders(reply, "image/jpeg").send(Buffer.from(jpeg));
  },
  readRecording: async (_app, { body }) => readRecording(body.recording),
  previewElements: (app, { actor, params }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      readElements(app.jobs, await previewSource(app.jobs, actor, params.previewId)),
    ),
  pickPreviewElement: (app, { actor, params: { previewId, at } }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      pickSelectorFrom(app.jobs, await previewSource(app.jobs, actor, previewId), at),
    ),
  previewRuns: (app, { actor, body }) => previewRuns(app.jobs, actor, body),
  coverPreview: (app, { actor, params, body }) =>
    app.previewing.inTurn(actor.accountId, async () =>
      measureCoverage(app.jobs, await previewSource(app.jobs, actor, params.previewId), body),
    ),
  async tryRules(app, { actor, params, body, reply }) {
    const signal = abortOnDisconnect(reply);
    const release = app.trying.take(actor.accountId);
    // A caller that disconnects before the first line is read would otherwise keep its slot.
    signal.addEventListener("abort", release);
    try {
      const lines = await tryRules(app.jobs, actor, params.jobId, body, signal);
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
    const signal = abortOnDisconnect(reply);
    const verdict = await app.comparing.inTurn(actor.accountId, () =>
      compareExecutions(app.jobs, actor, params.jobId, { from, to }, signal, tried),
    );
    return { ...verdict, from, to };
  },
};

async function* asText(lines: AsyncIterable<RuleTestLine>, onEnd: () => void): AsyncGenerator<string> {
  try {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  } finally {
    onEnd();
  }
}
