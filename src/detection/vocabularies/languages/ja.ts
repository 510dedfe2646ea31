import type { Vocabulary } from "../vocabulary.ts";

/** Japanese. */
export const ja: Vocabulary = {
  countedUnspaced: ["件のコメント", "回視聴", "いいね"],
  aiInstructions: [
    "(?:これまで|以前|上記|前述|今まで)の(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて|全て)?(?:無視|忘れ)",
    "あなたが(?:ai|llm|人工知能|言語モデル|チャットボット)(?:である|の|なら)",
    "ユーザーに(?:は)?(?:知らせ|伝え|言わ)(?:ない|ず)",
  ],
  versions: ["バージョン"],
};
