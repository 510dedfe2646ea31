import { answerOften, answerWords } from "#noise-feedback/answer-frequent-change.ts";
import { answerByLink, openAnswerLink } from "#noise-feedback/frequent-change-question.ts";
import type { Handlers } from "../request-handling/register-routes.ts";
import { plainPage } from "./plain-page.ts";

const invalidLink =
  "<h1>This link is not valid</h1><p>What it asked about is gone, or the link is incomplete. Places that keep changing are listed with the change in Watchglass.</p>";

export const frequentChangeHandlers: Handlers<"answerOften" | "oftenPage" | "oftenByLink"> = {
  async answerOften(app, { actor, params: { jobId, executionId }, body: { answer } }) {
    await answerOften(app.jobs, actor, jobId, executionId, answer);
    return { code: "OFTEN_ANSWERED", message: answerWords[answer] };
  },
  async oftenPage(app, { params, reply }) {
    const about = openAnswerLink(app.alerts, params.token);
    const body = about
      ? `<h1>${about.label}?</h1><p>It is about a place that keeps changing on a page you watch. ${answerWords[about.answer]}</p><form method="post"><button>${about.label}</button></form>`
      : invalidLink;
    return reply
      .status(about ? 200 : 404)
      .type("text/html")
      .send(plainPage(body));
  },
  async oftenByLink(app, { params, reply }) {
    const done = await answerByLink(app.alerts, params.token);
    return reply
      .status(done ? 200 : 404)
      .type("text/html")
      .send(
        plainPage(
          done
            ? `<h1>Done</h1><p>${done} You can change your mind where Watchglass shows the change.</p>`
            : invalidLink,
        ),
      );
  },
};
