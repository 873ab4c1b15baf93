"""Portuguese."""

from processing.engine.guard.roles import Role

PORTUGUESE = {
    Role.WHO: """modelo_de_linguagem modelos_de_linguagem modelo_de_ia modelos_de_ia assistente_de_ia
        assistentes_de_ia agente_de_ia agentes_de_ia sistema_de_ia sistemas_de_ia sistemas_automáticos
        leitores_automáticos leitor_automático sistemas_automatizados leitores_automatizados ferramenta_de_extração
        programa_de_extração uma_ia as_ias sistemas_de_inteligência sistema_de_inteligência modelo_de_inteligência
        assistente_virtual chatbot* processe_este processar_este quem_processar quem_processe""",
    Role.MACHINE: """ia inteligência_artificial assistente assistentes modelo sistema sistemas programa programas
        software robô robôs bot bots máquina* leitor leitores algoritmo* ferramenta agente quem""",
    Role.AGENT: "assistente assistentes ia inteligência_artificial",
    Role.READS: """lê leem lendo ler leia processa processam processe processar processando analisa analisam
        analise extrai resume resumir interpreta leiam lerem""",
    Role.TO: "a ao aos para atenção nota aviso mensagem à às se_você_é se_és se_voce_for se_você_for",
    Role.CALLED: "processe_este processar_este quem_processar quem_processe",
    Role.GREETING: """caro cara prezado prezada olá se_você_é_um se_você_é_uma se_és_um se_você_for_um
        se_você_for_uma se_você_consegue_ler se_estás_a_ler""",
    Role.YOUR: "você te teu tua teus tuas suas_instruções seu_prompt lhe contigo tu",
    Role.MUST: "deve devem deverá deverão favor tem_de têm_de precisa gentileza deveria devia",
    Role.NO: "não nunca nenhum nenhuma sem jamais",
    Role.DROP: """ignore ignora ignorar ignorem esqueça esquece esquecer desconsidere desconsidera desconsiderar
        despreze não_siga não_sigas desobedeça abandone descarte não_leve_em_conta deixe_de_seguir passe_por_cima
        anule contorne não_precisa_mais não_precisa_seguir pare_de_usar""",
    Role.FOLLOW: "siga sigas obedeça obedeças respeite cumpra use usar",
    Role.IF: "se caso quando",
    Role.PRETEND: "finja finge faça_de_conta",
    Role.CHANGE: "reduza reduzir diminua baixe duplique multiplique aumente divida",
    Role.SWAP: "substitua troque substituir trocar",
    Role.LIFT: "remova desative elimine retire",
    Role.MENTION: "mencione mencionar",
    Role.VOID: """anulad* sem_efeito não_valem_mais não_se_aplicam revogad* cancelad* prevalece tem_prioridade
        perdem_a_validade estão_anuladas""",
    Role.SAY: """mostre mostra mostrar exiba exibir escreva escreve escrever repita repete revele revela imprima
        imprime informe informar informem relate relatar reporte reportar reportem traduza traduz extraia extrair
        extraiam incluam mencione mencionar liste listar copie indique devolva conte diga ser_extraíd* ser_incluíd*
        ser_mencionad* conte_me digas""",
    Role.ANSWER: """responda responde responder resposta devolva devolve devolver retorne retorna retornar
        recomende recomenda diga""",
    Role.ONLY: "apenas somente só unicamente exclusivamente sempre",
    Role.SET: """defina define definir ponha põe coloque coloca colocar altere altera alterar mude muda mudar
        substitua substitui troque troca trocar registre registrar informe informar escreva atribua preencha deixe
        duplique multiplique considere fixe configure ajuste""",
    Role.MARK: """marque marca marcar considere considera considerar aprove aprova aprovar aceite aceitar valide
        validar trate classifique rotule dê_por confirme""",
    Role.OMIT: "omita omite omitir omitam oculte oculta ocultar exclua excluir pule pular salte suprima esconda",
    Role.SEND: "envie envia enviar mande transmita carregue encaminhe publique chame abra",
    Role.BECOME: """agora_você_é você_agora_é você_não_é_mais a_partir_de_agora de_agora_em_diante aja_como finja
        comporte-se novas_instruções você_já_não_é agora_és passa_a_ser""",
    Role.RULES: """instruções instrução regra regras orientações orientação ordem ordens diretriz* comando comandos
        prompt prompts restrições restrição normas tarefa tarefas contexto indicações limitações esquema""",
    Role.BEFORE: """anterior anteriores anteriormente prévia* prévio* original originais inicial iniciais antes
        acima até_agora até_aqui ocult* secret* interna* precedente* no_início início primeiras primeiros""",
    Role.TOLD: """recebeu recebid* dito dita dada dadas deram foi_dito informad* configurad* aprendeu treinad*
        programad* passaram disseram recebeste quem_você""",
    Role.EVERY: "todo toda todos todas cada qualquer seguinte*",
    Role.EVERYTHING: "tudo tudo_o_que o_que texto quem_você",
    Role.PROMPT: "prompt_de_sistema prompt_do_sistema mensagem_de_sistema instruções_do_sistema prompt_inicial",
    Role.FIGURE: """preço preços custo custos confiança moeda sku código códigos referência referências desconto*
        marca marcas número_do_artigo peso quantidade* fornecedor*""",
    Role.GOODS: """produto produtos artigo artigos item itens linha linhas campo campos valor valores coluna*
        entrada entradas""",
    Role.NOTHING: "zero nulo nula vazio vazia grátis gratuito desconhecido nada esgotado",
    Role.PASSED: "aprovad* verificad* validad* revisad* revist* confirmad* aceit* corret* capa completo conferid*",
    Role.REVIEW: """revisão_humana revisão_manual verificação_humana verificação_manual controle_humano
        controle_manual uma_pessoa um_humano supervisão_humana validação_humana conferência_humana
        intervenção_humana""",
    Role.FORM: "json palavra lista poema frase lista_vazia objeto letra",
    Role.THIS: "este esta estes deste desta isto isso",
    Role.PAGE: """página páginas documento* arquivo* ficheiro* texto tabela tabelas catálogo* lista pdf folha
        catálogo lista_de_preços""",
    Role.FREE: "sem_restriç* sem_limite* sem_regras sem_censura sem_filtros ilimitad*",
    Role.TAKEN: "extraídos extraídas extraído lido lidos resultados o_que_você todo_o_conteúdo",
    Role.PART: "assistente vendedor administrador desenvolvedor pirata especialista livre tradutor ia",
    Role.LIMITS: "restrições limitações todas_as_regras suas_regras",
    Role.OPERATOR: "operador* desenvolvedor* criador*",
    Role.OWNER: """seu_desenvolvedor* seus_desenvolvedores seu_criador seus_criadores seu_operador teu_criador
        do_desenvolvedor""",
    Role.STATUS: "status_de confiança",
    Role.NOTES: "observações descrição",
    Role.ITSELF: "esta_instrução este_parágrafo ao_usuário esta_nota usuário este_texto",
    Role.QUESTION: "pergunta*",
    Role.TASK: "sua_nova_tarefa sua_verdadeira_tarefa",
    Role.HARM: "lesões lesão ferimento* dano danos garantia incêndio* acidente* morte perigo* choque",
}
