import type { Deps } from "#alerts/deps.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { markNoise } from "#noise-feedback/mark-noise.ts";
import { readDifferences } from "#noise-feedback/read-differences.ts";
import { takeBack } from "#noise-feedback/take-back.ts";
import { unlearnNoise } from "#noise-feedback/unlearn-noise.ts";
import type { BotMessage } from "./telegram-bot.ts";

type About = { jobId: string; executionId: string };

// A chat can show this many entries with a button each.
const maxChoices = 8;

/** Handles 'This is noise': marks a single alerted difference at once, otherwise asks which one is meant. */
export async function markNoiseByChat(
  deps: Deps,
  actor: Actor,
  { jobId, executionId }: About,
  which: string,
): Promise<string | BotMessage> {
  const { reported } = await readDifferences(deps, executionId);
  if (which === "" && reported.length > 1) {
    const choices = reported.map(({ id, says }) => ({ says, data: `noise:${executionId}:${id}` }));
    const { text, buttons } = ask("Which of these is noise?", choices);
    return { text, buttons: [...buttons, [{ label: "All of it", data: `noise:${executionId}:all` }]] };
  }
  const ids = which === "" || which === "all" ? undefined : [which];
  await markNoise(deps, actor, jobId, { executionId, ids });
  return "Marked as noise. You won’t get alerts about it anymore.";
}

/** Lists the differences that an execution ignored, each with a button that turns on alerts for it. */
export async function listIgnoredByChat(deps: Deps, { executionId }: About): Promise<string | BotMessage> {
  const { ignored } = await readDifferences(deps, executionId);
  if (ignored.length === 0) return "Nothing was ignored here.";
  return ask(
    "Treated as noise. Tap “Alert me about this” for:",
    ignored.map(({ number, says }) => ({ says, data: `tell:${executionId}:${number}` })),
  );
}

/** Handles 'Alert me about this' for one ignored difference. */
export async function restoreAlertsByChat(
  deps: Deps,
  actor: Actor,
  { jobId, executionId }: About,
  which: string,
): Promise<string> {
  const { ignored } = await readDifferences(deps, executionId);
  const difference = ignored.find(({ number }) => String(number) === which);
  if (!difference) throw new AppError("NOT_FOUND");
  if (difference.said) await takeBack(deps, actor, jobId, { id: difference.said });
  else await unlearnNoise(deps, actor, jobId, difference.place);
  return "You’ll get alerts about this part again, starting with the next check.";
}

function ask(question: string, choices: { says: string; data: string }[]): BotMessage {
  const shown = choices.slice(0, maxChoices);
  const remaining = choices.length - shown.length;
  const lines = shown.map(({ says }, at) => `${at + 1}. ${says}`);
  return {
    text: [question, ...lines, ...(remaining > 0 ? [`… ${remaining} more in Watchglass`] : [])].join("\n"),
    buttons: [shown.map(({ data }, at) => ({ label: String(at + 1), data }))],
  };
}
