import { markNoise } from "#checks/mark-noise.ts";
import { takeBack } from "#checks/take-back.ts";
import { unlearnNoise } from "#checks/unlearn-noise.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import type { BotMessage } from "#delivery/telegram-bot.ts";
import { readDifferences } from "#history/read-differences.ts";
import type { Deps } from "./deps.ts";

type About = { jobId: string; executionId: string };

// As many as a chat can show with a button each.
const shown = 8;

/** 'This is noise': at once where one thing was told, else asks which. */
export async function noiseByChat(
  deps: Deps,
  actor: Actor,
  { jobId, executionId }: About,
  which: string,
): Promise<string | BotMessage> {
  const { told } = await readDifferences(deps, executionId);
  if (which === "" && told.length > 1) {
    const choices = told.map(({ id, says }) => ({ says, data: `noise:${executionId}:${id}` }));
    const { text, buttons } = ask("Which of these is noise?", choices);
    return { text, buttons: [...buttons, [{ label: "All of it", data: `noise:${executionId}:all` }]] };
  }
  const ids = which === "" || which === "all" ? undefined : [which];
  await markNoise(deps, actor, jobId, { executionId, ids });
  return "Marked as noise: such differences do not alert any more.";
}

/** What an execution ignored, each with a button to be told of it. */
export async function ignoredByChat(deps: Deps, { executionId }: About): Promise<string | BotMessage> {
  const { ignored } = await readDifferences(deps, executionId);
  if (ignored.length === 0) return "Nothing that could be told of was ignored.";
  return ask(
    "Taken for noise. 'Tell me of this':",
    ignored.map(({ number, says }) => ({ says, data: `tell:${executionId}:${number}` })),
  );
}

/** 'Tell me of this', of one of what was ignored. */
export async function tellByChat(
  deps: Deps,
  actor: Actor,
  { jobId, executionId }: About,
  which: string,
): Promise<string> {
  const { ignored } = await readDifferences(deps, executionId);
  const one = ignored.find(({ number }) => String(number) === which);
  if (!one) throw new AppError("NOT_FOUND");
  if (one.said) await takeBack(deps, actor, jobId, { id: one.said });
  else await unlearnNoise(deps, actor, jobId, one.place);
  return "Changes there are told again from the next check on.";
}

function ask(question: string, choices: { says: string; data: string }[]): BotMessage {
  const some = choices.slice(0, shown);
  const rest = choices.length - some.length;
  const lines = some.map(({ says }, at) => `${at + 1}. ${says}`);
  return {
    text: [question, ...lines, ...(rest > 0 ? [`… ${rest} more in Watchglass`] : [])].join("\n"),
    buttons: [some.map(({ data }, at) => ({ label: String(at + 1), data }))],
  };
}
