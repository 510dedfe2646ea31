/** Scenarios that go wrong today, and how. Each has to leave this list; one that goes right fails the tests. */
export const known: Record<string, string> = {
  "control: aria-disabled": "told expected, got noise",
  "control: the name of a submit field": "told expected, got noise",
  "control: a progress bar": "told expected, got noise",
  "control: title in SVG": "told expected, got noise",
  "data: og:image leads elsewhere": "told expected, got noise",
  "hunter: a scope entry comes": "important expected, got notice: “vault.lumenpay.example” added",
  "time: Thai": "noise expected, got told: “5 นาทีที่แล้ว” → “12 นาทีที่แล้ว”",
  "time: Hindi": "noise expected, got told: “5 मिनट पहले” → “12 मिनट पहले”",
  "counter: Russian": "noise expected, got told: “1204 просмотра” → “1311 просмотров”",
  "counter: Polish": "noise expected, got told: “1204 wyświetlenia” → “1311 wyświetleń”",
  "counter: Korean": "noise expected, got told: “조회수” 1,204회 → 1,311회",
  "counter: guests and members": "noise expected, got told: “Online:” 12 → 9",
  "zone: adults called ad": "told expected, got noise",
  "quote: a rate with a signed percentage": "noise expected, got told: “DAX” 18,204 → 18,167 in header",
  "quote: a rate with an arrow": "noise expected, got told: “EUR/USD” 1.0841 ▲ → 1.0817 ▼ in header",
  "quote: a coin with a percentage": "noise expected, got told: “BTC” $68 → $67 in header",
  "locale: the title in another language while the content stands":
    "noise expected, got told: Title is now “Kupfergießkanne | Haus und Garten”",
  "encoding: UTF-8 by nothing": "“dès” is not told: “fermÃ©” → “ouvert dÃ¨s lundi”",
  "picture: another picture file in a page": "told expected, got noise",
};
