"""Italian."""

from processing.engine.guard.roles import Role

ITALIAN = {
    Role.WHO: """modello_linguistico modelli_linguistici modello_di_linguaggio modelli_di_linguaggio modello_di_ia
        assistente_ia assistenti_ia assistente_ai agente_ia agenti_ia sistema_di_ia sistemi_di_ia
        sistemi_automatici lettori_automatici lettore_automatico sistemi_automatizzati lettori_automatizzati
        strumento_di_estrazione programma_di_estrazione sistemi_di_intelligenza sistema_di_intelligenza
        all'intelligenza_artificiale un'ia le_ia modello_ai chatbot* elabora_questo_documento in_automatico
        modello_di_intelligenza un'intelligenza_artificiale assistente_virtuale chi_elabora chiunque_elabori""",
    Role.MACHINE: """ia ai intelligenza_artificiale assistente assistenti modello sistema sistemi programma
        programmi software robot bot macchina macchine lettore lettori algoritm* strumento agente chi chiunque""",
    Role.AGENT: "assistente assistenti ia ai intelligenza_artificiale",
    Role.READS: """legge leggono leggi leggendo elabora elaborano elabori elaborando analizza analizzano analizzi
        estrae riassume riassumi interpreta legga""",
    Role.TO: "a agli alle per attenzione nota avviso messaggio al se_sei",
    Role.CALLED: "in_automatico elabora_questo_documento chi_elabora chiunque_elabori",
    Role.GREETING: "caro cara gentile ciao salve se_sei_un se_sei_una se_sei_un' se_puoi_leggere se_leggi",
    Role.YOUR: "tu tuo tua tue tuoi ti te hai",
    Role.MUST: "deve devono devi dovrebbe dovrebbero si_prega prego è_da sono_da occorre bisogna per_favore è_tenuto",
    Role.NO: "non mai nessun nessuna nessuno senza",
    Role.DROP: """ignora ignorate ignorare ignori dimentica dimenticate dimenticare dimentichi trascura trascurate
        trascurare non_seguire disobbedisci non_tenere_conto non_tenete_conto scarta abbandona tralascia_le annulla
        aggira scavalca lascia_perdere non_devi_più non_sei_più_tenuto smetti_di_usare smetti_di_seguire""",
    Role.FOLLOW: "seguire segui seguite obbedire rispettare ascoltare usare usa",
    Role.IF: "se qualora quando",
    Role.PRETEND: "fai_finta fate_finta fingi fingere",
    Role.CHANGE: "dimezza dimezzare dimezzi riduci ridurre raddoppia abbassa aumenta moltiplica dividi",
    Role.SWAP: "sostituisci sostituite",
    Role.LIFT: "rimuovi rimuovete disattiva disattivate elimina",
    Role.MENTION: "menzionare menzionate menzioni",
    Role.VOID: """annullat* non_valgono_più non_si_applicano revocat* decadut* prevale ha_la_precedenza sono_nulle
        annullate""",
    Role.SAY: """mostra mostrate mostrare mostrami scrivi scrivete scrivere ripeti ripetete rivela rivelate stampa
        stampate riporta riportate riportare indica indicate traduci traducete estrai estraete estrarre includi
        includete menziona menzionare menzionate elenca elencate copia copiate segnala segnalate segnalare inserire
        dimmi essere_estratt* essere_riportat* essere_inclus* essere_menzionat* dite racconta dire""",
    Role.ANSWER: """rispondi rispondete rispondere risposta restituisci restituite restituire consiglia raccomanda
        la_tua_risposta""",
    Role.ONLY: "solo soltanto solamente unicamente esclusivamente sempre",
    Role.SET: """imposta impostate impostare metti mettete cambia cambiate modifica modificate sostituisci
        sostituite riporta riportare riportato scrivi assegna assegnate registra registrate lascia lasciate
        raddoppia moltiplica considera inserisci fissa indica indicate impostato""",
    Role.MARK: """contrassegna contrassegnate segna segnate considera considerate consideri considerare approva
        approvate approvare accetta accettate accettare convalida tratta trattate classifica classificate conferma""",
    Role.OMIT: """ometti omettete omettere tralascia tralasciate nascondi nascondete escludi escludete escludere
        salta saltate saltare sopprimi""",
    Role.SEND: "invia inviate inviare manda mandate trasmetti carica inoltra pubblica chiama apri",
    Role.BECOME: """ora_sei adesso_sei non_sei_più da_questo_momento da_ora_in_poi d'ora_in_poi d'ora_in_avanti
        agisci_come fingi comportati nuove_istruzioni sei_diventato""",
    Role.RULES: """istruzioni istruzione regola regole ordine ordini direttiv* indicazioni comando comandi prompt
        vincoli vincolo restrizioni restrizione norme compito compiti linee_guida contesto limitazioni schema""",
    Role.BEFORE: """precedente precedenti precedentemente di_cui_sopra sopra iniziale iniziali original* prima
        finora fin_qui nascost* segret* intern* anteriori all'inizio inizio prime primi""",
    Role.TOLD: """dato detto dette ricevut* impartit* fornit* comunicat* configurat* appreso addestrat* programmat*
        state_date stati_dati date_in ti_hanno hai_ricevuto ricevuto chi_sei date_prima""",
    Role.EVERY: "tutto tutta tutti tutte ogni ciascun* qualsiasi qualunque seguent*",
    Role.EVERYTHING: "tutto_ciò tutto_quello ciò_che quanto_ti quello_che testo chi_sei",
    Role.PROMPT: """prompt_di_sistema messaggio_di_sistema istruzioni_di_sistema prompt_iniziale prompt_del_sistema
        tuo_prompt""",
    Role.FIGURE: """prezzo prezzi costo costi confidenza affidabilità valuta sku codice codici riferiment* sconto
        sconti marca marchio numero_articolo peso quantità fornitore fornitori""",
    Role.GOODS: "prodotto prodotti articolo articoli riga righe campo campi valore valori colonna colonne voce voci",
    Role.NOTHING: "zero nullo nulla vuoto vuota gratis gratuito sconosciuto niente esaurito",
    Role.PASSED: """approvat* verificat* convalidat* controllat* confermat* accettat* corrett* copertina completa
        revisionat*""",
    Role.REVIEW: """revisione_umana revisione_manuale controllo_umano controllo_manuale verifica_umana
        verifica_manuale una_persona un_umano un_essere_umano supervisione_umana convalida_umana intervento_umano""",
    Role.FORM: "json parola lista_vuota poesia frase elenco_vuoto lista oggetto lettera",
    Role.THIS: "questo questa questi ciò",
    Role.PAGE: """pagina pagine documento documenti file testo tabella tabelle catalogo lista elenco pdf foglio
        listino""",
    Role.FREE: "senza_restrizioni senza_limiti senza_limitazioni senza_regole senza_censura senza_vincoli illimitat*",
    Role.TAKEN: "estratti estratte estratto letto risultati ciò_che_hai tutto_il_contenuto",
    Role.PART: "assistente venditore amministratore sviluppatore pirata esperto libero traduttore ia ai",
    Role.LIMITS: "restrizioni limitazioni tutte_le_regole tue_regole",
    Role.OPERATOR: "operatore sviluppator* creatore",
    Role.OWNER: "tuo_sviluppatore tuoi_sviluppatori tuo_creatore tuoi_creatori tuo_operatore",
    Role.STATUS: "lo_stato confidenza",
    Role.NOTES: "note_del descrizione osservazioni",
    Role.ITSELF: "questa_istruzione questo_paragrafo all'utente questa_nota utente",
    Role.QUESTION: "domanda domande",
    Role.TASK: "il_tuo_nuovo_compito il_tuo_vero_compito",
    Role.HARM: "lesioni danni danno garanzia incendi* incident* morte pericol* scossa",
}
