"""Dutch."""

from processing.engine.guard.roles import Role

DUTCH = {
    Role.WHO: """taalmodel* ai-model* ai-systeem* ai-systemen ai-assistent* ai-lezer* ai-agent* automatische_lezer*
        automatische_systemen geautomatiseerde_lezer* geautomatiseerde_systemen machinelezer*
        kunstmatige_intelligentie* extractieprogramma* extractiesysteem* bots chatbot* ai_model* ai_systeem*
        ai-programma* automatische_verwerker*""",
    Role.MACHINE: """ai assistent* model systeem systemen programma* software robot robots bot machine machines
        lezer lezers algoritme* agent hulpmiddel wie""",
    Role.AGENT: "assistent* ai",
    Role.READS: """leest lezen lees verwerkt verwerken verwerk analyseert analyseren uitleest uitlezen samenvat*
        inleest""",
    Role.TO: "aan voor attentie let_op opmerking bericht als_je als_u",
    Role.GREETING: "beste lieve geachte hallo als_je_een als_u_een als_je_dit_leest",
    Role.YOUR: "je jij jouw jou kreeg_je je_kreeg",
    Role.MUST: "moet moeten zou_moeten dient dienen mag mogen gelieve alstublieft",
    Role.NO: "niet nooit geen zonder",
    Role.DROP: """negeer negeert negeren vergeet vergeten veronachtzaam laat_buiten_beschouwing volg_niet
        overschrijf omzeil omzeilen verwerp wis_alle trek_je_niets_aan hoeft_niet_meer hoef_je_niet""",
    Role.FOLLOW: "volg volgen gehoorzaam luister gebruik opvolgen",
    Role.IF: "als indien",
    Role.PRETEND: "doe_alsof doet_alsof",
    Role.CHANGE: "halveer halveren verlaag verlagen verdubbel verhoog vermenigvuldig",
    Role.SWAP: "vervang vervangen",
    Role.LIFT: "verwijder schakel hef",
    Role.MENTION: "vermeld noem",
    Role.VOID: """ingetrokken vervallen gelden_niet geldt_niet geannuleerd ongeldig niet_meer_van_toepassing
        heeft_voorrang niet_langer""",
    Role.SAY: """toon toont tonen laat_zien schrijf schrijven herhaal herhalen geef noem noemen meld melden vermeld
        vermelden vertaal print rapporteer rapporteren extraheer extraheren onthul neem_op kopieer laat
        worden_vermeld worden_geëxtraheerd vermeld_worden worden_gemeld zeg vertel zeggen""",
    Role.ANSWER: "antwoord antwoorden beantwoord geef_terug geef retourneer retourneren terug zeg beveel",
    Role.ONLY: "alleen uitsluitend slechts enkel altijd",
    Role.SET: """zet zetten stel_in stel wijzig wijzigen verander vervang vervangen geef noteer registreer vul maak
        verdubbel behandel laat wissel vermenigvuldig ken_toe""",
    Role.MARK: """markeer markeren beschouw beschouwen behandel accepteer accepteren keur_goed goedkeuren bevestig
        bestempel classificeer beoordeel""",
    Role.OMIT: "overslaan sla_over sla weglaten laat_weg verberg verbergen verzwijg sluit_uit",
    Role.SEND: "stuur verstuur verzend zend upload open roep",
    Role.BECOME: """je_bent_nu je_bent_niet_langer vanaf_nu_ben je_bent_geen je_bent_vanaf_nu doe_alsof gedraag_je
        speel_de_rol nieuwe_instructies vanaf_nu_antwoord*""",
    Role.RULES: """instructie* regel regels opdracht* richtlijn* bevel* voorschrift* aanwijzing* beperking* prompt
        prompts taak taken context beperkingen schema""",
    Role.BEFORE: """vorig* eerder* voorgaand* bovenstaand* voorafgaand* oorspronkelijk* aanvankelijk* hierboven
        tot_nu_toe daarvoor vroeger* verborgen geheim* intern* eerste in_het_begin begin""",
    Role.TOLD: "gekregen gezegd verteld ontvangen gegeven geleerd ingesteld geconfigureerd getraind kreeg",
    Role.EVERY: "alle elk elke ieder* gehele volledige volgende onderstaande deze",
    Role.EVERYTHING: "alles wat_je wat_er tekst",
    Role.PROMPT: "systeemprompt* systeem-prompt* systeeminstructie* systeembericht* systeem_prompt",
    Role.FIGURE: """prijs prijzen kosten betrouwbaarheid* vertrouwensscore* valuta sku artikelnummer* code codes
        productcode* korting* merk gewicht hoeveelheid aantal leverancier*""",
    Role.GOODS: """product producten artikel artikelen rij rijen regel regels veld velden waarde waarden kolom*
        item items""",
    Role.NOTHING: "nul leeg lege gratis onbekend niets uitverkocht",
    Role.PASSED: "goedgekeurd gecontroleerd geverifieerd bevestigd gevalideerd geaccepteerd juist voorblad leeg",
    Role.REVIEW: """menselijke_controle handmatige_controle menselijke_beoordeling handmatige_beoordeling een_mens
        menselijk_toezicht handmatige_verificatie menselijke_verificatie handmatige_goedkeuring door_een_mens""",
    Role.FORM: "json woord lijst gedicht zin object letter",
    Role.THIS: "dit deze",
    Role.PAGE: "pagina pagina's document* bestand* tekst tabel* catalogus lijst pdf blad prijslijst*",
    Role.FREE: "zonder_beperking* zonder_regels zonder_grenzen onbeperkt* ongecensureerd*",
    Role.TAKEN: "geëxtraheerde uitgelezen gelezen resultaten wat_je de_hele_inhoud",
    Role.PART: "assistent verkoper beheerder ontwikkelaar vrij vrije expert ai",
    Role.LIMITS: "beperkingen alle_regels",
    Role.OPERATOR: "beheerder* ontwikkelaar* maker makers",
    Role.OWNER: "je_ontwikkelaar* jouw_ontwikkelaar* je_maker* je_beheerder",
    Role.STATUS: "betrouwbaarheid*",
    Role.NOTES: "opmerking* beschrijving*",
    Role.ITSELF: "deze_instructie deze_opmerking de_gebruiker deze_alinea gebruiker",
    Role.QUESTION: "vraag vragen gevraagd",
    Role.TASK: "je_nieuwe_taak je_echte_taak",
    Role.HARM: "letsel schade garantie brand ongeval* ongeluk* gevaar schok dood",
}
