import { CallError } from "#web/api/call.ts";
import type { Message } from "#web/ui/message-box.tsx";

type Answer = { code: string; message: string };

const codeOf = (error: unknown) => (error instanceof CallError ? error.code : "");
const messageOf = (error: unknown) => (error instanceof CallError ? error.message : "");

export function loginFailure(error: unknown): Message {
  const hasReply = error instanceof CallError && error.code !== "NETWORK";
  return {
    title: codeOf(error) === "LOGIN_FAILED" ? "Login Failed" : "Error",
    message: hasReply
      ? messageOf(error) || "An error occurred while logging in. Please try again later."
      : "Something went wrong while logging in. Please try again later.",
  };
}

export function registerFailure(error: unknown): Message {
  return {
    title: codeOf(error) === "REGISTER_FAILED" ? "Registration failed" : "Unknown error",
    message: messageOf(error) || "An error occurred while registering your account. Please try again later.",
  };
}

export function recoverSuccess(answer: Answer): Message {
  return {
    title: "Recovery Link Sent",
    message: answer.message || "Please check your mail inbox",
    redirect: "/login",
  };
}

export function recoverFailure(error: unknown): Message {
  return {
    title: codeOf(error) === "RECOVER_LINK_FAILED" ? "Recovery Failed" : "Error",
    message: messageOf(error) || "An error occurred while sending the recovery link. Please try again later.",
  };
}

export function resetSuccess(answer: Answer): Message {
  return {
    title: "Password Updated",
    message: answer.message || "Your password has been updated.",
    redirect: "/login",
  };
}

export function resetFailure(error: unknown): Message {
  const isTokenRejected = codeOf(error) === "PASSWORD_RESET_FAILED";
  return {
    title: isTokenRejected ? "Login Failed" : "Error",
    ...(isTokenRejected ? { redirect: "/recover" } : {}),
    // The misspelling comes from the specification.
    message: messageOf(error) || "An error occurred while reseting your password. Please try again later.",
  };
}

export function activationSuccess(answer: Answer): Message {
  return {
    title: "Account Activated",
    message: answer.message || "Your account has been successfully activated.",
    redirect: "/login",
  };
}

export function activationFailure(error: unknown): Message {
  return {
    title: "Activation Failed",
    // The specification's text, followed by the server's message if there is one.
    message: ["An error occurred while activating your account. Please try again later.", messageOf(error)]
      .filter(Boolean)
      .join(" "),
    redirect: "/login",
  };
}
