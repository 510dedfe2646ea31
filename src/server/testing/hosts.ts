import { spawnSync } from "node:child_process";

export type Host = { address: string; command: (program: string, args: string[]) => [string, string[]] };

/**
 * Opens one host per name, each with its own address and loopback (network namespaces on one bridge). Where the machine
 * doesn't allow that, every host is this machine.
 */
export function openHosts(names: string[]): {
  own: string;
  hosts: Record<string, Host>;
  areIsolated: boolean;
  close(): void;
} {
  // A killed run leaves its bridge behind, and two bridges with the same network don't work, so used ones are skipped.
  const usedAddresses = spawnSync("ip", ["-4", "addr"], { encoding: "utf8" }).stdout ?? "";
  const networkOf = (number: number) => `10.${100 + (number % 100)}.${number % 250}`;
  let number = process.pid;
  while (usedAddresses.includes(` ${networkOf(number)}.1/`)) number += 1;
  const prefix = `wg${number % 10_000}`;
  const network = networkOf(number);
  const ip = (...args: string[]) => spawnSync("ip", args).status === 0;
  const close = () => {
    for (const i of names.keys()) ip("netns", "del", `${prefix}-${i}`);
    ip("link", "del", prefix);
  };
  const ipInside = (i: number, ...args: string[]) => ip("-n", `${prefix}-${i}`, ...args);
  const areIsolated =
    process.platform === "linux" &&
    ip("link", "add", prefix, "type", "bridge") &&
    ip("addr", "add", `${network}.1/24`, "dev", prefix) &&
    ip("link", "set", prefix, "up") &&
    names.every(
      (_, i) =>
        ip("netns", "add", `${prefix}-${i}`) &&
        ip(
          "link",
          "add",
          `${prefix}v${i}`,
          "type",
          "veth",
          "peer",
          "name",
          "eth0",
          "netns",
          `${prefix}-${i}`,
        ) &&
        ip("link", "set", `${prefix}v${i}`, "master", prefix, "up") &&
        ipInside(i, "addr", "add", `${network}.${i + 2}/24`, "dev", "eth0") &&
        ipInside(i, "link", "set", "eth0", "up") &&
        ipInside(i, "link", "set", "lo", "up"),
    );
  if (!areIsolated) close();
  const host = (i: number): Host =>
    areIsolated
      ? {
          address: `${network}.${i + 2}`,
          command: (program, args) => ["ip", ["netns", "exec", `${prefix}-${i}`, program, ...args]],
        }
      : { address: "127.0.0.1", command: (program, args) => [program, args] };
  return {
    own: areIsolated ? `${network}.1` : "127.0.0.1",
    hosts: Object.fromEntries(names.map((name, i) => [name, host(i)])),
    areIsolated,
    close: () => {
      if (areIsolated) close();
    },
  };
}
