import { readLineContext, searchHistory } from "#page-index/search-history.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const searchHandlers: Handlers<"search" | "searchContext"> = {
  search: (app, { actor, query }) =>
    app.searching.inTurn(actor.accountId, () => searchHistory(app.jobs, actor, query)),
  searchContext: (app, { actor, params, query }) =>
    readLineContext(app.jobs, actor, params.lineId, query.jobId),
};
