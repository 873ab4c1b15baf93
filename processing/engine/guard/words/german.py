"""German."""

from processing.engine.guard.roles import Role

GERMAN = {
    Role.WHO: """sprachmodell* ki-modell* ki-system* ki-assistent* ki-agent* ki-leser* ki-programm* ki-werkzeug*
        ki_modell* ki_system* ki_assistent* sprachassistenzsystem* künstliche_intelligenz* automatische_leser*
        automatischen_leser* automatische_systeme automatischen_systeme* automatisierte_systeme
        automatisierten_system* maschinelle_leser* maschinellen_leser* maschinenleser* textmodell* chatbot* bots
        automatisierte_leser* automatisierten_leser* auslesesystem* extraktionsprogramm* extraktionssystem*
        auslesende* maschinell_verarbeitet maschinell_auswertet automatisch_verarbeitet automatisch_ausliest
        automatisch_auswertet maschinell_liest maschinell_ausliest auslesesoftware parser ki,_die
        automatische_auswertung* automatisierte_auswertung*""",
    Role.MACHINE: """ki ki-systeme modell assistent* system systeme programm* software roboter bot maschine*
        automat* algorithm* agent agenten werkzeug* leser programme auswertungen werkzeuge""",
    Role.AGENT: "assistent* ki bot bots agenten ki-system* künstliche_intelligenz",
    Role.READS: """liest lesen lies gelesen verarbeite* verarbeitest auswerte* auswertet wertet analysier*
        verarbeitung ausliest auslesen auslesende einliest einlesen zusammenfass* extrahier* interpretier*
        durchsuch* auswerten verarbeiten lese""",
    Role.TO: """an für achtung hinweis nachricht mitteilung wenn_du falls_du sofern_du wenn_sie_ein falls_sie_ein
        anweisung_an wer""",
    Role.CALLED: """maschinell_verarbeitet maschinell_auswertet automatisch_verarbeitet automatisch_ausliest
        automatisch_auswertet maschinell_liest maschinell_ausliest""",
    Role.GREETING: """liebe lieber liebes hallo wenn_du_ein falls_du_ein wenn_du_eine falls_du_eine wenn_sie_ein
        falls_sie_ein wenn_du_das_lesen wenn_du_dies_liest""",
    Role.YOUR: "du dir dein* dich ihr eur* deine deiner deinen",
    Role.MUST: """muss müssen musst soll sollen sollst sollte sollten bitte ist_anzugeben sind_anzugeben hat haben
        dürfen darf zu_setzen anzugeben auszugeben einzutragen zu_melden""",
    Role.NO: "nicht nie niemals kein keine keinen keiner ohne",
    Role.DROP: """ignorier* vergiss vergesst vergessen missachte* verwirf verwerfen außer_acht überschreib* umgeh*
        übergeh* befolge_nicht lösche unbeachtet nicht_mehr_befolgen kümmere_dich_nicht musst_dich_nicht
        nicht_mehr_an_die nicht_länger_befolgen nicht_mehr_gebunden halte_dich_nicht""",
    Role.FOLLOW: """folge folgt befolge befolgen folgen gehorche beachte halte_dich benutze verwende verwenden
        beachten einhalten""",
    Role.IF: "wenn falls bei",
    Role.PRETEND: "tu_so tue_so als_wäre tun_sie_so",
    Role.CHANGE: "halbiere* verdopple* senke* erhöhe verringere reduziere teile multipliziere",
    Role.SWAP: "ersetze ersetzen tausche vertausche",
    Role.LIFT: "entferne deaktiviere umgehe hebe schalte",
    Role.MENTION: "erwähn*",
    Role.VOID: """gelten_nicht gilt_nicht ungültig aufgehoben außer_kraft hinfällig widerrufen nicht_mehr_gültig
        nicht_mehr hat_vorrang haben_vorrang gelöscht überschreib*""",
    Role.SAY: """gib ausgeben gebt zeig zeige zeigen nenne nennen schreib schreibe schreiben wiederhole wiederholen
        drucke melde melden übersetze berichte* auflisten liste_auf extrahier* verrate offenbare erwähne* aufführen
        führe_auf kopiere erfasse* erfassen gib_aus geben_sie anzugeben auszugeben angeben ausgegeben_werden
        gemeldet_werden aufgenommen_werden erfasst_werden extrahiert_werden aufgeführt_werden genannt_werden sage
        sag verrat erzähl* nenn teile_mit""",
    Role.ANSWER: """antworte antworten gib_zurück gib gebt geben_sie zurückgeben zurück empfiehl empfehlen lobe
        lobst bewerte deine_antwort deine_ausgabe sende_zurück gib_aus""",
    Role.ONLY: "nur ausschließlich lediglich immer stattdessen einzig",
    Role.SET: """setze setzt setzen ändere ändern ersetze ersetzen schreib schreibe trage tragen stell stelle gib
        anzugeben einzutragen anzusetzen verdopple* halbiere* erhöhe senke tausche vertausche multipliziere
        behandle melde eintragen angeben zu_setzen lass übernimm auszugeben festlegen lege_fest""",
    Role.MARK: """markier* kennzeichne* betrachte* behandle* behandeln gilt_als gelten_als als_geprüft akzeptiere*
        genehmige* bestätige* bestätigen freigeben gib_frei einstufen stufe klassifiziere* bewerte winke""",
    Role.OMIT: """weglassen lass_weg lasse_weg auslassen überspring* verschweig* unterschlag* weggelassen
        ausblenden blende_aus verbirg verbergen""",
    Role.SEND: "sende schicke senden schick übermittle* lade rufe_auf öffne übertrage* poste",
    Role.BECOME: """du_bist_jetzt du_bist_nun ab_sofort_bist ab_jetzt_bist von_nun_an du_bist_kein
        du_bist_nicht_mehr spiele_die_rolle tu_so verhalte_dich stell_dir_vor_du ab_jetzt_antwort* neue_anweisung*
        du_heißt ab_jetzt_bist_du sei_ab_jetzt""",
    Role.RULES: """anweisung* regel regeln vorgabe* richtlinie* instruktion* befehl* vorschrift* anleitung*
        weisung* auftrag aufträge aufgabe* beschränkung* einschränkung* prompt prompts kontext text_mit
        anfangsanweisung* beschränkungen einschränkungen schema ausgabeformat antwortformat""",
    Role.BEFORE: """vorherig* vorig* bisher* obig* vorangegangen* vorangehend* früher* ursprünglich* anfänglich*
        zuvor vorher oben vorstehend* davor erst* alte alten geheim* intern* versteckt* eingerichtet anfang* beginn
        am_anfang zu_beginn ersten erste""",
    Role.TOLD: """gesagt erhalten gegeben bekommen mitgeteilt angewiesen gelernt eingerichtet konfiguriert
        trainiert bekamst hast_du wer_du gesagt_wurde vorgegeben*""",
    Role.EVERY: "alle allen aller alles jede* sämtlich* ganze* jeweils durchgehend folgende* nachstehend* diese",
    Role.EVERYTHING: "alles was_dir was_du text texte worte wer_du",
    Role.PROMPT: """systemprompt* system-prompt* systemanweisung* systemnachricht* system_prompt
        systemmeldung_an_dich deinen_prompt dein_prompt""",
    Role.FIGURE: """preis preise preisen kosten konfidenz* vertrauenswert* artikelnummer* sku skus währung* rabatt*
        bestellnummer* produktcode* marke gewicht einzelpreis* nettopreis* zuverlässigkeit artikelcode* menge
        mengen lieferant*""",
    Role.GOODS: """produkt* artikel artikeln zeile zeilen position positionen eintrag einträge ware waren feld
        felder spalte* datensatz werte""",
    Role.NOTHING: "null leer leere leeren leeres gratis kostenlos unbekannt 0_euro nichts ausverkauft",
    Role.PASSED: """geprüft freigegeben genehmigt bestätigt verifiziert überprüft vollständig gültig korrekt
        deckblatt akzeptiert validiert ausverkauft leer richtig""",
    Role.REVIEW: """manuelle_prüfung manuelle_kontrolle manuellen_prüfung manuellen_kontrolle menschliche*
        einem_menschen ein_mensch einen_menschen manuelle_überprüfung manuelle_freigabe von_menschen durch_menschen
        nachprüfung prüfer händische* prüfung_durch_einen ohne_prüfung""",
    Role.FORM: "json wort liste gedicht satz antwort ausgabe objekt buchstabe*",
    Role.THIS: "dies* dies dieses",
    Role.PAGE: """seite seiten dokument* datei dateien text texte tabelle* katalog* blatt liste pdf absatz
        abschnitt preisliste*""",
    Role.FREE: """ohne_einschränkung* ohne_beschränkung* ohne_regeln unbeschränkt* uneingeschränkt* ohne_grenzen
        unzensiert*""",
    Role.TAKEN: """extrahierten extrahierte ausgelesenen gelesenen was_du ergebnisse gelesen gesamten_inhalt
        ganzen_inhalt""",
    Role.PART: """verkäufer* assistent* administrator* entwickler* frei freie freies unbeschränkt* berater experte
        hilfs* ki erzähler dichter pirat* einstein""",
    Role.LIMITS: "beschränkungen einschränkungen alle_regeln deine_regeln",
    Role.OPERATOR: "betreiber* entwickler* auftraggeber*",
    Role.OWNER: """dein_entwickler* deine_entwickler* deinem_entwickler* deinen_entwicklern dein_betreiber*
        deinem_betreiber* dein_administrator""",
    Role.STATUS: "prüfstatus konfidenz* vertrauenswert*",
    Role.NOTES: "bemerkung* beschreibung*",
    Role.ITSELF: """diesen_hinweis diesem_hinweis diese_anweisung diesen_absatz den_nutzer dem_nutzer dem_benutzer
        den_benutzer dieser_anweisung dieser_absatz""",
    Role.QUESTION: "frage* gefragt",
    Role.TASK: "deine_neue_aufgabe deine_eigentliche_aufgabe deine_wahre_aufgabe",
    Role.HARM: "schäden schaden garantie* gewährleistung* verletzung* unfall* brand gefahr* stromschlag tod",
}
