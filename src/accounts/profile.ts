import { randomBytes } from "node:crypto";
import pLimit from "p-limit";
import sharp from "sharp";
import type { Me } from "#contract/account.ts";
import type { Actor } from "#contract/actor.ts";
import { AppError } from "#contract/errors.ts";
import { accountDeletedMail } from "#mail/mail-templates.ts";
import { sendMail } from "#mail/send-mail.ts";
import { planById } from "#plans/plans.ts";
import { limitAttempts } from "#request-limits/limit-attempts.ts";
import { deleteAccount as deleteAccountRow, findPhoto, updateAccount } from "#storage/accounts.ts";
import { jobIdsOf } from "#storage/jobs.ts";
import { listSubscriptions } from "#storage/subscriptions.ts";
import type { Deps } from "./deps.ts";
import { verifyPassword } from "./passwords.ts";
import { accountOf } from "./session.ts";

export async function describeMe(deps: Deps, actor: Actor): Promise<Me> {
  const account = await accountOf(deps, actor);
  const plan = planById(account.plan_id);
  return {
    id: account.id,
    email: account.email,
    firstname: account.firstname,
    surname: account.surname,
    plan: plan.name,
    planId: plan.id,
    photo: account.photo_name ? `/api/me/photo?v=${account.photo_name}` : null,
    createdAt: account.created_at.toISOString(),
    Login: [{ email: account.email }],
    UserBotToken: [
      {
        telegramPrivateToken: deps.secrets.open(account.bot_token_sealed, `bot-token:${account.id}`),
        telegramNotificationEnabled: account.telegram_notifications ? 0 : 1,
      },
    ],
    notifications: {
      telegram: account.telegram_notifications,
      email: account.email_notifications,
      combine: account.combines_alerts,
    },
  };
}

/** Changes the names; an empty field keeps the current value. */
export async function updateMe(
  deps: Deps,
  actor: Actor,
  input: { firstname?: string; surname?: string },
): Promise<void> {
  await updateAccount(deps.db, actor.accountId, {
    ...(input.firstname ? { firstname: input.firstname } : {}),
    ...(input.surname ? { surname: input.surname } : {}),
  });
}

export async function updateNotificationSettings(
  deps: Deps,
  actor: Actor,
  input: { telegramNotifications?: boolean; emailNotifications?: boolean; combineAlerts?: boolean },
): Promise<void> {
  await updateAccount(deps.db, actor.accountId, {
    ...(input.telegramNotifications === undefined
      ? {}
      : { telegram_notifications: input.telegramNotifications }),
    ...(input.emailNotifications === undefined ? {} : { email_notifications: input.emailNotifications }),
    ...(input.combineAlerts === undefined ? {} : { combines_alerts: input.combineAlerts }),
  });
}

const MEGAPIXELS_20 = 20_000_000;

/** Stores a photo that we re-encoded; the uploaded file itself is never served. */
export async function replacePhoto(deps: Deps, actor: Actor, upload: Buffer): Promise<void> {
  if (upload.length === 0) throw new AppError("PHOTO_INVALID");
  if (photoLimit.pendingCount >= maxPhotosWaiting) {
    throw new AppError("RATE_LIMITED", "Too many photos at once. Try again in a moment.", {
      retryAfterSeconds: 5,
    });
  }
  const photo = await photoLimit(() => reencode(upload));
  if (!photo) throw new AppError("PHOTO_INVALID");
  await updateAccount(deps.db, actor.accountId, { photo, photo_name: randomBytes(16).toString("hex") });
}

// Decoding uses the same threads as password hashes.
const photoLimit = pLimit(1);
const maxPhotosWaiting = 5;

async function reencode(upload: Buffer): Promise<Buffer | undefined> {
  const image = sharp(upload, { limitInputPixels: MEGAPIXELS_20, failOn: "error" });
  const { format } = await image.metadata().catch(() => ({ format: undefined }));
  if (!format || !["jpeg", "png", "webp"].includes(format)) return undefined;
  return image
    .rotate()
    .resize(512, 512, { fit: "cover" })
    .webp({ quality: 85 })
    .toBuffer()
    .catch(() => undefined);
}

export async function readPhoto(deps: Deps, actor: Actor): Promise<Buffer> {
  const photo = await findPhoto(deps.db, actor.accountId);
  if (!photo) throw new AppError("NOT_FOUND", "There is no photo.");
  return photo;
}

/** Deletes the account and every row that belongs to it; its sessions end at once. */
export async function deleteAccount(deps: Deps, actor: Actor, password: string): Promise<void> {
  const guesses = { uses: 10, windowSeconds: 15 * 60 };
  await limitAttempts(deps.db, `delete:${actor.accountId}`, guesses, "attempts");
  const account = await accountOf(deps, actor);
  if (!(await verifyPassword(account.password_hash, password, account.id)))
    throw new AppError("PASSWORD_WRONG");
  await deps.db.transaction().execute(async (tx) => {
    for (const { id } of await listSubscriptions(tx, account.id)) {
      await deps.queue.send(tx, "end-subscription", { subscriptionId: id });
    }
    const jobIds = await jobIdsOf(tx, account.id);
    await deleteAccountRow(tx, account.id);
    await deps.queue.send(tx, "forget", { accountId: account.id, jobIds, account: true });
    await sendMail(deps, tx, { to: account.email, ...accountDeletedMail(account.firstname) });
  });
}
