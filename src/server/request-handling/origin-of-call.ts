import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Config } from "../config.ts";

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** The host name of "localhost:3000" or "[::1]:3000". */
const nameOf = (host: string) => host.replace(/:\d*$/, "").replace(/^\[|\]$/g, "");

export function isLoopback(url: string): boolean {
  return loopbackName.test(nameOf(new URL(url).host));
}

/** Whether a call comes straight from a person at this machine: to a loopback name, and not through a proxy. */
export function isLocalCall({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const isProxied = Object.keys(headers).some((name) =>
    /^(forwarded|via|x-real-ip|x-forwarded-.*)$/.test(name),
  );
  return !isProxied && loopbackName.test(nameOf(headers.host ?? ""));
}

/**
 * Whether a call was meant for us. After DNS rebinding, another site's page calls us by that site's name; IP addresses
 * and localhost can't be rebound.
 */
export function isOurHost(
  { host }: Pick<FastifyRequest, "host">,
  { baseUrl }: Pick<Config, "baseUrl">,
): boolean {
  const name = nameOf(host).toLowerCase().replace(/\.$/, "");
  return (
    name === "" || name === nameOf(new URL(baseUrl).host) || loopbackName.test(name) || ipaddr.isValid(name)
  );
}
