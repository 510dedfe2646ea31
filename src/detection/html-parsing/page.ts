import type { Hidden, Zone } from "../boilerplate/zones.ts";
import type { Snapshot, TextBlock } from "../snapshot/snapshot.ts";
import type { HtmlNode } from "./parse-html.ts";

/** A page as detection sees it: what a reader reads and what a browser would run or follow. */
export type Page = {
  title: string;
  base: string;
  blocks: Block[];
  links: Link[];
  forms: Form[];
  scripts: Script[];
  frames: Frame[];
  /** URLs of style sheets. */
  styles: string[];
  /** Code in on… attributes, javascript: URLs and the srcdoc of frames. */
  handlers: string[];
  metas: { name: string; content: string }[];
  signs: Sign[];
  refreshes: string[];
  /** Where browsers without scripts are redirected. */
  scriptlessRefreshes: string[];
  /** Time of the response according to the server, in milliseconds; null if it doesn't say. */
  now: number | null;
  /** What a browser loaded for the page; null if no browser did. */
  loaded: { scripts: Snapshot["scripts"]; hosts: string[] } | null;
  nodes: HtmlNode[];
  /** Whether a browser recorded which elements are visible. */
  isRendered: boolean;
};

export type Spot = {
  area: string;
  zone: Zone;
  hidden: Hidden;
  place: string;
  /** Index of the node that opened the zone or hid the part, -1 if none did. */
  root: number;
};
/** `links`: the share of its text that is in links. `key`: the text with noise of known shape masked. */
export type Block = Spot & {
  /** Not shown, according to a browser. */
  unseen: boolean;
  role: TextBlock["role"];
  /** Index of its first text node; the number of the page's nodes for text that only the live page showed. */
  node: number;
  /** Indexes of its text nodes; none for text that only the live page showed. */
  pieces: number[];
  text: string;
  key: string;
  links: number;
  /** The boilerplate landmark or the zone that contains it; "" in the main content. */
  part: string;
  /** In a navigation menu of links or buttons and their descriptions. */
  inMenu: boolean;
  /**
   * Under no landmark, and outside the content that the page marks: by a main element or, enough for links only, by
   * articles. `model`: the page marks none, and the fitted model takes the block for boilerplate.
   */
  beside: "" | "main" | "articles" | "model";
};
/** `text`: its words, or what a screen reader says for it. */
export type Link = Spot & { node: number; href: string; text: string };
export type Form = Spot & { action: string; method: string; inputs: { name: string; type: string }[] };
/** `code` is "" for a script with a source; `type` is "" for a classic or module script, which a browser runs. */
export type Script = { src: string | null; code: string; type: string };
type Frame = Spot & { tag: string; src: string };
/**
 * Information other than visible words: a control's state or value, a label that is read aloud, data for machines.
 * `of`: the thing that the data describes.
 */
export type Sign = Spot & {
  what: "state" | "value" | "label" | "data";
  name: string;
  value: string;
  of?: string;
};
