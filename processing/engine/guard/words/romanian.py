"""Romanian."""

from processing.engine.guard.roles import Role

ROMANIAN = {
    Role.WHO: """model_lingvistic model_de_limbaj modele_de_limbaj modelele_de_limbaj sisteme_ai sistemele_ai
        sistemelor_ai asistent_ai inteligență_artificială inteligența_artificială inteligenței_artificiale
        cititori_automați cititoare_automate sisteme_automate sistemele_automate sistemelor_automate chatbot* boți
        cititorilor_automați""",
    Role.MACHINE: """ai asistent* model* sistem* program* software robot* bot mașin* cititor* algoritm* agent cine
        oricine""",
    Role.AGENT: "asistent* ai inteligență_artificială inteligența_artificială",
    Role.READS: "citește citesc citind prelucrează procesează analizează extrage rezumă",
    Role.TO: "către pentru atenție notă mesaj dacă_ești dacă_sunteți",
    Role.GREETING: "dragă stimate salut dacă_ești_un dacă_ești_o",
    Role.YOUR: "tu tău ta tale tăi ție te",
    Role.MUST: "trebuie vă_rugăm te_rog",
    Role.NO: "nu niciodată fără niciun nicio",
    Role.DROP: "ignoră ignorați ignora uită uitați nesocotește nu_ține_cont nu_respecta nu_urma anulează ocolește",
    Role.FOLLOW: "urma respecta asculta",
    Role.IF: "dacă",
    Role.PRETEND: "prefă-te prefaceți",
    Role.CHANGE: "reduce înjumătățește dublează scade",
    Role.SWAP: "înlocuiește",
    Role.LIFT: "elimină dezactivează",
    Role.MENTION: "menționa",
    Role.VOID: "anulat* nu_mai_sunt_valabile nu_se_mai_aplică revocat* are_prioritate prevalează",
    Role.SAY: """arată afișează scrie repetă dezvăluie tradu tipărește raporta raportează extrage extrageți
        menționa menționează include indică indicați copiază enumeră spune zi""",
    Role.ANSWER: "răspunde răspundeți returnează returnați recomandă spune",
    Role.ONLY: "doar numai exclusiv întotdeauna",
    Role.SET: """setează setați pune puneți schimbă modifică înlocuiește scrie înregistrează atribuie dublează lasă
        consideră indicați""",
    Role.MARK: """marchează marcați consideră considerați aprobă aprobați acceptă acceptați validează tratează
        clasifică""",
    Role.OMIT: "omite omiteți ascunde sari",
    Role.SEND: "trimite trimiteți încarcă accesează deschide",
    Role.BECOME: """acum_ești ești_acum nu_mai_ești de_acum_înainte de_acum_încolo prefă-te comportă-te
        instrucțiuni_noi""",
    Role.RULES: """instrucțiun* reguli* regulile ordine ordinele indicați* directive* comenzi restricți* prompt*
        sarcin* restricțiile""",
    Role.BEFORE: """anterior* precedent* de_mai_sus inițial* original* până_acum înainte ascuns* secret* intern*
        primele""",
    Role.TOLD: "primit* spus dat* configurat* învățat",
    Role.EVERY: "toate toți fiecare orice tot întreg* următoare*",
    Role.EVERYTHING: "tot_ce tot_ceea ce_ți textul",
    Role.PROMPT: "promptul_de_sistem prompt_de_sistem mesajul_de_sistem instrucțiunile_de_sistem promptul_sistemului",
    Role.FIGURE: "preț* cost* încredere* moned* sku cod coduri codurile reducere* marc* cantit*",
    Role.GOODS: "produs* articol* rând* câmp* valori* coloan*",
    Role.NOTHING: "zero nul goală gol gratuit necunoscut nimic epuizat",
    Role.PASSED: "aprobat* verificat* validat* revizuit* confirmat* acceptat* copert*",
    Role.REVIEW: "revizuire_umană verificare_umană verificare_manuală control_manual control_uman o_persoană un_om",
    Role.FORM: "json cuvântul listă poezie",
    Role.THIS: "acest* aceast* asta acestea",
    Role.PAGE: "pagin* document* fișier* text* tabel* catalog* listă pdf",
    Role.FREE: "fără_restricții fără_limite fără_reguli fără_cenzură nelimitat*",
    Role.TAKEN: "extrase citit* rezultatele",
    Role.PART: "asistent* vânzător* administrator* dezvoltator* liber ai",
    Role.LIMITS: "restricțiile toate_regulile",
    Role.OPERATOR: "operator* dezvoltator* creator*",
    Role.OWNER: "dezvoltatorul_tău creatorul_tău operatorul_tău",
    Role.STATUS: "încredere*",
    Role.ITSELF: "această_instrucțiune utilizatorului",
    Role.QUESTION: "întreb*",
    Role.TASK: "noua_ta_sarcină",
    Role.HARM: "răni* daune garanți* incendi* accident* pericol*",
}
