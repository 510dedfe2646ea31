import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How the browser is contained: own namespaces, another user, or only its flags (and its own sandbox). */
export type Protection = { namespaces: boolean; uid: number | undefined; parentDeath: boolean };

// No account has this user id, so nothing on the machine belongs to it.
const browserUid = 61_710;

/** The port that a browser's first server listens on, inside its namespace. */
export const firstPort = 4_001;

/** Finds the strongest protection that works on this system. */
export function findProtection(): Protection {
  if (process.platform !== "linux" || !works("setpriv", ["--pdeathsig", "KILL", "true"])) {
    if (process.getuid?.() === 0)
      throw new Error("The browser never runs as root: install setpriv (util-linux).");
    return { namespaces: false, uid: undefined, parentDeath: false };
  }
  const uid = process.getuid?.() === 0 ? browserUid : undefined;
  const isolated = { namespaces: true, uid, parentDeath: true };
  const [command = "", ...args] = confine(isolated, ["true"], 0);
  return works(command, args) ? isolated : { ...isolated, namespaces: false };
}

export function describeProtection(protection: Protection, sandbox: boolean): string {
  const own = sandbox ? "Chromium's sandbox" : "WITHOUT Chromium's sandbox";
  const user = protection.uid === undefined ? "this process's user" : `user ${protection.uid}`;
  return protection.namespaces
    ? `Browser: own network and process namespaces, ${user}, ${own}; the gateway is its only way out.`
    : `Browser: ${user}, ${own}, proxy flags; no namespaces of its own on this system.`;
}

/** The command line that runs `command` under `protection` and hands over `ports` listening ports by Node's IPC. */
export function confine(protection: Protection, command: string[], ports: number): string[] {
  if (!protection.parentDeath) return [...nice, ...command];
  const drop =
    protection.uid === undefined
      ? []
      : [`--reuid=${protection.uid}`, `--regid=${protection.uid}`, "--clear-groups", "--bounding-set=-all"];
  // Set a second time after the user has changed, because that clears it.
  const dieWithParent = ["--pdeathsig", "KILL"];
  const noCapabilities = ["--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"];
  const unprivileged = ["setpriv", ...drop, ...noCapabilities, ...dieWithParent];
  if (!protection.namespaces) return [...nice, ...unprivileged, "--", ...command];
  const asUser = protection.uid === undefined ? ["--user", "--map-current-user", "--keep-caps"] : [];
  const bind = ports === 0 ? [] : [process.execPath, bindListeners, String(firstPort), String(ports)];
  // Process 1 of the namespace dies with unshare, and everything else in the namespace dies with process 1.
  const isolation = ["--net", "--ipc", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  const start = ["sh", "-c", script, "sh", String(bind.length), ...bind, ...unprivileged, "--", ...command];
  return [...nice, "setpriv", ...dieWithParent, "--", "unshare", ...asUser, ...isolation, "--", ...start];
}

/** The nice value of the browser: pages may use all idle CPU time, but the server goes first. */
const niceValue = 5;
const nice = ["nice", "-n", String(niceValue)];

const bindListeners = fileURLToPath(new URL("./bind-listeners.ts", import.meta.url));

// Brings loopback up (with iproute2, else perl, which every Debian has), opens the ports, closes the IPC channel (file
// descriptor 5), then starts the browser.
const script = `
set -e
ip link set lo up 2>/dev/null || perl -e 'socket(S,2,2,0) && ioctl(S,0x8914,$r=pack("a16 s x22","lo",73)) or exit 1'
n=$1; shift
if [ "$n" -gt 0 ]; then "$1" "$2" "$3" "$4"; shift 4; fi
exec 5>&-
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
exec "$@"
`;

function works(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore", timeout: 10_000 }).status === 0;
}
