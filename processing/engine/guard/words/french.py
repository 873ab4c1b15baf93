"""French."""

from processing.engine.guard.roles import Role

FRENCH = {
    Role.WHO: """modèle_de_langage modèles_de_langage modèle_d'ia modèles_d'ia modèle_linguistique assistant_ia
        assistants_ia agent_ia agents_ia système_d'ia systèmes_d'ia systèmes_automatiques système_automatique
        lecteurs_automatiques lecteur_automatique lecteurs_automatisés lecteur_automatisé systèmes_automatisés
        intelligences_artificielles robots_lecteurs outils_automatiques outil_d'extraction logiciel_d'extraction
        programme_d'extraction analyseur_automatique aux_ia ia_qui les_ia l'ia chatbot* modèle_d'intelligence
        systèmes_d'intelligence système_d'intelligence agent_automatique agents_automatiques machine_lectrice
        traite_automatiquement traite_ce_document traite_ce_fichier quiconque_traite analyse_ce_document
        analyse_ce_fichier""",
    Role.MACHINE: """ia intelligence_artificielle assistant assistants modèle système systèmes programme programmes
        logiciel logiciels robot robots machine machines lecteur lecteurs algorithme* outil outils agent quiconque""",
    Role.AGENT: "assistant assistants ia intelligence_artificielle",
    Role.READS: """lit lisez lisent lis lisant traite traitez traitent traitant analyse analysez analysent
        analysant extrait lecture résume lise""",
    Role.TO: "à aux pour attention note avis message à_l'attention au si_vous_êtes si_tu_es destiné*",
    Role.CALLED: """traite_automatiquement traite_ce_document traite_ce_fichier quiconque_traite
        analyse_ce_document analyse_ce_fichier""",
    Role.GREETING: """cher chère bonjour si_vous_êtes_un si_vous_êtes_une si_tu_es_un si_tu_es_une
        à_l'attention_des_ia si_tu_lis si_tu_peux_lire""",
    Role.YOUR: "tu te tes ton ta toi vos_instructions votre_prompt t'a t'ont vous_a_été",
    Role.MUST: """doit doivent devez dois devrait veuillez prière est_prié sont_priés faut merci_de vous_prie_de
        sont_priées sont_invités""",
    Role.NO: "ne pas n jamais aucun aucune sans",
    Role.DROP: """ignore ignorez ignorer oublie oubliez oublier ne_tiens_pas_compte ne_tenez_pas_compte
        fais_abstraction faites_abstraction passe_outre passez_outre contourne* méprise néglige négligez
        ne_suis_plus ne_suivez_plus écarte efface remplace_les laisse_tomber ne_respecte_pas annule annulez
        n'as_plus_à n'êtes_plus_tenu n'es_plus_tenu n'avez_plus_à cesse_d'utiliser arrête_de""",
    Role.FOLLOW: "suis suivez suivre obéis obéissez respecte respectez écoute écoutez utilise utilisez",
    Role.IF: "si lorsque",
    Role.PRETEND: "fais_comme faites_comme fais_semblant faites_semblant comme_si_cette",
    Role.CHANGE: """divise divisez diviser réduis réduire réduisez double_tous doublez baisse baissez augmente
        multiplie""",
    Role.SWAP: "remplace remplacez échange",
    Role.LIFT: "supprime supprimez désactive désactivez lève levez contourne",
    Role.MENTION: "mentionne mentionnez mentionner",
    Role.VOID: """annulé* caduc* caduques ne_s'appliquent_plus ne_sont_plus_valables n'est_plus_valable révoqué*
        prévaut priment levé levées annulées annulés""",
    Role.SAY: """affiche affichez afficher montre montrez écris écrivez écrire révèle révélez répète répétez
        indiquez indique signalez signale signaler mentionnez mentionne extrayez extrais extraire traduis traduisez
        imprime donne donnez liste_les recopie recopiez listez rapporte rapportez divulgue communique renvoyer
        incluez relève être_extrait* être_mentionné* être_signalé* être_inclus* dis dites donne-moi raconte dévoile""",
    Role.ANSWER: """réponds répondez répondre réponse renvoie renvoyez renvoyer retourne retournez retourner
        recommande recommandez dis dites produis ta_réponse ne_renvoie ne_réponds""",
    Role.ONLY: "seulement uniquement exclusivement juste toujours rien_que simplement ne_renvoie_que ne_réponds_que",
    Role.SET: """mets mettez mettre fixe fixez fixer indiquez indique remplace remplacez modifie modifiez change
        changez définis définissez règle_les attribue attribuez inscris inscrivez enregistre enregistrez écris
        double doublez laisse laissez multiplie considère considérez marque mettre_à passe porte renseigne
        renseignez saisis saisissez""",
    Role.MARK: """marque marquez marquer considère considérez considérer approuve approuvez approuver accepte
        acceptez valide validez valider traite_comme traitez_comme classe classez notez étiquette confirme""",
    Role.OMIT: """omettez omets omettre saute sautez cachez masque masquez exclus excluez exclure
        passe_sous_silence tais cache_les cache_le cache_la cache_ce""",
    Role.SEND: """envoie envoyez envoyer transmets transmettez transfère transférez poste télécharge téléverse
        appelle ouvre soumets""",
    Role.BECOME: """tu_es_maintenant vous_êtes_maintenant tu_n'es_plus vous_n'êtes_plus désormais_tu
        à_partir_de_maintenant fais_comme_si agis_comme joue_le_rôle comporte-toi dorénavant_tu tu_es_désormais
        nouvelles_instructions vous_êtes_désormais fais_semblant""",
    Role.RULES: """instruction* consigne* règle règles directive* ordre ordres commande_système contrainte* prompt
        prompts restriction* indications recommandation* tâche tâches contexte restrictions contraintes schéma""",
    Role.BEFORE: """précédent* précédemment antérieur* ci-dessus initial* initiaux initiales original* originel*
        jusqu'ici jusqu'à_présent avant auparavant plus_haut d'origine reçues_jusqu'ici caché* secret* interne*
        au-dessus au_début début premières premiers""",
    Role.TOLD: """reçu reçues reçus dit donné* appris indiqué* configuré* entraîné* été_données programmé* t'a_dit
        as_reçu on_t'a qui_tu_es données_plus_tôt données fourni*""",
    Role.EVERY: "tout toute tous toutes chaque l'ensemble chacun* suivant* ci-dessous",
    Role.EVERYTHING: "tout_ce ce_qui ce_que texte qui_tu_es",
    Role.PROMPT: """prompt_système invite_système message_système instructions_système invite_de_système
        prompt_initial ton_prompt""",
    Role.FIGURE: """prix coût coûts tarif tarifs confiance devise référence références sku code codes remise*
        marque marques numéro_d'article numéros_d'article poids fiabilité quantité* fournisseur*""",
    Role.GOODS: "produit produits article articles ligne lignes champ champs valeur valeurs colonne* entrée entrées",
    Role.NOTHING: "zéro nul nulle vide vides gratuit* inconnu 0_euro rien rupture épuisé*",
    Role.PASSED: """validé* approuvé* vérifié* contrôlé* confirmé* accepté* conforme correct page_de_garde
        couverture complet""",
    Role.REVIEW: """relecture_humaine contrôle_humain vérification_humaine révision_humaine contrôle_manuel
        vérification_manuelle relecture_manuelle validation_humaine un_humain une_personne révision_manuelle
        intervention_humaine relecture validation_manuelle""",
    Role.FORM: "json mot mots liste poème phrase tableau_vide liste_vide objet lettre",
    Role.THIS: "ce cet cette ces ceci cela",
    Role.PAGE: "page pages document documents fichier* texte tableau* catalogue* liste pdf feuille brochure",
    Role.FREE: "sans_restriction* sans_limite* sans_règle* sans_contrainte* sans_censure non_censuré* illimité*",
    Role.TAKEN: "extraites extraits extraite lues lu ce_que_tu résultats tout_le_contenu contenu_de_cette",
    Role.PART: "assistant vendeur administrateur développeur pirate expert libre traducteur ia",
    Role.LIMITS: "restrictions contraintes toutes_les_règles tes_règles",
    Role.OPERATOR: "opérateur* développeur* concepteur*",
    Role.OWNER: "ton_développeur tes_développeurs ton_créateur tes_créateurs ton_opérateur ton_administrateur",
    Role.STATUS: "statut confiance",
    Role.NOTES: "remarques description",
    Role.ITSELF: "cette_consigne ce_paragraphe l'utilisateur cette_instruction cette_note utilisateur",
    Role.QUESTION: "question*",
    Role.TASK: "ta_nouvelle_tâche ta_vraie_tâche",
    Role.HARM: "blessure* dommage* garantie incendie accident* décès danger* dégât* choc",
}
