import { renderLetter } from "#accounts/mail-templates.ts";
import { sendMail } from "#accounts/send-mail.ts";
import { notify } from "#checks/notify.ts";
import { AppError } from "#contract/errors.ts";
import { profilePath } from "#contract/links.ts";
import { planById } from "#contract/plans.ts";
import type { BotChat } from "#delivery/telegram-bot.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { linkChat, lockAccountByBotToken } from "#storage/channels.ts";
import { assertInPlan } from "./assert-in-plan.ts";
import type { Deps } from "./deps.ts";
import { hashOfToken, renewBotToken } from "./renew-bot-token.ts";

/** Links a chat by a token, which is used up by it, and tells the account's owner by mail. */
export async function linkTelegram(
  deps: Deps,
  chat: BotChat,
  token: string,
): Promise<{ linked: boolean; text: string }> {
  const profile = `${deps.baseUrl}${profilePath}`;
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const account = await lockAccountByBotToken(tx, hashOfToken(token));
      if (!account) {
        return {
          linked: false,
          text: `This token is not known, or was used or renewed. Copy the current one:\n${profile}`,
        };
      }
      assertInPlan(planById(account.plan_id), "telegram");
      for (const other of await linkChat(tx, account.id, chat.id, chat.label)) {
        await notify(deps, tx, {
          account_id: other,
          kind: "delivery-failed",
          job_id: null,
          execution_id: null,
          severity: "important",
          title: "Alerts by Telegram end",
          message: "The chat was linked to another account.",
        });
      }
      await renewBotToken(deps, tx, account.id);
      await addAuditEntry(tx, account.id, {
        action: "channel-linked",
        about: `Telegram, ${chat.label}`,
        actor: "telegram",
      });
      const letter = renderLetter({
        subject: "A Telegram chat was linked to your account",
        paragraphs: [
          `Hello ${account.firstname},`,
          `The Telegram chat ${chat.label} now receives your alerts.`,
        ],
        button: { label: "Open the profile", url: profile },
        closing: "If it was not you, unlink the chat in the profile at once and renew the bot token.",
      });
      await sendMail(deps, tx, { to: account.email, ...letter });
      return { linked: true, text: "Linked. From now on your alerts come to this chat; /stop ends that." };
    });
  } catch (error) {
    if (error instanceof AppError) return { linked: false, text: error.message };
    throw error;
  }
}
