"""Swedish."""

from processing.engine.guard.roles import Role

SWEDISH = {
    Role.WHO: """språkmodell* ai-modell* ai-system* ai-assistent* ai-läsare* ai-agent* automatiska_läsare*
        automatiska_system automatiserade_system* automatiserade_läsare* maskinläsare* artificiell_intelligens
        bottar chatbot*""",
    Role.MACHINE: """ai assistent* modell* system program* programvara robot* bot maskin* läsare algoritm* agent
        verktyg den_som program""",
    Role.AGENT: "assistent* ai artificiell_intelligens",
    Role.READS: "läser läsa läs bearbetar behandlar analyserar tolkar sammanfattar extraherar",
    Role.TO: "till för observera obs meddelande om_du",
    Role.GREETING: "kära bästa hej om_du_är_en om_du_är_ett",
    Role.YOUR: "du din ditt dina dig",
    Role.MUST: "ska skall måste bör vänligen får",
    Role.NO: "inte aldrig ingen inga inget utan ej",
    Role.DROP: "ignorera ignorerar glöm glömma bortse strunta åsidosätt följ_inte kringgå förkasta",
    Role.FOLLOW: "följ lyd lyssna",
    Role.IF: "om ifall",
    Role.PRETEND: "låtsas",
    Role.CHANGE: "halvera halverar sänk höj dubbla",
    Role.SWAP: "ersätt byt_ut",
    Role.LIFT: "ta_bort inaktivera stäng",
    Role.MENTION: "nämn",
    Role.VOID: "upphävd* gäller_inte ogiltig* återkallad* har_företräde gäller_inte_längre",
    Role.SAY: """visa visar skriv skriva upprepa skriv_ut ange uppge nämn nämna rapportera översätt avslöja
        extrahera lista inkludera ta_med kopiera redovisa extraheras redovisas berätta säg tala_om""",
    Role.ANSWER: "svara svar returnera säg rekommendera",
    Role.ONLY: "bara endast enbart alltid",
    Role.SET: "sätt sätta ange ändra byt ersätt ställ skriv registrera fyll dubbla behandla lämna",
    Role.MARK: "markera betrakta behandla godkänn acceptera bekräfta klassa klassificera",
    Role.OMIT: "utelämna hoppa_över dölj uteslut",
    Role.SEND: "skicka sänd ladda öppna anropa",
    Role.BECOME: "du_är_nu du_är_inte_längre från_och_med_nu låtsas agera_som nya_instruktioner",
    Role.RULES: """instruktion* regel regler reglerna riktlinj* anvisning* order kommando* begränsning* prompt*
        uppgift* föreskrift* begränsningar""",
    Role.BEFORE: """tidigare föregående ovan ovanstående ursprunglig* hittills innan förra dold* hemlig* intern*
        i_början början första""",
    Role.TOLD: "fått sagt givits mottagit lärt konfigurerad* tränats fick",
    Role.EVERY: "alla allt varje samtliga hela följande dessa",
    Role.EVERYTHING: "allt vad_du texten",
    Role.PROMPT: "systemprompt* system-prompt* systeminstruktion* systemmeddelande*",
    Role.FIGURE: """pris priser priset priserna kostnad* konfidens* tillförlitlighet valuta sku artikelnummer* kod
        koder produktkod* rabatt* märke vikt antal mängd""",
    Role.GOODS: "produkt* artikel artiklar artiklarna rad rader raderna fält värde värden kolumn*",
    Role.NOTHING: "noll tom tomt tomma gratis okänd inget slutsåld*",
    Role.PASSED: "godkänd* granskad* verifierad* kontrollerad* bekräftad* validerad* korrekt försättsblad",
    Role.REVIEW: """mänsklig_granskning manuell_granskning mänsklig_kontroll manuell_kontroll en_människa
        manuell_verifiering""",
    Role.FORM: "json ord ordet lista dikt mening bokstav*",
    Role.THIS: "denna detta dessa den_här",
    Role.PAGE: "sida sidan sidor dokument* fil filen filer text texten tabell* katalog* lista pdf prislist*",
    Role.FREE: "utan_begränsning* utan_regler utan_gränser obegränsad* ocensurerad*",
    Role.TAKEN: "extraherade lästa resultaten",
    Role.PART: "assistent säljare administratör utvecklare fri expert ai",
    Role.LIMITS: "begränsningar alla_regler",
    Role.OPERATOR: "operatör* utvecklare* skapare*",
    Role.OWNER: "din_utvecklare dina_utvecklare din_skapare",
    Role.STATUS: "konfidens*",
    Role.ITSELF: "denna_instruktion användaren",
    Role.QUESTION: "fråg*",
    Role.TASK: "din_nya_uppgift",
    Role.HARM: "skada skador garanti brand olycka fara",
}
