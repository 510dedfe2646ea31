import { spawnSync } from "node:child_process";

export type Host = { address: string; command: (program: string, args: string[]) => [string, string[]] };

/**
 * As many hosts as there are names, each with an address and a loopback of its own (network namespaces on one bridge); where
 * the machine does not allow that, all of them are this one.
 */
export function openHosts(names: string[]): {
  own: string;
  hosts: Record<string, Host>;
  areApart: boolean;
  close(): void;
} {
  // A run that was killed leaves its bridge behind, and of two with one network neither leads anywhere.
  const taken = spawnSync("ip", ["-4", "addr"], { encoding: "utf8" }).stdout ?? "";
  const netOf = (number: number) => `10.${100 + (number % 100)}.${number % 250}`;
  let number = process.pid;
  while (taken.includes(` ${netOf(number)}.1/`)) number += 1;
  const mark = `wg${number % 10_000}`;
  const net = netOf(number);
  const ip = (...args: string[]) => spawnSync("ip", args).status === 0;
  const close = () => {
    for (const i of names.keys()) ip("netns", "del", `${mark}-${i}`);
    ip("link", "del", mark);
  };
  const inside = (i: number, ...args: string[]) => ip("-n", `${mark}-${i}`, ...args);
  const areApart =
    process.platform === "linux" &&
    ip("link", "add", mark, "type", "bridge") &&
    ip("addr", "add", `${net}.1/24`, "dev", mark) &&
    ip("link", "set", mark, "up") &&
    names.every(
      (_, i) =>
        ip("netns", "add", `${mark}-${i}`) &&
        ip("link", "add", `${mark}v${i}`, "type", "veth", "peer", "name", "eth0", "netns", `${mark}-${i}`) &&
        ip("link", "set", `${mark}v${i}`, "master", mark, "up") &&
        inside(i, "addr", "add", `${net}.${i + 2}/24`, "dev", "eth0") &&
        inside(i, "link", "set", "eth0", "up") &&
        inside(i, "link", "set", "lo", "up"),
    );
  if (!areApart) close();
  const host = (i: number): Host =>
    areApart
      ? {
          address: `${net}.${i + 2}`,
          command: (program, args) => ["ip", ["netns", "exec", `${mark}-${i}`, program, ...args]],
        }
      : { address: "127.0.0.1", command: (program, args) => [program, args] };
  return {
    own: areApart ? `${net}.1` : "127.0.0.1",
    hosts: Object.fromEntries(names.map((name, i) => [name, host(i)])),
    areApart,
    close: () => {
      if (areApart) close();
    },
  };
}
