import type { Vocabulary } from "../vocabulary.ts";

/** Languages of which little is known besides the locale data, by their names. */
export const otherLanguages: Record<string, Vocabulary> = {
  Arabic: {
    agoBefore: ["منذ"],
    aiInstructions: [
      "(?:تجاهل|انس|انسَ) (?:جميع |كل )?(?:التعليمات|الأوامر|القواعد) (?:السابقة|أعلاه)",
      "إذا كنت (?:نموذج لغ|ذكاء|روبوت محادثة)",
    ],
    versions: ["الإصدار"],
  },
  "Czech and Slovak": {
    agoAfter: ["zpět"],
    counted: ["komentář[eů]?", "zobrazení", "komentárov"],
    personal: ["přihlásit(?: se)?", "košík"],
    consentButtons: ["přijmout.*"],
    aiInstructions: [
      "(?<!\\p{L})(?:ignoruj|ignorujte|zapomeň|zapomeňte)(?: na)? (?:(?:všechny|své) ){0,2}(?:předchozí|předešlé|výše uvedené) (?:pokyny|instrukce|příkazy)",
      "(?<!\\p{L})pokud (?:jsi|jste) (?:umělá inteligence|jazykový model|chatbot|ai|llm)(?!\\p{L})",
    ],
    versions: ["verze"],
  },
  Danish: {
    counted: ["kommentar(?:er)?", "visninger", "læsere", "følgere"],
    personal: ["log ind"],
  },
  Greek: {
    agoBefore: ["πριν"],
    counted: ["σχόλια", "προβολές"],
    versions: ["έκδοση"],
  },
  Estonian: {
    consentTopics: ["küpsis"],
    consentButtons: ["luba kõik"],
    versions: ["versioon"],
  },
  Finnish: {
    counted: ["tykkäystä", "kommenttia", "katselukertaa"],
    personal: ["kirjaudu", "ostoskori"],
    consentTopics: ["evästee"],
    consentButtons: ["hyväksy.*"],
    versions: ["versio"],
  },
  Hungarian: {
    counted: ["hozzászólás", "megtekintés"],
    personal: ["bejelentkezés", "kosár"],
    consentButtons: ["elfogad.*"],
    versions: ["verzió"],
  },
  Indonesian: {
    counted: ["komentar", "tayangan"],
    spam: ["judi", "togel", "gacor", "situs"],
    versions: ["versi"],
  },
  Japanese: {
    countedUnspaced: ["件のコメント", "回視聴", "いいね"],
    aiInstructions: [
      "(?:これまで|以前|上記|前述|今まで)の(?:すべての|全ての)?(?:指示|命令|プロンプト|ルール)(?:を|は)(?:すべて|全て)?(?:無視|忘れ)",
      "あなたが(?:ai|llm|人工知能|言語モデル|チャットボット)(?:である|の|なら)",
      "ユーザーに(?:は)?(?:知らせ|伝え|言わ)(?:ない|ず)",
    ],
    versions: ["バージョン"],
  },
  Korean: {
    countedUnspaced: ["개의 댓글"],
    aiInstructions: [
      "(?:이전|위의|앞선)(?:의)? ?(?:모든 )?(?:지시|명령|프롬프트|규칙)(?:사항)?(?:을|를|은|는)? ?(?:모두 )?(?:무시|잊)",
      "(?:당신이|귀하가|너가|네가) (?:ai|llm|인공지능|언어 ?모델|챗봇)(?:이라면|라면|인 경우)",
    ],
    versions: ["버전"],
  },
  Norwegian: {
    counted: ["kommentar(?:er)?", "visninger", "lesere", "følgere"],
    personal: ["logg inn", "handlekurv"],
    versions: ["versjon"],
  },
  Dutch: {
    stamps: ["bijgewerkt"],
    counted: ["reacties", "weergaven", "beoordelingen", "lezers", "volgers"],
    personal: ["inloggen", "uitloggen", "winkelwagen", "mijn .{0,20}"],
    consentButtons: ["alles? (?:accepteren|weigeren)"],
    aiInstructions: [
      "\\b(?:negeer|vergeet) (?:(?:alle|de|je|uw) ){0,3}(?:vorige|voorgaande|eerdere|bovenstaande) (?:instructies|aanwijzingen|regels|opdrachten|prompts?)",
      "\\bals (?:je|jij|u) (?:een )?(?:ai|llm|kunstmatige intelligentie|taalmodel|chatbot) (?:bent|leest)",
    ],
    versions: ["versie"],
  },
  Polish: {
    counted: ["komentarz[ye]?", "wyświetle(?:nia|nie|ń)", "polubie(?:nia|nie|ń)", "opinii"],
    personal: ["zaloguj(?: się)?", "koszyk", "moje konto"],
    consentButtons: ["akceptuj.*"],
    aiInstructions: [
      "(?<!\\p{L})(?:zignoruj|ignoruj|zapomnij)(?: o)? (?:(?:wszystkie|wszystkich|swoje|twoje) ){0,2}(?:poprzednie|poprzednich|wcześniejsze|powyższe) (?:instrukcje|instrukcjach|polecenia|zasady)",
      "(?<!\\p{L})jeśli jesteś (?:sztuczną inteligencją|modelem językowym|chatbotem|ai|llm)(?!\\p{L})",
    ],
    versions: ["wersja"],
  },
  Portuguese: {
    smallAmounts: ["uma?"],
    agoAfter: ["atrás"],
    counted: ["comentários?", "visualizações", "leitores", "curtidas", "avaliações"],
    personal: ["entrar", "iniciar sessão", "criar conta", "minha conta", "carrinho"],
    consentButtons: ["aceitar(?: todos)?"],
    aiInstructions: [
      "\\b(?:ignore|ignora|esqueça|desconsidere) (?:(?:todas|as|suas) ){0,3}(?:instruções|ordens|regras) (?:anteriores|prévias|acima)",
      "\\bse (?:você é|és) (?:uma? )?(?:ia|llm|inteligência artificial|modelo de linguagem|chatbot)(?!\\p{L})",
    ],
    versions: ["versão"],
  },
  Romanian: {
    counted: ["comentarii", "vizualizări"],
    versions: ["versiunea"],
  },
  Russian: {
    counted: ["комментари(?:й|я|ев)", "просмотр(?:а|ов)?", "отзыв(?:а|ов)?", "подписчик(?:а|ов)?"],
    presentKinds: ["пользовател\\p{L}+", "гост\\p{L}+"],
    onlineTitles: ["в сети", "онлайн"],
    spam: ["казино", "ставки"],
    aiInstructions: [
      "(?<!\\p{L})(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?) (?:(?:все|всё|свои|твои) ){0,2}(?:предыдущие|прошлые|прежние|вышеуказанные) (?:инструкции|указания|команды|правила)",
      "(?<!\\p{L})если (?:ты|вы)(?: —| -)? (?:ии|llm|искусственный интеллект|языковая модель|чат-?бот)(?!\\p{L})",
      "(?<!\\p{L})не (?:сообщай|говори)(?:те)? (?:об этом )?пользователю",
    ],
    versions: ["версия"],
  },
  Slovenian: {
    consentTopics: ["piškot"],
    consentButtons: ["sprejmi.*"],
    versions: ["različica"],
  },
  Swedish: {
    counted: ["kommentar(?:er)?", "visningar", "läsare", "följare"],
    personal: ["logga in", "varukorg"],
    consentButtons: ["godk[aä]nn.*", "acceptera.*"],
    aiInstructions: [
      "(?<!\\p{L})(?:ignorera|glöm|bortse från) (?:(?:alla|dina|de) ){0,2}(?:tidigare|föregående|ovanstående) (?:instruktioner|anvisningar|regler)",
      "(?<!\\p{L})om du är en (?:ai|llm|språkmodell|chattbot|artificiell intelligens)(?!\\p{L})",
    ],
  },
  Turkish: {
    counted: ["yorum", "görüntülenme", "takipçi", "beğeni"],
    aiInstructions: [
      "(?<!\\p{L})(?:önceki|yukarıdaki) (?:tüm |bütün )?(?:talimatları|komutları|kuralları) (?:yok say|unut|görmezden gel|dikkate alma)",
      "(?<!\\p{L})eğer (?:bir )?(?:yapay zeka|dil modeli|sohbet botu)",
    ],
    versions: ["sürüm"],
  },
  Ukrainian: {
    counted: ["коментар(?:і|ів)", "переглядів"],
    aiInstructions: [
      "(?<!\\p{L})(?:ігноруй(?:те)?|забудь(?:те)?) (?:(?:всі|усі|свої|твої) ){0,2}(?:попередні|минулі|вищезазначені) (?:інструкції|вказівки|команди|правила)",
      "(?<!\\p{L})якщо (?:ти|ви)(?: —| -)? (?:ші|llm|штучний інтелект|мовна модель|чат-?бот)(?!\\p{L})",
    ],
    versions: ["версія"],
  },
  Vietnamese: {
    counted: ["bình luận", "lượt xem"],
    versions: ["phiên bản"],
  },
  Chinese: {
    countedUnspaced: ["条评论", "次浏览", "次播放", "人关注", "則留言", "回应"],
    spam: ["博彩", "赌场", "娱乐城"],
    aiInstructions: [
      "(?:忽略|无视|無視|忘记|忘記)(?:掉)?(?:你)?(?:之前|以上|先前|前面|上述)?(?:的)?(?:所有|全部|一切)?(?:之前|以上|先前|前面|上述)(?:的)?(?:所有|全部)?(?:指令|指示|提示|规则|規則|命令)",
      "(?:如果|若|假如)(?:你|您)是(?:一个|一個|一名)?(?:ai|llm|人工智能|人工智慧|语言模型|語言模型|大模型|聊天机器人)",
      "(?:不要|请勿|別)(?:告诉|告訴|告知)(?:用户|用戶|使用者)",
    ],
    versions: ["版本"],
  },
};
