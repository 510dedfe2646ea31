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

// In JSON both are escapes. JSON.stringify writes complete surrogate pairs as they are, so an escaped one is alone.
// An escaped backslash is matched first, because the letters after it are no escape; it stays as it is.
const inJson = /\\(?:\\|u(?:(0000)|d[89a-f][\da-f]{2}))/gi;

/** PostgreSQL text can't contain NUL or half a surrogate pair; they are replaced by visible characters. */
export function storable(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.includes("\0") ? value.replaceAll("\0", "␀") : value;
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (!/^[[{"]/.test(whole) || !/\\u(?:0000|d)/i.test(whole)) return whole;
  return whole.replace(inJson, (escape, nul?: string) => {
    if (escape === "\\\\") return escape;
    return nul ? "␀" : "\ufffd";
  });
}

/** Makes the values of every query storable: pages contain any bytes, and texts about pages quote them. */
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
