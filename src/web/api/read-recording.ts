import { call } from "./call.ts";

/** Reads a recording of steps; nothing is stored. */
export const readRecording = (recording: string) =>
  call("POST /api/page-steps/read", { body: { recording } });
