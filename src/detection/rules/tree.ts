import type { HtmlNode } from "../html/parse-html.ts";
import { treeAdapter } from "../html/tree-adapter.ts";
import { domOf } from "./dom.ts";

/** A page's nodes, and the ways that selectors walk them, each made once and only when asked for. */
export class Tree {
  readonly nodes: HtmlNode[];
  #css: ReturnType<typeof treeAdapter> | undefined;
  #dom: ReturnType<typeof domOf> | undefined;

  constructor(nodes: HtmlNode[]) {
    this.nodes = nodes;
  }

  get css(): ReturnType<typeof treeAdapter> {
    this.#css ??= treeAdapter(this.nodes);
    return this.#css;
  }

  get dom(): ReturnType<typeof domOf> {
    this.#dom ??= domOf(this.nodes);
    return this.#dom;
  }
}
