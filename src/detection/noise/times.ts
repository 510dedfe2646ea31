const units =
  // English, German, French, Spanish, Italian, Portuguese, Dutch
  "s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?|sek(?:unden?)?|min(?:uten?)?|std|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|días?|dias?|semanas?|mes(?:es)?|mês|años?|anos?|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|seconden|uur|dag(?:en)?|week|weken|maand(?:en)?|jaar" +
  // Nordic, Polish, Czech, Slovak, Hungarian, Romanian, Turkish, Indonesian, Vietnamese
  "|sekunder?|minut(?:ter?|er)|timm(?:ar|e)|timer?|dag(?:ar|er)|veck(?:or|a)|uker?|månad(?:er)?|måned(?:er)?|år|sekunti?a?|minuuttia?|tuntia?|päivää?|viikkoa?|kuukautta|vuotta|sekund[ay]?|minut[aęyu]?|godz(?:in[aęy]?)?|dni|dzień|tydzień|tygodni(?:e)?|miesi(?:ąc|ące|ęcy)|rok|lata?|sekundami?|minutami?|hodin(?:ami|ou)?|dny|dňami|týdny|měsíci|roky|másodperc(?:e|cel)|perc(?:e|cel)|ór[aá](?:ja|val)|nap(?:ja|pal)|secunde|ore|oră|zile|săptămâni|luni|saniye|dakika|saat|gün|hafta|ay|yıl|detik|menit|jam|hari|minggu|bulan|giây|phút|giờ|ngày" +
  // Russian, Ukrainian, Greek, Arabic, Hebrew
  "|секунд[ауы]?|минут[ауы]?|час(?:а|ов)?|д(?:ень|ня|ней)|недел[юиь]|месяц(?:а|ев)?|лет|год(?:а)?|хвилин[уи]?|годин[уи]?|дн[іів]+|δευτερόλεπτα|λεπτ[άό]|ώρ(?:α|ες)|ημέρ(?:α|ες)|دقيقة|دقائق|ساعة|ساعات|يوم|أيام|דקות|שעות|ימים";
const amount = "(?:\\d+|an?|one|(?:a )?few|ein(?:er|em|e)?|wenigen|une?|quelques|una?|unos|pochi|uma?)";
const span = `(?:about |over |almost |etwa |environ )?${amount}\\s*(?:${units})`;
const before = "vor|il y a|hace|há|před|pred|acum|πριν(?: από)?|منذ|לפני";
const after = "ago|fa|geleden|sedan|siden|sitten|temu|ezelőtt|назад|тому|önce|atrás|yang lalu|trước|zpět";
const inText = "(?<![\\p{L}\\d])";
const atEnd = "(?![\\p{L}\\d])";

/** "5 minutes ago", "vor 8 Min.", "5 минут назад", "3分前". */
const ago = new RegExp(
  [
    `${inText}(?:just now|a moment ago|moments ago|gerade eben|à l['’]instant|ahora mismo)${atEnd}`,
    `${inText}(?:yesterday|today) at${atEnd}`,
    `${inText}(?:${before})\\s+${span}${atEnd}\\.?`,
    `${inText}(?:för |for )?${span}\\.?\\s(?:${after})${atEnd}`,
    "(?<!\\d)\\d+\\s?(?:秒|分|分钟|分鐘|時間|小时|小時|日|天|か月|个月|年)前",
    "(?<!\\d)\\d+\\s?(?:วินาที|นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี)\\s?(?:ที่แล้ว|ที่ผ่านมา|ก่อน)",
    "(?<!\\d)\\d+\\s(?:सेकंड|सेकेंड|मिनट|घंटे|घंटा|दिन|हफ़्ते|हफ्ते|सप्ताह|महीने|महीना|साल)\\s(?:पहले|पूर्व)",
    "(?<!\\d)\\d+\\s(?:সেকেন্ড|মিনিট|ঘণ্টা|ঘন্টা|দিন|সপ্তাহ|মাস|বছর)\\s(?:আগে|পূর্বে)",
    "(?<!\\d)\\d+\\s(?:ثانیه|دقیقه|ساعت|روز|هفته|ماه|سال)\\s(?:پیش|قبل)",
    "(?<!\\d)\\d+\\s?(?:초|분|시간|일|주|개월|년)\\s?전",
  ].join("|"),
  "giu",
);

export const clock =
  /(?<![\d.,:])(?:[01]?\d|2[0-4])(?::[0-5]\d(?::[0-5]\d)?(?![\d:])(?:\s*[ap]\.?m\b\.?)?|\.[0-5]\d\s*(?:uhr|h|[ap]m)\b|[h時][0-5]\d(?!\d)分?|\s*[ap]m\b)(?:\s*(?:uhr|UTC|GMT|CES?T|[ECMP][SD]T)\b)?/gi;

const months =
  "jan\\w*|feb\\w*|mar\\w*|apr\\w*|ma[iyj]\\w*|jun\\w*|jul\\w*|aug\\w*|sep\\w*|o[ck]t\\w*|nov\\w*|de[czs]\\w*|janv\\w*|févr\\w*|avr\\w*|juin|juil\\w*|août|märz|mrz|ene\\w*|abr\\w*|ago\\w*|dic\\w*|gen\\w*|mag\\w*|giu\\w*|lug\\w*|set\\w*|ott\\w*|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia";
