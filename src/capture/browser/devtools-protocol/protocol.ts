import type { Protocol } from "devtools-protocol";
import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping.js";

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

export type { Protocol };

export type Method = keyof Commands;

export type Params<M extends Method> = Commands[M]["paramsType"];

/** Fields that the protocol's JSON carries as base64 but our pipe as bytes. */
type BinaryAnswers = {
  "Page.captureScreenshot": { data: Buffer };
  "Network.streamResourceContent": { bufferedData: Buffer };
};
type DataReceived = Omit<Protocol.Network.DataReceivedEvent, "data"> & { data?: Buffer };

export type Answer<M extends Method> = M extends keyof BinaryAnswers
  ? BinaryAnswers[M]
  : Commands[M]["returnType"];

type ScreencastFrame = Omit<Protocol.Page.ScreencastFrameEvent, "data"> & { data: Buffer };

export type EventParams<E extends keyof Events> = E extends "Network.dataReceived"
  ? DataReceived
  : E extends "Page.screencastFrame"
    ? ScreencastFrame
    : Events[E][0];

/** Events from the browser; "gone" is our own, for a browser whose pipe has failed. */
export type CdpEvent =
  | { [E in keyof Events]: { method: E; params: EventParams<E> } }[keyof Events]
  | { method: "gone" };
