// What stands in the frame for whoever looks, in the languages that pages greet their visitors in.
const personal = new RegExp(
  `^(?:${[
    // English
    "(?:log|sign)[ -]?(?:in|out|up|on|off)|my .{0,20}|(?:your |view |my )?(?:account|profile|cart|basket|bag|wish ?lists?|watch ?list|favou?rites|orders?|feed|messages|notifications)|your (?:cart|basket|bag) is empty\\.?|register|join(?: now)?|create (?:an |your )?account|hello.{0,30}|good (?:morning|afternoon|evening).{0,30}|hi,? .{0,20}|welcome.{0,30}|deliver to.*|download for .{2,20}|not using .*|skip to .{0,40}|close|(?:main )?menu|(?:main )?navigation|back|more|dismiss|search.{0,20}|(?:choose|find|select|set|change) (?:a |my |your )?(?:nearest |preferred )?(?:store|shop|branch|location)|.{0,60} (?:in|at|from) your (?:local |nearest )?store",
    // German
    "hallo.{0,30}|guten (?:morgen|tag|abend).{0,30}|suche.{0,20}|anmelden|abmelden|einloggen|ausloggen|registrieren|hauptmenü|hauptnavigation|konto(?: erstellen)?|mein(?:e|en)? .{0,20}|warenkorb|ihr warenkorb ist leer\\.?|merkzettel|(?:markt|filiale) (?:wählen|finden|ändern)|.{0,60} in (?:ihrem markt|ihrer filiale)",
    // French
    "bon(?:jour|soir).{0,30}|recherche.{0,20}|connexion|déconnexion|(?:se|me|vous) connecter|(?:s['’]|m['’])identifier|(?:identifiez|connectez|inscrivez)-vous|(?:créer|créez) (?:un|mon|votre) compte|pas encore (?:membre|client|inscrit).{0,40}|mon .{0,20}|(?:espace|compte) client|(?:voir )?(?:le |mon |votre )?panier|votre panier est vide\\.?|(?:choisir|trouver|changer de|sélectionner) (?:mon |votre |un |ma )?magasin|.{0,60} (?:dans|de) votre magasin",
    // Spanish, Italian, Portuguese
    "hola.{0,30}|inicia(?:r)? sesión|cerrar sesión|regístrate|registrarse|crear (?:una )?cuenta|mi cuenta|carrito|mi cesta|tu (?:carrito|cesta) está vacío|mi tienda|buon(?:giorno|asera).{0,30}|ciao.{0,30}|accedi|registrati|carrello|il mio .{0,20}|entrar|iniciar sessão|criar conta|minha conta|carrinho",
    // Dutch, Nordic, Polish, Czech, Hungarian
    "inloggen|uitloggen|winkelwagen|mijn .{0,20}|logga in|logg inn|log ind|kirjaudu|varukorg|handlekurv|ostoskori|zaloguj(?: się)?|koszyk|moje konto|přihlásit(?: se)?|košík|bejelentkezés|kosár",
  ].join("|")})$`,
  "iu",
);

const languages =
  "english|deutsch|german|français|french|español|spanish|italiano|italian|nederlands|dutch|português|portuguese|polski|polish|svenska|dansk|suomi|norsk|čeština|slovenčina|magyar|română|türkçe|русский|українська|ελληνικά|日本語|中文|简体中文|繁體中文|한국어|العربية|עברית|bahasa indonesia|tiếng việt|ไทย";
const countries =
  "deutschland|germany|allemagne|österreich|austria|schweiz|switzerland|suisse|svizzera|france|frankreich|españa|spain|italia|italy|italie|nederland|netherlands|belgi(?:ë|que|um)|luxembourg|portugal|polska|poland|sverige|sweden|danmark|denmark|norge|norway|suomi|finland|ireland|united kingdom|great britain|united states|canada|australia|new zealand|japan|brasil|brazil|méxico|mexico|américa latina|latinoamérica|latin america|india|china|korea|türkiye|česko|slovensko|magyarország|românia|ελλάδα|україна|россия|europe|asia(?: pacific)?|africa|middle east|international|global";
const country = new RegExp(`(?:^|\\s)(?:${countries})$`, "iu");
const locale = new RegExp(
  `(?<!\\p{L})(?:${languages}|${countries}|[a-z]{2}(?:[-_][a-z]{2})?)(?!\\p{L})`,
  "giu",
);

// A currency without an amount is the one that the visitor is shown.
const currency =
  /\p{Sc}?\s?(?<!\p{L})(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|KRW|euros?|(?:us )?dollars?|pounds?(?: sterling)?)(?!\p{L})/giu;

/** A country with at most a language or a verb before it; a headline may end in one as well. */
function isCountry(words: string): boolean {
  return (
    words.split(/\s+/).length <= 4 && (country.test(words) || /(?:^|[\s(-])(?:US|USA|UK)\)?$/.test(words))
  );
}

/** Languages and countries and nothing else: "fr France/Français", "Español – América Latina". */
function isLocale(words: string): boolean {
  const left = words.length <= 60 ? words.replace(currency, "").replace(locale, "") : words;
  return left !== words && !/[\p{L}\p{Sc}%]/u.test(left);
}

/** Frame items that depend on who looks: sign-in, basket, language, platform. */
export function isPersonal(text: string): boolean {
  const words = text.replace(/[\d()+]+/g, " ").trim();
  const isPriced = /\d/.test(text) && text.search(currency) >= 0;
  return words === "" || personal.test(words) || isCountry(words) || (!isPriced && isLocale(words));
}