export const date = new RegExp(
  `${inText}(?:(?:19|20)\\d\\d[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.](?:19|20)?\\d\\d|\\d{1,2}(?:st|nd|rd|th|\\.|er|º)?\\s+(?:de\\s+)?(?:${months})\\.?,?(?:\\s+(?:de\\s+)?(?:19|20)\\d\\d)?|(?:${months})\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+(?:19|20)\\d\\d)?|(?:(?:19|20)\\d\\d年)?\\d{1,2}月\\d{1,2}日)(?!\\d)`,
  "giu",
);
const weekday =
  /(?<!\p{L})(?:mon|tues?|wednes|thurs?|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo(?!\p{L})/giu;
const day =
  /(?<!\p{L})(?:today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|vandaag|gisteren|i ?dag|i ?går|tänään|eilen|dziś|dzisiaj|wczoraj|dnes|včera|сегодня|вчера|bugün|dün)(?!\p{L})/giu;

type TimeKind = "ago" | "day" | "clock" | "date";

/** How a text that says nothing but when tells it; null for a text that says more. */
export function timeKind(text: string): TimeKind | null {
  if (text.length > 50) return null;
  const found: TimeKind[] = [];
  const take = (pattern: RegExp, kind: TimeKind) => (rest: string) =>
    rest.replace(pattern, () => {
      found.push(kind);
      return "";
    });
  const steps = [take(ago, "ago"), take(date, "date"), take(clock, "clock"), take(day, "day")];
  const rest = steps.reduce((left, step) => step(left), text).replace(weekday, "");
  const isBare = /^(?:at|um|à|a las|alle|om|kl|uhr|,|\.|·|•|\||\s|-|–|:)*$/iu.test(rest);
  return isBare && new Set(found).size === found.length ? (found[0] ?? null) : null;
}

/** A time that a page tells in another way as it grows older: 8 minutes ago, 20:13, 29.01.22. */
export function toldOtherwise(before: string, after: string): boolean {
  const [old, now] = [timeKind(before), timeKind(after)];
  if (old !== null && now !== null) return old !== now;
  // With a word for what happened then, only growing older is proof: "Updated just now" may be an update.
  const [first, later] = [timeKind(before.replace(stamp, "")), timeKind(after.replace(stamp, ""))];
  return first !== null && later !== null && ages.indexOf(later) > ages.indexOf(first);
}

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Whether a lone clock went on by just the time that passed between two captures: it tells the page's own time. */
export function wentOn(before: string, after: string, [old, now]: [old: number, now: number]): boolean {
  if (timeKind(before) !== "clock" || timeKind(after) !== "clock") return false;
  const passed = (now - old) / MINUTE;
  const [from, to] = [minutesOf(before), minutesOf(after)];
  if (from === null || to === null || passed < 2 || passed > DAY / 2) return false;
  return Math.abs(((to - from + DAY) % DAY) - passed) <= 1.5;
}

function minutesOf(text: string): number | null {
  const [, hour, minute = "0", half] =
    /(\d{1,2})(?:[:.h時](\d\d))?(?::\d\d)?\s*(?:([ap])\.?m)?/i.exec(text) ?? [];
  if (hour === undefined) return null;
  const shift = half === undefined ? 0 : (half.toLowerCase() === "p" ? 12 : 0) - (hour === "12" ? 12 : 0);
  return (Number(hour) + shift) * 60 + Number(minute);
}

/** A text without what says how long ago something was. */
export function withoutAgo(text: string): string {
  return replaceAgo(text, "").trim();
}

// A stamp beside a name or a title has few words.
const MAX_STAMP = 8;
const years =
  /(?<!\p{L})(?:y|yrs?|years?|jahr(?:en?)?|ans?|años?|anos?|ann[oi]|jaar|år|vuotta|rok|lata?|roky|год(?:а)?|лет|yıl)(?!\p{L})|年/iu;

/** A text with a mark for each "5 minutes ago"; in a sentence years are what is said: "80 years ago it was cast". */
export function replaceAgo(text: string, mark: string): string {
  let isSentence: boolean | undefined;
  return text.replace(ago, (match) => {
    if (!years.test(match)) return mark;
    isSentence ??= (text.match(/\p{L}{2,}/gu)?.length ?? 0) > MAX_STAMP;
    return isSentence ? match : mark;
  });
}

const ages: TimeKind[] = ["ago", "day", "date"];
const stamp =
  /^(?:last )?(?:updated|posted|published|modified|edited|created|(?:zuletzt )?aktualisiert|veröffentlicht|publié|mis à jour|actualizado|publicado|aggiornato|pubblicato|bijgewerkt)(?: on| am| le| el| il)?[\s:]+/iu;

/** A block that says nothing but what time it is: at most a short label beside a clock. */
export function isClock(text: string): boolean {
  // Two clocks are a range: opening hours, not the time.
  if (text.length > 60 || text.match(clock)?.length !== 1) return false;
  const rest = text.replace(clock, "").replace(date, "").replace(weekday, "");
  return rest.replace(/[\s()[\],.|/-]/g, "").length <= 3 && !/[\d\p{Sc}%]/u.test(rest);
}
