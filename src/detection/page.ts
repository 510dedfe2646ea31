import type { HtmlNode } from "./html/parse-html.ts";
import type { Hidden, Zone } from "./html/zones.ts";
import type { Snapshot, TextBlock } from "./snapshot.ts";

/** A page as detection sees it: what a reader reads and what a browser would run or follow. */
export type Page = {
  title: string;
  base: string;
  blocks: Block[];
  links: Link[];
  forms: Form[];
  scripts: Script[];
  frames: Frame[];
  /** Addresses of style sheets. */
  styles: string[];
  /** Code in on… attributes, javascript: addresses and frames written in place. */
  handlers: string[];
  metas: { name: string; content: string }[];
  signs: Sign[];
  refreshes: string[];
  /** Where a browser without scripts is sent. */
  scriptlessRefreshes: string[];
  /** When the server says it answered; null where it does not. */
  now: number | null;
  /** What a browser fetched for it; null where none did. */
  loaded: { scripts: Snapshot["scripts"]; hosts: string[] } | null;
  nodes: HtmlNode[];
  /** Whether a browser said what of it is in sight. */
  isRendered: boolean;
};

export type Spot = {
  area: string;
  zone: Zone;
  hidden: Hidden;
  place: string;
  /** Node that opened the zone or hid the part, -1 where nothing did. */
  root: number;
};
/** `links`: the share of its text that is a link; `masked`: the text with noise of known shape taken out. */
export type Block = Spot & {
  /** Not shown, as far as a browser saw to it. */
  unseen: boolean;
  role: TextBlock["role"];
  /** Its first text node; the page's length for what only the live page showed. */
  node: number;
  /** The text nodes that it is made of; none for what only the live page showed. */
  pieces: number[];
  text: string;
  key: string;
  links: number;
  search: boolean;
  /** The landmark around the content, or the zone, that it stands in; "" in the content. */
  part: string;
  /** In a navigation of links or buttons and what describes them. */
  inMenu: boolean;
  /** Under no landmark, while the page says where its content is: surely by a main, for links also by articles. */
  beside: "" | "main" | "articles";
};
/** `text`: its words, or what a screen reader says of it. */
export type Link = Spot & { node: number; href: string; text: string };
export type Form = Spot & { action: string; method: string; inputs: { name: string; type: string }[] };
/** `code` is "" for a script with a source; `type` is "" for what a browser runs as classic or module script. */
export type Script = { src: string | null; code: string; type: string };
type Frame = Spot & { tag: string; src: string };
/**
 * What is said otherwise than by words: a control's state or value, a label that is read aloud, data for machines.
 * `of`: the thing that data speaks of.
 */
export type Sign = Spot & {
  what: "state" | "value" | "label" | "data";
  name: string;
  value: string;
  of?: string;
};
