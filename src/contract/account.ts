import { z } from "zod";
import { scopeNames } from "#accounts/api-key-scopes.ts";
import { passwordHasContent, passwordHasLength, passwordRule } from "#accounts/password-rule.ts";

const password = z
  .string()
  .refine((value) => passwordHasLength(value) && passwordHasContent(value), passwordRule.message);

/** A name in any script. It must be visible: no control characters, not only white space. */
const personName = (label: string) =>
  z
    .string(`${label} is missing.`)
    .transform((value) => value.normalize("NFC").trim())
    .refine(
      (value) => [...value].length >= 1 && [...value].length <= 100,
      `${label} must be 1-100 characters.`,
    )
    .refine((value) => !/\p{Cc}/u.test(value), `${label} must not contain control characters.`);

const email = z
  .string("Email address is missing.")
  .trim()
  .max(254, "Email address is too long.")
  .pipe(z.email("Email address is not valid."));

export const NewAccount = z.object({
  firstname: personName("First name"),
  surname: personName("Second name"),
  email,
  password,
});
export type NewAccount = z.infer<typeof NewAccount>;

export const Login = z.object({ email, password: z.string("Password is missing.").min(1).max(1000) });
export const RecoverRequest = z.object({ email });
export const NewPassword = z.object({
  newPassword: password,
  revokeKeys: z.boolean().optional().describe("Whether to revoke all API keys of the account too"),
});
const RecoveryKey = z.object({
  name: z.string(),
  scope: z.enum(scopeNames),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe("Updated at most once a minute"),
});
export type RecoveryKey = z.infer<typeof RecoveryKey>;
export const Recovery = z.object({
  keys: z.array(RecoveryKey).describe("Valid API keys of the account; a new password doesn't revoke them"),
});
export const AccountDeletion = z.object({ password: z.string("Password is missing.").min(1).max(1000) });

/** Empty fields fall back to the current values. */
export const AccountUpdate = z.object({
  firstname: z.union([z.literal(""), personName("First name")]).optional(),
  surname: z.union([z.literal(""), personName("Second name")]).optional(),
});

const wantedState = z.union([z.boolean(), z.literal(0), z.literal(1)]).transform(Boolean);
export const NotificationSettings = z.object({
  telegramNotifications: wantedState.optional(),
  emailNotifications: wantedState.optional(),
  combineAlerts: wantedState
    .optional()
    .describe("Whether pages that change in the same way share one alert instead of sending one each"),
});

export const Outcome = z.object({ code: z.string(), message: z.string() });
export const LoginReply = Outcome.extend({ token: z.string() });

export const Me = z.object({
  id: z.uuid(),
  email: z.string(),
  firstname: z.string(),
  surname: z.string(),
  plan: z.string().describe("Name of the plan"),
  planId: z.string(),
  photo: z.string().nullable().describe("Path of the photo; it changes when the photo changes"),
  createdAt: z.iso.datetime(),
  // The specification fixes the names `Login` and `UserBotToken` (docs/decisions/0019).
  Login: z.array(z.object({ email: z.string() })),
  UserBotToken: z.array(
    z.object({
      telegramPrivateToken: z.string(),
      telegramNotificationEnabled: z
        .union([z.literal(0), z.literal(1)])
        .describe("0 = enabled, 1 = disabled"),
    }),
  ),
  notifications: z.object({
    telegram: z.boolean(),
    email: z.boolean(),
    combine: z.boolean().describe("Whether pages that change in the same way share one alert"),
  }),
});
export type Me = z.infer<typeof Me>;

/** A token that travels in a link: 256 random bits, base64url. */
export const LinkToken = z.object({ token: z.string().min(1).max(200) });

export const MailSummary = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  date: z.iso.datetime(),
});
export const Mail = MailSummary.extend({ from: z.string(), text: z.string(), html: z.string() });

export const Site = z.object({
  jurisdiction: z.string(),
  supportEmail: z.string(),
  demo: z.boolean(),
  mailbox: z.boolean().describe("Whether /mailbox shows the emails that are stored locally"),
  adList: z.boolean().describe("Whether the operator supplies a list of ads that jobs can leave out"),
  about: z.object({
    portrait: z.boolean().describe("Whether /api/site/portrait returns a picture"),
    codeUrl: z.string().nullable(),
    networkUrl: z.string().nullable(),
  }),
});
