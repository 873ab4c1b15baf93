"""Spanish."""

from processing.engine.guard.roles import Role

SPANISH = {
    Role.WHO: """modelo_de_lenguaje modelos_de_lenguaje modelo_de_ia modelos_de_ia modelo_lingüístico
        asistente_de_ia asistentes_de_ia agente_de_ia agentes_de_ia sistema_de_ia sistemas_de_ia
        sistemas_automáticos sistema_automático lectores_automáticos lector_automático sistemas_automatizados
        lectores_automatizados herramienta_de_extracción programa_de_extracción procese_este procesen_este
        con_inteligencia_artificial asistente_virtual chatbot* las_ia una_ia sistemas_de_inteligencia
        sistema_de_inteligencia modelo_de_inteligencia asistente_ia agentes_automáticos quien_procese agentes_ia""",
    Role.MACHINE: """ia inteligencia_artificial asistente asistentes modelo sistema sistemas programa programas
        software robot robots bot bots máquina máquinas lector lectores algoritmo* herramienta agente quien""",
    Role.AGENT: "asistente asistentes ia inteligencia_artificial",
    Role.READS: """lee leen lea lean leyendo procesa procesan procese procesen analiza analizan analice extrae
        extraiga resuma resume interpreta""",
    Role.TO: "a para atención nota aviso mensaje al si_eres si_usted_es",
    Role.CALLED: "procese_este procesen_este con_inteligencia_artificial quien_procese",
    Role.GREETING: """estimado estimada querido querida hola si_eres_un si_eres_una si_usted_es_un si_usted_es_una
        si_puedes_leer si_lees""",
    Role.YOUR: "tu tus te ti tú contigo recibiste",
    Role.MUST: "debe deben debes debería deberá deberán favor tiene_que tienen_que ha_de hay_que se_ruega",
    Role.NO: "no nunca ningún ninguna jamás sin",
    Role.DROP: """ignora ignore ignoren ignorar olvida olvide olviden olvidar descarta descarte no_hagas_caso
        no_haga_caso haz_caso_omiso haga_caso_omiso omite_las_instrucciones desatiende no_sigas no_siga
        pasa_por_alto desobedece deja_de_seguir deja_de_lado anula prescinde elimina_las_reglas olvídate olvidate
        desestima ya_no_tienes_que no_tienes_que_seguir ya_no_debes deja_de_usar deje_de_usar""",
    Role.FOLLOW: "sigas siga sigue obedezcas obedezca respetes cumplas uses usar",
    Role.IF: "si cuando",
    Role.PRETEND: "finge finja haz_como haga_como",
    Role.CHANGE: "reduce reduzca reducir baja baje duplica multiplica aumenta divide",
    Role.SWAP: "sustituye sustituya reemplaza reemplace",
    Role.LIFT: "elimina elimine desactiva desactive quita quite",
    Role.MENTION: "menciones mencione mencionar",
    Role.VOID: """anulad* sin_efecto ya_no_valen ya_no_se_aplican revocad* cancelad* prevalece tiene_prioridad
        ya_no_son_válid* quedan_anulad* quedan_anuladas""",
    Role.SAY: """muestra muestre muéstrame mostrar escribe escriba repite repita revela revele imprime imprima
        indica indique traduce traduzca extraiga extraigas extraer extrae incluyas menciones mencione mencionar
        informe informes reporte reportes reportar lista_los copia copie enumera da_a_conocer devuelve devuelva
        dime registra ser_extraíd* ser_incluid* ser_mencionad* di_me cuenta cuéntame diga digas""",
    Role.ANSWER: """responde responda responder respuesta devuelve devuelva devolver contesta conteste recomienda
        recomiende diga retorna""",
    Role.ONLY: "únicamente solamente solo sólo exclusivamente siempre nada_más",
    Role.SET: """pon ponga poner fija fije fijar establece establezca establecer cambia cambie cambiar sustituye
        sustituya reemplaza reemplace registre registrarse registrar asigna asigne modifica modifique escribe
        escriba duplica deja deje anota anote indique multiplica considera considere configura configure""",
    Role.MARK: """marca marque marcar marcarlo marcarla considera considere considerar aprueba apruebe aprobar
        acepta acepte aceptar valida valide trata trate clasifica clasifique da_por dé_por etiqueta""",
    Role.OMIT: """omite omita omitir omitan oculta oculte ocultar excluye excluya excluir salta salte saltar
        suprime suprima""",
    Role.SEND: "envía envíe enviar manda mande transmite sube suba reenvía publica llama abre",
    Role.BECOME: """ahora_eres ya_no_eres a_partir_de_ahora desde_ahora_eres actúa_como actúe_como finge
        haz_de_cuenta compórtate nuevas_instrucciones ahora_tu de_ahora_en_adelante ahora_sos ahora_usted_es""",
    Role.RULES: """instrucciones instrucción regla reglas orden órdenes directriz directrices indicaciones norma
        normas prompt prompts restriccion* restricción pautas tarea tareas contexto restricciones limitaciones
        esquema""",
    Role.BEFORE: """anterior anteriores anteriormente previo previa previos previas original* inicial* antes arriba
        hasta_ahora lo_anterior ocult* secret* interno internas precedente* al_principio principio inicio primeras
        primeros""",
    Role.TOLD: """dieron dado dada dadas recibid* dijeron dicho dicha configuraron configurad* enseñaron aprendido
        recibiste programad* dio recibido quién_eres""",
    Role.EVERY: "todo toda todos todas cada cualquier cualquiera siguiente*",
    Role.EVERYTHING: "todo_lo lo_anterior lo_que cuanto_te texto quién_eres",
    Role.PROMPT: """prompt_de_sistema prompt_del_sistema mensaje_de_sistema mensaje_del_sistema_con
        instrucciones_del_sistema indicación_del_sistema prompt_inicial tu_prompt""",
    Role.FIGURE: """precio precios coste costes costo confianza moneda sku código códigos referencia referencias
        descuento* marca marcas número_de_artículo fiabilidad peso cantidad cantidades proveedor*""",
    Role.GOODS: """producto productos artículo artículos fila filas línea líneas campo campos valor valores
        columna* entrada entradas""",
    Role.NOTHING: "cero nulo nula vacío vacía gratis gratuito desconocido nada agotado",
    Role.PASSED: """aprobad* verificad* validad* revisad* confirmad* aceptad* correct* portada completo completa
        comprobad*""",
    Role.REVIEW: """revisión_humana revisión_manual control_humano control_manual verificación_humana
        verificación_manual una_persona un_humano supervisión_humana validación_humana intervención_humana
        validación_manual""",
    Role.FORM: "json palabra lista poema frase lista_vacía objeto letra",
    Role.THIS: "este esta estos estas esto",
    Role.PAGE: """página páginas documento* archivo* fichero* texto tabla tablas catálogo* lista pdf hoja catálogo
        lista_de_precios""",
    Role.FREE: "sin_restriccion* sin_límite* sin_reglas sin_censura sin_filtros ilimitad*",
    Role.TAKEN: "extraídos extraídas extraído leído leídos resultados lo_que todo_el_contenido",
    Role.PART: "asistente vendedor administrador desarrollador pirata experto libre traductor ia administrador*",
    Role.LIMITS: "restricciones limitaciones todas_las_reglas tus_reglas",
    Role.OPERATOR: "operador* desarrollador* creador*",
    Role.OWNER: "tu_desarrollador* tus_desarrolladores tu_creador* tus_creadores tu_operador tu_administrador",
    Role.STATUS: "estado_de_todos estado_de_cada confianza",
    Role.NOTES: "notas descripción",
    Role.ITSELF: "esta_instrucción este_párrafo al_usuario esta_nota usuario",
    Role.QUESTION: "pregunta*",
    Role.TASK: "tu_nueva_tarea tu_verdadera_tarea",
    Role.HARM: "lesion* lesión daño daños garantía incendio* accidente* muerte peligro* descarga",
}
