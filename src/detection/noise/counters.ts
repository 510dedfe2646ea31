// What pages count on their own, in the languages they do it in.
const counted = [
  "comments?|views?|likes?|shares?|retweets?|reposts?|followers?|subscribers?|visitors?|votes?|upvotes|replies|downloads?|stars?|forks?|watching|reads?|readers|plays?|listens?|impressions|reviews?|ratings?|online",
  "kommentare?|aufrufe|abonnenten|besucher|antworten|bewertungen|rezensionen|leser|stimmen",
  "commentaires?|vues|abonnés|visiteurs|réponses|avis|lecteurs|téléchargements|j['’]aime|partages",
  "comentarios?|visualizaciones|seguidores|visitantes|respuestas|reseñas|opiniones|lectores|descargas|me gusta",
  "commenti|visualizzazioni|recensioni|lettori|risposte|mi piace",
  "comentários?|visualizações|leitores|curtidas|avaliações",
  "reacties|weergaven|beoordelingen|lezers|volgers",
  "kommentar(?:er)?|visningar|visninger|läsare|læsere|lesere|följare|følgere|tykkäystä|kommenttia|katselukertaa",
  "komentarz[ye]?|wyświetle(?:nia|nie|ń)|polubie(?:nia|nie|ń)|opinii|komentář[eů]?|zobrazení|komentárov|hozzászólás|megtekintés|comentarii|vizualizări",
  "yorum|görüntülenme|takipçi|beğeni|komentar|tayangan|bình luận|lượt xem",
  "комментари(?:й|я|ев)|просмотр(?:а|ов)?|отзыв(?:а|ов)?|подписчик(?:а|ов)?|коментар(?:і|ів)|переглядів|σχόλια|προβολές",
].join("|");
// People may be counted in what is said; only those who are there right now are a counter.
const present =
  "(?:users?|members?|guests?|people|players?|personen|personnes|personas|persone) (?:are |is |have |sind )?(?:currently |gerade |right now )?(?:online|viewing|watching|looking|in-game|here now|schauen|regardent|viendo)";
const number = "\\d[\\d.,'\\u00a0\\u202f ]{0,20}[kKmM]?\\+?\\s?";
const behind = new RegExp(`(?<![\\p{L}\\d])${number}(${counted})(?!\\p{L})`, "giu");
const ahead = new RegExp(`(?<!\\p{L})((?:${counted})\\s*[:(]\\s*)\\d[\\d.,'\\u00a0\\u202f]*[kKmM]?`, "giu");
const unspaced =
  /\d[\d.,]*\s?(?=(?:件のコメント|回視聴|いいね|条评论|次浏览|次播放|人关注|則留言|回应|개의 댓글))/gu;
const korean = /((?:조회수?|좋아요|댓글|구독자|추천|공감)\s?[:(]?\s?)\d[\d.,]*[만천]?\s?(?=[회개명건)]|$)/gu;
const there = new RegExp(`(?<![\\p{L}\\d])${number}(?=${present}(?!\\p{L}))`, "giu");

// Who is there, sort by sort: "Online: 12 members, 231 guests".
const isPresence = /(?<!\p{L})(?:online|en ligne|en línea|в сети|онлайн)(?!\p{L})/iu;
const sorts =
  /(?<![\p{L}\d])\d[\d.,'\u00a0\u202f ]{0,20}(?=(?:registered |hidden |anonymous )?(?:users?|members?|guests?|visitors?|bots?|mitglieder|gäste|membres|invités|miembros|invitados|пользовател\p{L}+|гост\p{L}+)(?!\p{L}))/giu;

// A label has few words; in a sentence a number is part of what is said.
const MAX_WORDS = 8;

/** Counters as a mark, beside the word that says what they count. */
export function maskCounters(text: string): string {
  const masked = text.replace(there, "⟨n⟩ ");
  if ((masked.match(/\p{L}{2,}/gu)?.length ?? 0) > MAX_WORDS) return masked;
  const present = isPresence.test(masked) ? masked.replace(sorts, "⟨n⟩ ") : masked;
  return present
    .replace(behind, (_, word: string) => `⟨n⟩ ${stemOf(word)}`)
    .replace(ahead, "$1⟨n⟩")
    .replace(unspaced, "⟨n⟩")
    .replace(korean, "$1⟨n⟩");
}

/** What is counted, without the ending that its number gives it: просмотра, просмотров; comment, comments. */
function stemOf(word: string): string {
  return word.slice(0, 4).toLowerCase();
}
