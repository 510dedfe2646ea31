import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Config } from "./config.ts";

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Of "localhost:3000" or "[::1]:3000" the name. */
const nameOf = (host: string) => host.replace(/:\d*$/, "").replace(/^\[|\]$/g, "");

export function isLoopback(url: string): boolean {
  return loopbackName.test(nameOf(new URL(url).host));
}

/** Whether a person at this machine asks us themselves: by a name of loopback, and nobody in between. */
export function isLocalCall({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const isPassedOn = Object.keys(headers).some((name) =>
    /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name),
  );
  return !isPassedOn && loopbackName.test(nameOf(headers.host ?? ""));
}

/**
 * Whether a call was meant for us. A page elsewhere whose name is made to lead here (rebinding) calls us by that name;
 * numbers and localhost cannot be made to lead anywhere else.
 */
export function isOurName(
  { host }: Pick<FastifyRequest, "host">,
  { baseUrl }: Pick<Config, "baseUrl">,
): boolean {
  const name = nameOf(host).toLowerCase().replace(/\.$/, "");
  return (
    name === "" || name === nameOf(new URL(baseUrl).host) || loopbackName.test(name) || ipaddr.isValid(name)
  );
}
