import { describe, expect, test } from "vitest";
import { CallError } from "#web/api/call.ts";
import * as outcomes from "./outcomes.ts";

const refused = (code: string, message = "Said by the server.") => new CallError(400, code, message);
const lostConnection = new CallError(0, "NETWORK", "");

// Section 8 of the specification sets these titles and texts.
describe.each([
  [
    "login",
    outcomes.loginFailure,
    ["LOGIN_FAILED", "Login Failed"],
    "Error",
    "An error occurred while logging in. Please try again later.",
    "Something went wrong while logging in. Please try again later.",
  ],
  [
    "registration",
    outcomes.registerFailure,
    ["REGISTER_FAILED", "Registration failed"],
    "Unknown error",
    "An error occurred while registering your account. Please try again later.",
    "An error occurred while registering your account. Please try again later.",
  ],
  [
    "recovery",
    outcomes.recoverFailure,
    ["RECOVER_LINK_FAILED", "Recovery Failed"],
    "Error",
    "An error occurred while sending the recovery link. Please try again later.",
    "An error occurred while sending the recovery link. Please try again later.",
  ],
  [
    "password reset",
    outcomes.resetFailure,
    ["PASSWORD_RESET_FAILED", "Login Failed"],
    "Error",
    "An error occurred while reseting your password. Please try again later.",
    "An error occurred while reseting your password. Please try again later.",
  ],
] as const)("%s", (_, failure, [code, title], otherTitle, fallbackMessage, unreachableMessage) => {
  test("its own error code shows its own title and the server's message", () => {
    expect(failure(refused(code))).toMatchObject({ title, message: "Said by the server." });
  });
  test("another error code shows the general title", () => {
    expect(failure(refused("RATE_LIMITED"))).toMatchObject({
      title: otherTitle,
      message: "Said by the server.",
    });
  });
  test("a refusal without a message shows the fallback", () => {
    expect(failure(refused("INTERNAL", ""))).toMatchObject({ title: otherTitle, message: fallbackMessage });
  });
  test("a lost connection and an unexpected error show their own message", () => {
    expect(failure(lostConnection)).toMatchObject({ title: otherTitle, message: unreachableMessage });
    expect(failure(new Error("boom"))).toMatchObject({ title: otherTitle, message: unreachableMessage });
  });
});

test.each([
  [outcomes.recoverSuccess, "Recovery Link Sent", "Please check your mail inbox"],
  [outcomes.activationSuccess, "Account Activated", "Your account has been successfully activated."],
  [outcomes.resetSuccess, "Password Updated", "Your password has been updated."],
])(
  "a success shows the server's message or the default one, and leads to /login",
  (success, title, fallback) => {
    expect(success({ code: "OK", message: "Done." })).toEqual({
      title,
      message: "Done.",
      redirect: "/login",
    });
    expect(success({ code: "OK", message: "" })).toEqual({ title, message: fallback, redirect: "/login" });
  },
);

test("a failed activation shows the specification's sentence, then the server's, and leads to /login", () => {
  const sentence = "An error occurred while activating your account. Please try again later.";
  const title = "Activation Failed";
  expect(outcomes.activationFailure(refused("ACTIVATION_FAILED"))).toEqual({
    title,
    message: `${sentence} Said by the server.`,
    redirect: "/login",
  });
  expect(outcomes.activationFailure(lostConnection)).toEqual({
    title,
    message: sentence,
    redirect: "/login",
  });
});

test("a recovery link that does not work leads to a new one; another failure stays on the page", () => {
  expect(outcomes.resetFailure(refused("PASSWORD_RESET_FAILED")).redirect).toBe("/recover");
  expect(outcomes.resetFailure(lostConnection).redirect).toBeUndefined();
});
