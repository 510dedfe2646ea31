import type { HtmlNode } from "./parse-html.ts";

/** Whether a build or a request generated this name, so that it can't identify a location. */
function isGenerated(name: string): boolean {
  if (name.length > 40) return true;
  if (/\d{3,}|\d[a-z]+\d|[a-z]\d[a-z]/i.test(name)) return true;
  return (
    /^(css|sc|jsx|jss|svelte|emotion|ng|_)-?[a-z0-9]{4,}$/i.test(name) || /[a-z][A-Z][a-z]?[A-Z]/.test(name)
  );
}

/** One step of a location: the tag with its most specific stable name. */
function stepOf(node: HtmlNode): string {
  const id = node.attributes.id;
  if (id && /^[\w-]+$/.test(id) && !isGenerated(id)) return `${node.tag}#${id}`;
  const role = node.attributes.role;
  const classes = (node.attributes.class ?? "").split(/\s+/).filter((name) => name && !isGenerated(name));
  const first = classes.toSorted()[0];
  if (first) return `${node.tag}.${first.slice(0, 40)}`;
  return role ? `${node.tag}[${role}]` : node.tag;
}

/** Locations of nodes, made of the names of their nearest ancestors; they don't change if the page grows elsewhere. */
export class Places {
  readonly #nodes: HtmlNode[];
  readonly #steps: string[] = [];

  constructor(nodes: HtmlNode[]) {
    this.#nodes = nodes;
  }

  of(index: number): string {
    const steps: string[] = [];
    for (let at = index; at >= 0 && steps.length < 6; ) {
      const node = this.#nodes[at];
      if (!node || node.tag === "body" || node.tag === "html") break;
      const step = (this.#steps[at] ??= stepOf(node));
      steps.push(step);
      if (step.includes("#")) break;
      at = node.parent;
    }
    return steps.reverse().join(">");
  }
}
