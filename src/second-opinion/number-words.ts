/**
 * Words for numbers from two on, by language. A sentence may only use those of the texts that it cites. “One” isn't
 * listed: in most languages it is an article or a pronoun too.
 */
const byLanguage: Record<string, string> = {
  en: "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion hundreds thousands millions billions dozen dozens twice thrice double doubled doubles triple tripled half halved quarter percent zero",
  de: "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden dutzend doppelt verdoppelt halbiert prozent null",
  fr: "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent cents mille million millions milliard milliards double doublé moitié pourcent zéro",
  es: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil millón millones doble mitad cero",
  it: "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille mila milione milioni miliardo doppio metà zero",
  pt: "dois duas três quatro cinco seis sete oito nove dez onze doze treze catorze quinze vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem cento milhão milhões dobro metade",
  nl: "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen miljard dubbel",
  pl: "dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście dwadzieścia trzydzieści czterdzieści pięćdziesiąt sto dwieście tysiąc tysiące tysięcy milion miliony milionów połowa",
  sv: "två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton tjugo trettio fyrtio femtio hundra tusen miljon miljoner miljard dubbelt hälften",
  cs: "dva dvě tři čtyři pět šest sedm osm devět deset jedenáct dvanáct dvacet třicet čtyřicet padesát sto dvě tisíc tisíce milion miliony polovina",
  tr: "iki üç dört beş altı yedi sekiz dokuz on yirmi otuz kırk elli altmış yetmiş seksen doksan yüz bin milyon milyar yarım",
};

// English words that some language counts with.
const alsoEnglish = new Set(["on", "bin", "once", "null", "sex", "elf"]);

export const numberWords: ReadonlySet<string> = new Set(
  Object.values(byLanguage)
    .flatMap((words) => words.split(" "))
    .filter((word) => !alsoEnglish.has(word)),
);

/** German and Dutch write long numbers as one word. */
export const compoundNumber = /(?:zwanzig|(?:ß|ss|z)ig|hundert|tausend|honderd|duizend)\p{L}{0,40}$/u;
