import { markNoise } from "#checks/mark-noise.ts";
import { readNoise } from "#checks/read-noise.ts";
import { takeBack } from "#checks/take-back.ts";
import { unlearnNoise } from "#checks/unlearn-noise.ts";
import { readLeftOut } from "#history/read-left-out.ts";
import type { Handlers } from "../register-routes.ts";

export const noiseHandlers: Handlers<"noise" | "unlearnNoise" | "markNoise" | "takeBack" | "leftOut"> = {
  noise: (app, { actor, params }) => readNoise(app.jobs, actor, params.jobId),
  async unlearnNoise(app, { actor, params, body }) {
    await unlearnNoise(app.jobs, actor, params.jobId, body.place);
    return { code: "NOISE_UNLEARNED", message: "Changes there are told again from the next check on." };
  },
  async markNoise(app, { actor, params: { jobId, executionId }, body }) {
    await app.comparing.inTurn(actor.accountId, () =>
      markNoise(app.jobs, actor, jobId, { executionId, ...body }),
    );
    return { code: "NOISE_MARKED", message: "Taken for noise from the next check on." };
  },
  async takeBack(app, { actor, params, body }) {
    await takeBack(app.jobs, actor, params.jobId, body);
    return { code: "NOISE_TAKEN_BACK", message: "Taken back: the next check judges it anew." };
  },
  async leftOut(app, { actor, params, query, reply }) {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    return app.comparing.inTurn(actor.accountId, () =>
      readLeftOut(app.jobs, actor, params.jobId, query, gone.signal),
    );
  },
};
