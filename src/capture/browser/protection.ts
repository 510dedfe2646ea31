import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How the browser is held: its own namespaces, another user, or by its flags (and its own sandbox) alone. */
export type Protection = { namespaces: boolean; uid: number | undefined; parentDeath: boolean };

// No account has this number, so nothing on the host belongs to it.
const browserUid = 61_710;

/** The port that a browser's first server listens on, inside its namespace. */
export const firstPort = 4_001;

/** Tries what this system allows; the strongest that works is used. */
export function findProtection(): Protection {
  if (process.platform !== "linux" || !works("setpriv", ["--pdeathsig", "KILL", "true"])) {
    if (process.getuid?.() === 0)
      throw new Error("The browser never runs as root: install setpriv (util-linux).");
    return { namespaces: false, uid: undefined, parentDeath: false };
  }
  const uid = process.getuid?.() === 0 ? browserUid : undefined;
  const alone = { namespaces: true, uid, parentDeath: true };
  const [command = "", ...args] = confine(alone, ["true"], 0);
  return works(command, args) ? alone : { ...alone, namespaces: false };
}

export function describeProtection(protection: Protection, sandbox: boolean): string {
  const own = sandbox ? "Chromium's sandbox" : "WITHOUT Chromium's sandbox";
  const user = protection.uid === undefined ? "this process's user" : `user ${protection.uid}`;
  return protection.namespaces
    ? `Browser: own network and process namespaces, ${user}, ${own}; the gateway is its only way out.`
    : `Browser: ${user}, ${own}, proxy flags; no namespaces of its own on this system.`;
}

/** The command line that runs `command` held as `protection` says, with `ports` ports handed out over Node's IPC. */
export function confine(protection: Protection, command: string[], ports: number): string[] {
  if (!protection.parentDeath) return [...later, ...command];
  const drop =
    protection.uid === undefined
      ? []
      : [`--reuid=${protection.uid}`, `--regid=${protection.uid}`, "--clear-groups", "--bounding-set=-all"];
  // Set again after the user has changed, which clears it.
  const tied = ["--pdeathsig", "KILL"];
  const bare = ["--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs"];
  const unprivileged = ["setpriv", ...drop, ...bare, ...tied];
  if (!protection.namespaces) return [...later, ...unprivileged, "--", ...command];
  const asUser = protection.uid === undefined ? ["--user", "--map-current-user", "--keep-caps"] : [];
  const bind = ports === 0 ? [] : [process.execPath, bindListeners, String(firstPort), String(ports)];
  // Process 1 of the namespace dies with unshare, and everything else in there with process 1.
  const alone = ["--net", "--ipc", "--pid", "--fork", "--kill-child=KILL", "--mount-proc"];
  const start = ["sh", "-c", inside, "sh", String(bind.length), ...bind, ...unprivileged, "--", ...command];
  return [...later, "setpriv", ...tied, "--", "unshare", ...asUser, ...alone, "--", ...start];
}

/** Pages may take all there is, but after the server: how far behind it the browser stands. */
const behind = 5;
const later = ["nice", "-n", String(behind)];

const bindListeners = fileURLToPath(new URL("./bind-listeners.ts", import.meta.url));

// Loopback up (iproute2, else perl, which every Debian has), ports opened, IPC (5) closed, then the browser.
const inside = `
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
