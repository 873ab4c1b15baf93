"""Polish."""

from processing.engine.guard.roles import Role

POLISH = {
    Role.WHO: """model_językowy modelem_językowym modele_językowe modeli_językowych modelu_językowego systemy_ai
        systemów_ai system_ai model_ai modelem_ai asystent_ai asystencie_ai asystentem_ai agent_ai agentem_ai
        czytniki_automatyczne automatyczne_czytniki automatycznych_czytników automatycznych_systemów
        automatyczne_systemy systemów_automatycznych sztuczna_inteligencj* sztucznej_inteligencji
        sztuczną_inteligencją automaty program_czytający programy_czytające boty chatbot* parser
        program_przetwarzający systemy_przetwarzające agenci_ai agentom_ai""",
    Role.MACHINE: """ai asystent* model modele system systemy systemów program* oprogramowanie robot roboty bot
        maszyn* czytnik* algorytm* agent narzędzi* kto ktokolwiek""",
    Role.AGENT: "asystent* ai sztuczna_inteligencj*",
    Role.READS: """czyta czytający czytające czytających czytasz czytaj przetwarza przetwarzający przetwarzające
        przetwarzających analizuje analizujący odczytuje odczytujące streszcza czytają""",
    Role.TO: "do dla uwaga uwadze notatka wiadomość jeśli_jesteś jeżeli_jesteś",
    Role.GREETING: "drogi droga szanowny witaj cześć jeśli_jesteś jeżeli_jesteś jeśli_czytasz jeśli_to_czytasz",
    Role.YOUR: "ty twój twoje twoja twoich swój swoje swoich swoją ci tobie cię dostałeś otrzymałeś",
    Role.MUST: "musi muszą powinien powinna powinno powinny mają ma należy proszę trzeba winien",
    Role.NO: "nie nigdy żadnych żadnego żadnej bez",
    Role.DROP: """ignoruj zignoruj ignorować zignorować zapomnij zapomnieć pomiń_instrukcje pomiń_poprzednie
        pomiń_wszystkie odrzuć nie_stosuj nie_przestrzegaj lekceważ zlekceważ nadpisz obejdź porzuć nie_musisz_już
        nie_obowiązują_cię""",
    Role.FOLLOW: "słuchaj stosuj przestrzegaj wykonuj używaj",
    Role.IF: "jeśli jeżeli gdy",
    Role.PRETEND: "udawaj udawajcie",
    Role.CHANGE: "obniż obniżyć zmniejsz podwój podnieś podziel",
    Role.SWAP: "zamień zastąp",
    Role.LIFT: "usuń wyłącz znieś",
    Role.MENTION: "wspominaj",
    Role.VOID: """unieważnion* nieważne nie_obowiązują odwołan* uchylon* anulowan* ma_pierwszeństwo
        mają_pierwszeństwo przestają_obowiązywać odwołane anulowane""",
    Role.SAY: """pokaż wyświetl wypisz napisz powtórz ujawnij podaj podać podawaj wydrukuj zgłaszaj zgłaszać zgłoś
        przetłumacz wymień wymieniaj wyodrębniaj wyodrębnij wypisuj zwróć zwracaj raportuj raportować uwzględniaj
        uwzględniać skopiuj wspominaj ujmuj wyciągaj pisz być_zgłaszan* być_wyodrębnian* być_podawan* powiedz mów
        mówić zdradź""",
    Role.ANSWER: "odpowiedz odpowiadaj odpowiedź zwróć zwracaj poleć polecaj powiedz",
    Role.ONLY: "tylko wyłącznie jedynie zawsze",
    Role.SET: """ustaw ustawić ustal zmień zmienić zamień zastąp podaj wpisz wpisać zapisz przypisz pomnóż podwój
        traktuj zostaw oznacz ustawcie nadaj""",
    Role.MARK: """oznacz oznaczyć oznaczcie uznaj uznać traktuj zatwierdź zatwierdzić zaakceptuj akceptuj potwierdź
        sklasyfikuj oceń""",
    Role.OMIT: "pomiń pomijać pominąć pomijaj ukryj ukryć przemilcz wyklucz opuść",
    Role.SEND: "wyślij prześlij wysłać przekaż opublikuj otwórz wywołaj",
    Role.BECOME: """jesteś_teraz teraz_jesteś nie_jesteś_już od_teraz od_tej_pory udawaj zachowuj_się_jak wciel_się
        nowe_instrukcje nowe_polecenia""",
    Role.RULES: """instrukcj* zasad zasady reguł* polece* wytyczn* rozkaz* nakaz* ograniczeń ograniczenia prompt*
        wskazówk* wskazówek zadanie zadania zadań kontekst schemat*""",
    Role.BEFORE: """poprzedni* wcześniejsz* wcześniej powyższ* powyżej dotychczasow* dotąd pierwotn* początkow*
        początku uprzedni* dawn* ukryt* tajn* wewnętrzn* na_początku pierwsze pierwszych""",
    Role.TOLD: """otrzymał* dosta* powiedziano podano przekazan* mówiono nauczon* skonfigurowan* podane dane
        dostałeś otrzymałeś""",
    Role.EVERY: "wszystki* każd* wszelki* cał* następując* poniższ* te tych",
    Role.EVERYTHING: "wszystko wszystkim co_ci tekst",
    Role.PROMPT: """prompt_systemowy promptu_systemowego instrukcje_systemowe wiadomość_systemow*
        komunikat_systemowy_w polecenie_systemowe instrukcji_systemowych""",
    Role.FIGURE: """cena cenę ceny cen ceną koszt* pewność pewności ufności walut* sku kod kody kodów
        numer_artykułu numery_artykułów rabat* mark* waga iloś* dostawc*""",
    Role.GOODS: "produkt* artykuł* wiersz* pozycj* pól pola pole wartoś* kolumn* towar*",
    Role.NOTHING: "zero zera zerow* pust* darmow* bezpłatn* nieznan* nic 0_zł wyprzedan*",
    Role.PASSED: """zatwierdzon* sprawdzon* zweryfikowan* zaakceptowan* potwierdzon* poprawn* okładk* kompletn*
        przejrzan*""",
    Role.REVIEW: """kontroli_człowieka kontrola_człowieka człowiek* ręcznej_kontroli ręczna_kontrola
        ręcznej_weryfikacji ręczna_weryfikacja weryfikacji_ludzkiej sprawdzenia_przez przeglądu_przez""",
    Role.FORM: "json słowo słowem lista listę wiersz_poetycki zdanie obiekt literę",
    Role.THIS: "ten ta tę tej tego tym te to",
    Role.PAGE: "strona stronę strony stronie dokument* plik* tekst* tabel* katalog* lista pdf arkusz* cennik*",
    Role.FREE: "bez_ograniczeń bez_zasad bez_reguł bez_limitów bez_cenzury nieograniczon*",
    Role.TAKEN: "wyodrębnion* odczytan* przeczytan* wyniki całą_treść",
    Role.PART: "asystent* sprzedawc* administrator* programist* wolny ekspert* ai",
    Role.LIMITS: "ograniczenia wszystkie_zasady",
    Role.OPERATOR: "operator* programist* twórc*",
    Role.OWNER: "twój_twórca twoich_twórców twój_operator twój_programista twojego_operatora",
    Role.STATUS: "statusie pewność pewności ufności",
    Role.NOTES: "uwagi opis*",
    Role.ITSELF: "tej_instrukcji tym_akapicie użytkownikowi tej_notatce użytkownik*",
    Role.QUESTION: "pytani* zapyta*",
    Role.TASK: "twoje_nowe_zadanie twoim_zadaniem",
    Role.HARM: "obrażeni* uszkodze* gwarancj* pożar* wypad* śmier* niebezpiecz* porażeni*",
}
