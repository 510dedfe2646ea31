import type { Vocabulary } from "../vocabulary.ts";

/** Korean. */
export const ko: Vocabulary = {
  countedUnspaced: ["개의 댓글"],
  aiInstructions: [
    "(?:이전|위의|앞선)(?:의)? ?(?:모든 )?(?:지시|명령|프롬프트|규칙)(?:사항)?(?:을|를|은|는)? ?(?:모두 )?(?:무시|잊)",
    "(?:당신이|귀하가|너가|네가) (?:ai|llm|인공지능|언어 ?모델|챗봇)(?:이라면|라면|인 경우)",
  ],
  versions: ["버전"],
};
