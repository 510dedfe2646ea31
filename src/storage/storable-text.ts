import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PrimitiveValueListNode,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
  type ValueNode,
} from "kysely";

// Inside JSON both are escapes. JSON.stringify writes whole pairs of surrogates as they are: one that is escaped is alone.
const inJson = /(?<=(?<!\\)(?:\\\\)*)\\u(?:(0000)|d[89a-f][\da-f]{2})/gi;

/** A value as PostgreSQL takes it: its text knows no NUL and no half of a surrogate pair. They become visible marks. */
export function storable(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.includes("\0") ? value.replaceAll("\0", "␀") : value;
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!/^[[{"]/.test(whole) || !/\\u(?:0000|d)/i.test(whole)) return whole;
  return whole.replace(inJson, (_, nul: string | undefined) => (nul ? "␀" : "\ufffd"));
}

/** The one door to the database: pages hold any bytes, and what is said of them quotes the pages. */
export class StorableText extends OperationNodeTransformer implements KyselyPlugin {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storable(node.value) };
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(storable) };
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}
