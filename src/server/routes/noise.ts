import { readLeftOut } from "#history/read-left-out.ts";
import { markNoise } from "#noise-feedback/mark-noise.ts";
import { readNoise } from "#noise-feedback/read-noise.ts";
import { takeBack } from "#noise-feedback/take-back.ts";
import { unlearnNoise } from "#noise-feedback/unlearn-noise.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const noiseHandlers: Handlers<"noise" | "unlearnNoise" | "markNoise" | "takeBack" | "leftOut"> = {
  noise: (app, { actor, params }) => readNoise(app.jobs, actor, params.jobId),
  async unlearnNoise(app, { actor, params, body }) {
    await unlearnNoise(app.jobs, actor, params.jobId, body.place);
    return {
      code: "NOISE_UNLEARNED",
      message: "You’ll get alerts about this part again, starting with the next check.",
    };
  },
  async markNoise(app, { actor, params: { jobId, executionId }, body }) {
    await app.comparing.inTurn(actor.accountId, () =>
      markNoise(app.jobs, actor, jobId, { executionId, ...body }),
    );
    return { code: "NOISE_MARKED", message: "Treated as noise from the next check on." };
  },
  async takeBack(app, { actor, params, body }) {
    await takeBack(app.jobs, actor, params.jobId, body);
    return { code: "NOISE_TAKEN_BACK", message: "Undone. The next check decides again." };
  },
  async leftOut(app, { actor, params, query, reply }) {
    const controller = new AbortController();
    reply.raw.once("close", () => controller.abort());
    return app.comparing.inTurn(actor.accountId, () =>
      readLeftOut(app.jobs, actor, params.jobId, query, controller.signal),
    );
  },
};
