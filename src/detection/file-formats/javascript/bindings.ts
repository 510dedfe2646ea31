import type { AnyNode, Program } from "acorn";

/** Source offset of each bound name, and its new name: the depth of its scope and its order of use in that scope. */
export type Bindings = Map<number, string>;

type Scope = { names: Map<string, string | null>; used: number; depth: number; outer: Scope | null };
type Node = AnyNode & Record<string, unknown>;

/**
 * Renames every identifier that a script itself declares by its order among its function's names, so that code
 * that was only minified again reads the same. Globals and properties keep their names: they refer to other things.
 */
export function findBindings(program: Program): Bindings {
  const bindings: Bindings = new Map();
  visit(program as Node, openScope(program as Node, null), bindings);
  return bindings;
}

/** Opens a scope with everything that a function (or the whole script) declares, including in its blocks. */
function openScope(node: Node, outer: Scope | null): Scope {
  const scope: Scope = { names: new Map(), used: 0, depth: outer ? outer.depth + 1 : 0, outer };
  // Top-level names of a classic script are global: other scripts may use them.
  const declares = outer !== null || (node as { sourceType?: string }).sourceType === "module";
  const collect = (child: Node): void => {
    if (isFunction(child) || child.type === "ClassDeclaration") {
      const id = child["id"] as Node | null;
      if (id && child.type !== "FunctionExpression" && declares) declareNames(id, scope);
      if (isFunction(child)) return;
    }
    if (child.type === "VariableDeclarator" && declares) declareNames(child["id"] as Node, scope);
    if (child.type === "CatchClause" && child["param"]) declareNames(child["param"] as Node, scope);
    if (child.type.startsWith("Import") && child.type.endsWith("Specifier"))
      declareNames(child["local"] as Node, scope);
    for (const next of childrenOf(child)) collect(next);
  };
  if (isFunction(node)) {
    for (const parameter of node["params"] as Node[]) declareNames(parameter, scope);
    if (node.type === "FunctionExpression" && node["id"]) declareNames(node["id"] as Node, scope);
    for (const parameter of node["params"] as Node[]) collect(parameter);
    collect(node["body"] as Node);
  } else for (const child of childrenOf(node)) collect(child);
  return scope;
}

const isFunction = ({ type }: Node): boolean =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);

function declareNames(pattern: Node, scope: Scope): void {
  if (pattern.type === "Identifier") scope.names.set(pattern.name, null);
  else if (pattern.type === "ObjectPattern") {
    for (const property of pattern.properties as Node[]) {
      declareNames(
        (property.type === "RestElement" ? property["argument"] : property["value"]) as Node,
        scope,
      );
    }
  } else if (pattern.type === "ArrayPattern") {
    for (const element of pattern.elements as (Node | null)[]) if (element) declareNames(element, scope);
  } else if (pattern.type === "RestElement") declareNames(pattern.argument as Node, scope);
  else if (pattern.type === "AssignmentPattern") declareNames(pattern.left as Node, scope);
}

function visit(node: Node, scope: Scope, bindings: Bindings): void {
  if (node.type === "Identifier") {
    const name = resolveName(node.name, scope);
    if (name !== null) bindings.set(node.start, name);
    return;
  }
  for (const [key, child] of entriesOf(node)) {
    if (isName(node, key)) continue;
    // A shorthand property is key and variable in one: to rename the variable, both would have to be written out.
    if (node.type === "Property" && node.shorthand) continue;
    visit(child, isFunction(child) ? openScope(child, scope) : scope, bindings);
  }
}

function resolveName(name: string, scope: Scope): string | null {
  for (let at: Scope | null = scope; at; at = at.outer) {
    const assigned = at.names.get(name);
    if (assigned === undefined) continue;
    if (assigned !== null) return assigned;
    const newName = `$${at.depth}_${at.used++}`;
    at.names.set(name, newName);
    return newName;
  }
  return null;
}

/** Whether a child only names a property, a label or an export, which a minifier can't rename on its own. */
function isName(node: Node, key: string): boolean {
  if (node.type === "MemberExpression") return key === "property" && !node.computed;
  if (/^(?:Property|MethodDefinition|PropertyDefinition)$/.test(node.type))
    return key === "key" && !node["computed"];
  if (/^(?:Labeled|Break|Continue)Statement$/.test(node.type)) return key === "label";
  return key === "imported" || key === "exported" || node.type === "MetaProperty";
}

function* entriesOf(node: Node): Generator<[string, Node]> {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value as (Node | null)[])
        if (item && typeof item.type === "string") yield [key, item];
    } else if (typeof (value as Node).type === "string") yield [key, value as Node];
  }
}

function* childrenOf(node: Node): Generator<Node> {
  for (const [, child] of entriesOf(node)) yield child;
}
