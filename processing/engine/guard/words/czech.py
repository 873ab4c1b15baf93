"""Czech."""

from processing.engine.guard.roles import Role

CZECH = {
    Role.WHO: """jazykový_model jazykovým_modelem jazykové_modely jazykovým_modelům systémy_umělé systémům_umělé
        umělou_inteligenc* umělé_inteligence systémy_ai model_ai asistent_ai automatické_čtečky
        automatickým_čtečkám automatické_systémy automatickým_systémům boti chatbot* strojové_čtečky""",
    Role.MACHINE: """ai asistent* model systém* program* software robot* bot stroj* čteč* algoritm* agent nástroj*
        kdo programy""",
    Role.AGENT: "asistent* ai umělá_inteligence",
    Role.READS: "čte čtou čtoucí čteš zpracovává zpracovávající analyzuje analyzující extrahuje shrnuje",
    Role.TO: "pro upozornění pozor poznámka zpráva pokud_jsi jestli_jsi pokud_jste",
    Role.GREETING: "milý milá vážený ahoj pokud_jsi jestli_jsi",
    Role.YOUR: "ty tvůj tvé tvoje tvých svůj své svých ti tobě tě jsi",
    Role.MUST: "musí musíš má mají měl měly prosím nutno třeba",
    Role.NO: "ne nikdy žádn* bez nesmí",
    Role.DROP: """ignoruj ignorujte ignorovat zapomeň zapomeňte zapomenout nedbej nedbejte neřiď_se nedodržuj
        přepiš obejdi opomeň zahoď""",
    Role.FOLLOW: "dodržuj poslouchej řiď",
    Role.IF: "pokud jestliže",
    Role.PRETEND: "předstírej dělej_jako",
    Role.CHANGE: "sniž snížit zdvojnásob zvyš vyděl",
    Role.SWAP: "nahraď nahraďte",
    Role.LIFT: "odstraň vypni zruš",
    Role.MENTION: "nezmiňuj",
    Role.VOID: "zrušen* neplatí neplatn* odvolán* má_přednost mají_přednost pozbývají",
    Role.SAY: """ukaž ukažte vypiš vypište napiš zopakuj prozraď odhal uveď uveďte neuváděj přelož zobraz zobrazte
        vyjmenuj hlaš extrahuj zahrň zmiň zkopíruj být_uvedeny být_extrahovány řekni říkej sděl pověz""",
    Role.ANSWER: "odpověz odpovídej odpověď vrať vraťte doporuč řekni",
    Role.ONLY: "pouze jen jenom výhradně vždy",
    Role.SET: """nastav nastavte změň změňte nahraď uveď uveďte zapiš zapište napiš přiřaď vynásob zdvojnásob
        ponech považuj vyplň""",
    Role.MARK: "označ označte považuj považujte schval schvalte přijmi potvrď klasifikuj",
    Role.OMIT: """vynech vynechte vynechat neuváděj neuvádějte neuvádět nevypisuj nehlas nehlaste neextrahuj
        neextrahujte nezahrnuj nezmiňuj skryj zamlč přeskoč""",
    Role.SEND: "pošli odešli zašli nahraj otevři zavolej",
    Role.BECOME: """nyní_jsi teď_jsi jsi_teď už_nejsi od_teď od_nynějška předstírej chovej_se_jako nové_pokyny
        jsi_nyní""",
    Role.RULES: "pokyn* instrukc* pravid* příkaz* směrnic* omezen* prompt* úkol* zadání omezení",
    Role.BEFORE: """předchoz* dřívějš* dříve výše uveden* původn* dosud dosavad* počáteč* skryt* tajn* intern*
        na_začátku začátku první""",
    Role.TOLD: "dostal* řečeno dán* obdržel* sděleno naučen* nastaven* řekli jsi_dostal dostal obdržel",
    Role.EVERY: "všechn* všech každ* vešker* cel* následující* tyto těchto",
    Role.EVERYTHING: "vše všechno co_ti text",
    Role.PROMPT: """systémový_prompt systémového_promptu systémovou_instrukci systémové_instrukce systémové_pokyny
        systémovou_zprávu""",
    Role.FIGURE: """cena cenu ceny cen náklad* spolehlivost* důvěr* měn* sku kód kódy kódů číslo_artiklu
        čísla_výrobků slev* značk* hmotnost množství""",
    Role.GOODS: "produkt* výrobk* výrobků položk* položek artikl* zboží řádk* řádek pole hodnot* sloupc*",
    Role.NOTHING: "nula nulu nulov* nul prázdn* zdarma neznám* nic vyprodán*",
    Role.PASSED: "schválen* ověřen* zkontrolovan* potvrzen* přijat* správn* obálk* úpln*",
    Role.REVIEW: "lidské_kontrol* lidskou_kontrol* ruční_kontrol* ručního_ověření člověk* manuální_kontrol*",
    Role.FORM: "json slovo slovem seznam báseň písmeno",
    Role.THIS: "tento tuto tohoto této toto",
    Role.PAGE: "stránk* stránce dokument* soubor* text* tabulk* katalog* seznam* pdf list ceník*",
    Role.FREE: "bez_omezení bez_pravidel bez_limitů bez_cenzury neomezen*",
    Role.TAKEN: "extrahovan* přečten* výsledky",
    Role.PART: "asistent* prodejc* administrátor* vývojář* svobodn* ai",
    Role.LIMITS: "omezení všechna_pravidla",
    Role.OPERATOR: "operátor* vývojář* tvůrc*",
    Role.OWNER: "tvůj_tvůrce tvoji_tvůrci tvůj_vývojář tvůj_operátor",
    Role.STATUS: "spolehlivost*",
    Role.ITSELF: "tento_pokyn uživateli",
    Role.QUESTION: "otázk*",
    Role.TASK: "tvůj_nový_úkol",
    Role.HARM: "zranění poškození záruk* požár* nehod* nebezpeč* smrt",
}
