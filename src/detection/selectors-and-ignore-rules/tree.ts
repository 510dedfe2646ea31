import type { HtmlNode } from "../html-parsing/parse-html.ts";
import { buildDom } from "./dom.ts";
import type { Budget } from "./rule-budget.ts";
import { treeAdapter } from "./tree-adapter.ts";

// Nanoseconds that one step of css-select takes.
const stepPrice = 30;

/** A page's nodes and the adapters by which selectors walk them, each created once, on first use. */
export class Tree {
  readonly nodes: HtmlNode[];
  /** The budget that walking the tree is charged to. */
  readonly budget: Budget;
  #css: ReturnType<typeof treeAdapter> | undefined;
  #dom: ReturnType<typeof buildDom> | undefined;

  constructor(nodes: HtmlNode[], budget: Budget) {
    this.nodes = nodes;
    this.budget = budget;
  }

  get css(): ReturnType<typeof treeAdapter> {
    this.#css ??= treeAdapter(this.nodes, (steps) => this.budget.spend(steps * stepPrice));
    return this.#css;
  }

  get dom(): ReturnType<typeof buildDom> {
    this.#dom ??= buildDom(this.nodes);
    return this.#dom;
  }
}
