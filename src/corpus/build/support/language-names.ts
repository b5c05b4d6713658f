// What the languages are called that a support desk can have a queue for, by their code in the CLDR. Left out are
// varieties that their speakers may or may not count as the language itself.
export const LANGUAGE_NAMES: ReadonlyMap<string, string> = new Map(
  (
    "af Afrikaans|ak Akan|am Amharic|ar Arabic|ay Aymara|az Azerbaijani|be Belarusian|bg Bulgarian|bm Bambara|bn Bengali|" +
    "bs Bosnian|ca Catalan|ckb Central Kurdish|crs Seychellois Creole|cs Czech|da Danish|de German|dz Dzongkha|ee Ewe|" +
    "el Greek|en English|es Spanish|et Estonian|fa Persian|ff Fula|fi Finnish|fil Filipino|fj Fijian|fr French|ga Irish|" +
    "gn Guarani|ha Hausa|he Hebrew|hi Hindi|hr Croatian|ht Haitian Creole|hu Hungarian|hy Armenian|id Indonesian|ig Igbo|" +
    "is Icelandic|it Italian|ja Japanese|jv Javanese|ka Georgian|kk Kazakh|km Khmer|ko Korean|kri Krio|ku Kurdish|ky Kyrgyz|" +
    "lb Luxembourgish|lg Ganda|ln Lingala|lo Lao|lt Lithuanian|lv Latvian|mg Malagasy|mk Macedonian|mn Mongolian|ms Malay|" +
    "mt Maltese|my Burmese|nd North Ndebele|ne Nepali|nl Dutch|no Norwegian|ny Chewa|om Oromo|pap Papiamento|pl Polish|" +
    "ps Pashto|pt Portuguese|qu Quechua|ro Romanian|ru Russian|rw Kinyarwanda|sg Sango|si Sinhala|sk Slovak|sl Slovenian|" +
    "sm Samoan|sn Shona|so Somali|sq Albanian|sr Serbian|srn Sranan Tongo|st Sesotho|su Sundanese|sv Swedish|sw Swahili|" +
    "ta Tamil|te Telugu|tg Tajik|th Thai|ti Tigrinya|tk Turkmen|tn Tswana|to Tongan|tpi Tok Pisin|tr Turkish|ty Tahitian|" +
    "uk Ukrainian|umb Umbundu|ur Urdu|uz Uzbek|vi Vietnamese|wo Wolof|xh Xhosa|yo Yoruba|zh Chinese|zu Zulu|bem Bemba|" +
    "mfe Morisyen"
  )
    .split("|")
    .map((entry) => [entry.slice(0, entry.indexOf(" ")), entry.slice(entry.indexOf(" ") + 1)]),
);
