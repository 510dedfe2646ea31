import {
  readOpinionState,
  removeEndpoint,
  saveEndpoint,
  testEndpoint,
} from "#second-opinion/manage-endpoint.ts";
import { tryOnHistory } from "#second-opinion/try-on-history.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const secondOpinionHandlers: Handlers<
  "secondOpinion" | "putSecondOpinion" | "deleteSecondOpinion" | "testSecondOpinion" | "trySecondOpinion"
> = {
  secondOpinion: (app, { actor }) => readOpinionState(app.secondOpinion, actor),
  async putSecondOpinion(app, { actor, body }) {
    await saveEndpoint(app.secondOpinion, actor, body);
    const state = await readOpinionState(app.secondOpinion, actor);
    return { code: "SECOND_OPINION_SAVED", message: `“${body.model}” is saved.`, state };
  },
  async deleteSecondOpinion(app, { actor }) {
    await removeEndpoint(app.secondOpinion, actor);
    return { code: "SECOND_OPINION_DELETED", message: "The model is removed, with its key." };
  },
  testSecondOpinion: (app, { actor, request }) =>
    app.trying.inTurn(actor.accountId, async () => {
      // The endpoint may never answer, and other callers of this address must not wait for it.
      request.slot?.leave();
      const opinion = await testEndpoint(app.secondOpinion, actor);
      const message = opinion.class
        ? `“${opinion.model}” works: it answered with a sentence that holds.`
        : `No usable answer from “${opinion.model}”. ${opinion.why}`;
      const state = await readOpinionState(app.secondOpinion, actor);
      return { code: "SECOND_OPINION_TESTED", message, opinion, state };
    }),
  trySecondOpinion: (app, { actor, params, body, request }) =>
    app.trying.inTurn(actor.accountId, () => {
      request.slot?.leave();
      return tryOnHistory(app.secondOpinion, actor, params.jobId, body);
    }),
};
