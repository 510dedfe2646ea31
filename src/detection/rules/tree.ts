import type { HtmlNode } from "../html/parse-html.ts";
import { treeAdapter } from "../html/tree-adapter.ts";
import type { Budget } from "../rule-budget.ts";
import { domOf } from "./dom.ts";

// What one step of css-select takes, in nanoseconds.
const stepPrice = 30;

/** A page's nodes, and the ways that selectors walk them, each made once and only when asked for. */
export class Tree {
  readonly nodes: HtmlNode[];
  /** What those who walk it may spend. */
  readonly budget: Budget;
  #css: ReturnType<typeof treeAdapter> | undefined;
  #dom: ReturnType<typeof domOf> | undefined;

  constructor(nodes: HtmlNode[], budget: Budget) {
    this.nodes = nodes;
    this.budget = budget;
  }

  get css(): ReturnType<typeof treeAdapter> {
    this.#css ??= treeAdapter(this.nodes, (steps) => this.budget.spend(steps * stepPrice));
    return this.#css;
  }

  get dom(): ReturnType<typeof domOf> {
    this.#dom ??= domOf(this.nodes);
    return this.#dom;
  }
}
