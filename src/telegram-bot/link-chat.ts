import type { Deps } from "#alerts/deps.ts";
import { notify } from "#checks/notify.ts";
import { AppError } from "#contract/errors.ts";
import { channelsPath } from "#contract/links.ts";
import { noticeSeverity } from "#contract/notice-severity.ts";
import { renderMailContent } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import { assertInPlan } from "#plans/assert-channel.ts";
import { planById } from "#plans/plans.ts";
import { addAuditEntry } from "#storage/audit.ts";
import { linkChat, lockAccountByBotToken } from "#storage/channels.ts";
import { hashBotToken, renewBotToken } from "./renew-bot-token.ts";
import type { BotChat } from "./telegram-bot.ts";

/** Links a chat with a one-time token, and informs the account's owner by mail. */
export async function linkChatByToken(
  deps: Deps,
  chat: BotChat,
  token: string,
): Promise<{ linked: boolean; text: string }> {
  const profile = `${deps.baseUrl}${channelsPath}`;
  try {
    return await deps.db.transaction().execute(async (tx) => {
      const account = await lockAccountByBotToken(tx, hashBotToken(token));
      if (!account) {
        return {
          linked: false,
          text: `This token isn’t valid: it was used or renewed. Copy the current one:\n${profile}`,
        };
      }
      assertInPlan(planById(account.plan_id), "telegram");
      for (const other of await linkChat(tx, account.id, chat.id, chat.label)) {
        await notify(deps, tx, {
          account_id: other,
          kind: "delivery-failed",
          job_id: null,
          execution_id: null,
          severity: noticeSeverity.deliveryFailed,
          title: "Telegram alerts were turned off",
          message: "The chat was linked to another account.",
        });
      }
      await renewBotToken(deps, tx, account.id);
      await addAuditEntry(tx, account.id, {
        action: "channel-linked",
        about: `Telegram, ${chat.label}`,
        actor: "telegram",
      });
      const letter = renderMailContent({
        subject: "A Telegram chat was linked to your account",
        paragraphs: [
          `Hello ${account.firstname},`,
          `The Telegram chat ${chat.label} now receives your alerts.`,
        ],
        button: { label: "Open the profile", url: profile },
        closing: "If it wasn’t you, unlink the chat in the profile right away and renew the bot token.",
      });
      await sendMail(deps, tx, { to: account.email, ...letter });
      return {
        linked: true,
        text: "Linked. You’ll get your alerts in this chat from now on; /stop turns them off.",
      };
    });
  } catch (error) {
    if (error instanceof AppError) return { linked: false, text: error.message };
    throw error;
  }
}
