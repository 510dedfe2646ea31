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
import { requestRecovery, resetPassword } from "#accounts/recover.ts";
import { signOut } from "#accounts/session.ts";
import { signIn } from "#accounts/sign-in.ts";
import { activate, signUp } from "#accounts/sign-up.ts";
import { AppError } from "#contract/errors.ts";
import { removeChannel } from "#storage/channels.ts";
import { originOf } from "../audit-calls.ts";
import { clearSessionCookie, setSessionCookie } from "../authenticate.ts";
import type { Handlers } from "../register-routes.ts";

export const accountHandlers: Handlers<
  | "register"
  | "login"
  | "demo"
  | "logout"
  | "activate"
  | "recover"
  | "resetPassword"
  | "me"
  | "updateMe"
  | "deleteMe"
  | "putPhoto"
  | "photo"
  | "updateNotificationSettings"
> = {
  async register(app, { body, request }) {
    await signUp(app.accounts, body, request.ip);
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
    return { code: "LOGIN_SUCCESS", message: "You are looking at the demo.", token };
  },
  async logout(app, { actor, reply }) {
    await signOut(app.accounts, actor);
    clearSessionCookie(app, reply);
    return { code: "LOGOUT_SUCCESS", message: "You are signed out." };
  },
  async activate(app, { params }) {
    await activate(app.accounts, params.token);
    return { code: "ACTIVATION_SUCCESS", message: "Your account has been successfully activated." };
  },
  async recover(app, { body, request }) {
    await requestRecovery(app.accounts, body.email, request.ip);
    return { code: "RECOVER_SEND_LINK_SUCCESS", message: "Please check your mail inbox" };
  },
  async resetPassword(app, { params, body, request }) {
    await resetPassword(app.accounts, params.token, body.newPassword, originOf(request));
    return { code: "PASSWORD_RESET_SUCCESS", message: "Your password is changed. Sign in with the new one." };
  },
  async me(app, { actor }) {
    const me = await describeMe(app.accounts, actor);
    // Whoever has the bot token can link a chat, which is more than reading.
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
    // A body that is not what it says (no boundary, cut off) is the caller's mistake.
    const file = await request.file().catch((error: FastifyError) => {
      throw error.code?.startsWith("FST_") ? error : new AppError("PHOTO_INVALID");
    });
    if (!file) throw new AppError("PHOTO_INVALID");
    await replacePhoto(app.accounts, actor, await file.toBuffer());
    return { code: "UPDATE_SUCCESS", message: "Your photo is updated." };
  },
  async photo(app, { actor, reply }) {
    const photo = await readPhoto(app.accounts, actor);
    return reply.type("image/webp").header("cache-control", "private, no-cache").send(photo);
  },
  async updateNotificationSettings(app, { actor, body }) {
    await updateNotificationSettings(app.accounts, actor, body);
    // Whoever switches mail on again is no longer unsubscribed.
    if (body.emailNotifications) await removeChannel(app.db, actor.accountId, "email");
    return { code: "UPDATE_SUCCESS", message: "Your notification settings are updated." };
  },
};
