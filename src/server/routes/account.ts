import type { FastifyError } from "fastify";
import { signInToDemo } from "#accounts/demo.ts";
import {
  deleteAccount,
  describeMe,
  readPhoto,
  replacePhoto,
  updateMe,
  updateNotificationSettings,
} from "#accounts/profile.ts";
import { readRecovery, requestRecovery, resetPassword } from "#accounts/recover.ts";
import { signOut } from "#accounts/session.ts";
import { signIn } from "#accounts/sign-in.ts";
import { activate, signUp } from "#accounts/sign-up.ts";
import { originOf } from "#audit/audit-calls.ts";
import { describeBrowser } from "#audit/device.ts";
import { AppError } from "#contract/errors.ts";
import { removeChannel } from "#storage/channels.ts";
import { clearSessionCookie, setSessionCookie } from "../request-handling/authenticate.ts";
import type { Handlers } from "../request-handling/register-routes.ts";

export const accountHandlers: Handlers<
  | "register"
  | "login"
  | "demo"
  | "logout"
  | "activate"
  | "recover"
  | "recovery"
  | "resetPassword"
  | "me"
  | "updateMe"
  | "deleteMe"
  | "putPhoto"
  | "photo"
  | "updateNotificationSettings"
> = {
  async register(app, { body, request }) {
    const browser = describeBrowser(request.headers["user-agent"]);
    await signUp(app.accounts, body, { ip: request.ip, browser });
    return { code: "REGISTER_SUCCESS", message: "Check your mailbox for the activation link." };
  },
  async login(app, { body, request, reply }) {
    const token = await signIn(app.accounts, body, request.ip, originOf(request));
    setSessionCookie(app, reply, token);
    return { code: "LOGIN_SUCCESS", message: "You are signed in.", token };
  },
  async demo(app, { request, reply }) {
    if (!app.demoAccountId) throw new AppError("NOT_FOUND");
    const token = await signInToDemo(app.accounts, app.demoAccountId, request.ip);
    setSessionCookie(app, reply, token);
    return { code: "LOGIN_SUCCESS", message: "You’re in the demo.", token };
  },
  async logout(app, { actor, reply }) {
    await signOut(app.accounts, actor);
    clearSessionCookie(app, reply);
    return { code: "LOGOUT_SUCCESS", message: "You are signed out." };
  },
  async activate(app, { params }) {
    return { code: "ACTIVATION_SUCCESS", message: await activate(app.accounts, params.token) };
  },
  async recover(app, { body, request }) {
    await requestRecovery(app.accounts, body.email, request.ip);
    return { code: "RECOVER_SEND_LINK_SUCCESS", message: "Please check your mail inbox" };
  },
  recovery: (app, { params }) => readRecovery(app.accounts, params.token),
  async resetPassword(app, { params, body, request }) {
    const { working, revoked } = await resetPassword(app.accounts, params.token, body, originOf(request));
    const sentences = [
      "Your password is changed. Sign in with the new one.",
      ...(revoked.length === 1 ? [`The API key ${revoked[0]} was revoked.`] : []),
      ...(revoked.length > 1 ? [`${revoked.length} API keys were revoked: ${listNames(revoked)}.`] : []),
      ...(working.length === 1
        ? [`The API key ${working[0]} still works. You can revoke it in your profile.`]
        : []),
      ...(working.length > 1
        ? [
            `${working.length} API keys still work: ${listNames(working)}. You can revoke them in your profile.`,
          ]
        : []),
    ];
    return { code: "PASSWORD_RESET_SUCCESS", message: sentences.join(" ") };
  },
  async me(app, { actor }) {
    const me = await describeMe(app.accounts, actor);
    // The bot token allows its holder to link a chat, which is more than reading.
    if (!("keyId" in actor) || actor.scope === "everything") return me;
    return { ...me, UserBotToken: me.UserBotToken.map((one) => ({ ...one, telegramPrivateToken: "" })) };
  },
  async updateMe(app, { actor, body }) {
    await updateMe(app.accounts, actor, body);
    return { code: "UPDATE_SUCCESS", message: "Your profile is updated." };
  },
  async deleteMe(app, { actor, body, reply }) {
    await deleteAccount(app.accounts, actor, body.password);
    clearSessionCookie(app, reply);
    return { code: "DELETE_SUCCESS", message: "Your account is deleted." };
  },
  async putPhoto(app, { actor, request }) {
    // A malformed body (no boundary, cut off) is the caller's mistake.
    const file = await request.file().catch((error: FastifyError) => {
      throw error instanceof AppError || error.code?.startsWith("FST_")
        ? error
        : new AppError("PHOTO_INVALID");
    });
    if (!file) throw new AppError("PHOTO_INVALID");
    const photo = await file.toBuffer();
    await request.slot?.enter();
    await replacePhoto(app.accounts, actor, photo);
    return { code: "UPDATE_SUCCESS", message: "Your photo is updated." };
  },
  async photo(app, { actor, reply }) {
    const photo = await readPhoto(app.accounts, actor);
    return reply.type("image/webp").header("cache-control", "private, no-cache").send(photo);
  },
  async updateNotificationSettings(app, { actor, body }) {
    await updateNotificationSettings(app.accounts, actor, body);
    // Switching mail on again ends an earlier unsubscribe.
    if (body.emailNotifications) await removeChannel(app.db, actor.accountId, "email");
    return { code: "UPDATE_SUCCESS", message: "Your notification settings are updated." };
  },
};

/** Lists some of the names, because a message box has little room; the mail lists all of them. */
function listNames(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
