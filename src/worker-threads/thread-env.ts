/**
 * The environment of a worker thread. It holds no secret of the server, only the folder of compiled code: without that
 * folder a thread compiles every module again, which takes three times as long as the rest of its start.
 */
export function threadEnv(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
}
