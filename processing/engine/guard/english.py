"""Instructions to a model in English. Scores of the first families as in the adapter's design, 5.7."""

from processing.engine.guard.patterns import pattern

_BEFORE = (
    r"(?:previous|prior|above|preceding|earlier|foregoing|original|initial|existing|system|your|everything|all|any)"
)
_FILLER = r"(?:of|the|these|those|this|that|my|our|other|safety|and|or|given|current|former|next|being|been|have)"
_RULES = r"(?:instruction|rule|prompt|guideline|directive|constraint|polic|directions|context|messages|commands)"
_EVERY = r"(?:all|any|every|each|the|of|its|their|this|these|those|that|following|other|remaining|rest|on|page){0,9}"
_GOODS = r"(?:products?|items?|skus?|rows?|entr(?:y|ies)|models?|articles?|lines|records?|tables?)"
_FIGURE = r"(?:prices?|costs?|confidences?(?:scores?|values?|levels?)?)"
_MODEL = r"(?:ai|llms?|gpt|chatgpt|gemini|qwen|claude|languagemodels?)"
_TASK = r"(?:model|assistant|agent|system|reader|parser|extract|process|analy|read|scan|you|must|please|crawl)"

ENGLISH = (
    pattern(
        "ignore_instructions",
        0.9,
        "ignor disregard forget neglect overlook bypass notfollow stopfollow noattention",
        r"(?<!not)(?<!never)(?<!dont)(?:ignor(?:e|ing)|disregard|forget|neglect|overlook|bypass|(?:do)?notfollow"
        rf"|stopfollowing|noattentionto){_FILLER}{{0,6}}{_BEFORE}(?:{_FILLER}|{_BEFORE}){{0,9}}{_RULES}",
    ),
    pattern(
        "ignore_instructions",
        0.9,
        "ignor disregard forget",
        r"(?<!not)(?<!never)(?<!dont)(?:ignore|disregard|forget)"
        r"(?:everything|all|anything|whatever)(?:that)?(?:youwere|youhave|youve|above|before|saidbefore|toldbefore)",
    ),
    pattern("disregard_context", 0.8, "disregard forget", r"disregard|forget(?:everything|all)"),
    pattern("system_prompt", 0.7, "systemprompt systemmessage systeminstruct", r"system(?:prompt|message|instruct)"),
    pattern(
        "reveal_prompt",
        0.9,
        "prompt instruction",
        r"(?:reveal|print|show|repeat|output|display|leak|tell|disclose|dump|translate|summari[sz]e|copy|return|send"
        r"|write|recite|quote|append|include|expose|share|giveme)(?:me|us|out|verbatim|back|all|of|the|here|a|full|copy"
        r"|word|for|to|whole|complete|entire|exact|text|content|contents|any|as){0,9}"
        r"(?:your|system|hidden|secret|internal|initial|original|developer){1,9}(?:prompt|instruction|message|setup)",
    ),
    pattern(
        "override_rules",
        0.8,
        "override overrid overrule",
        r"over(?:ride|riding|rule)s?(?:all|any|every|the|your|these|those|previous|prior|existing|default|system){0,9}"
        r"(?:rule|setting|constraint|restriction|polic)",
    ),
    pattern(
        "override_rules",
        0.9,
        "override overrid overrule",
        r"over(?:ride|riding|rule)s?(?:the|all|any|of|your|previous|prior|existing|above|current|system|default){0,9}"
        r"(?:your|previous|prior|above|existing)(?:system|default|all|other){0,9}"
        r"(?:rule|instruction|guideline|prompt|polic|constraint|directive|setting)",
    ),
    pattern("identity", 0.8, "youarenow youareactually", r"youare(?:now|actually)"),
    pattern(
        "identity",
        0.9,
        "youare actas pretend roleplay",
        r"(?:youare(?:now|actually|nolonger)|actas(?:if(?:you(?:were|are))?)?|pretend(?:tobe|(?:that)?youare)|roleplayas)"
        r"(?:a|an|the|my|our|in){0,9}(?:ai|dan|unrestricted|uncensored|different|pric|helpful|developer|jailbroken|free"
        r"|data(?:base|entry)|assistant|evil|admin|root|catalogu?e?editor|seller|sales|bound|restricted|chat|bot|model)",
    ),
    pattern(
        "from_now_on",
        0.9,
        "fromnowon",
        r"fromnowon(?:you|your|act|respond|answer|always|output|only|every|all|treat|report|return|ignore|set)",
    ),
    pattern("jailbreak", 0.9, "jailbreak anythingnow danmode godmode", r"jailbreak|doanythingnow|danmode|godmode"),
    pattern("jailbreak", 0.7, "developermode debugmode", r"(?:enter|enable|activate|in)developermode"),
    pattern(
        "set_value",
        0.9,
        "price cost confidence",
        r"(?:set|change|modify|update|overwrite|replace|report|output|record|write|enter|make|mark|return|adjust)"
        rf"{_EVERY}(?:product|item|unit|list|sale|retail|net|your|output|sku)?s?{_FIGURE}"
        rf"(?:fields?|values?|below|here|onthispage|(?:of|for|in){_EVERY}{_GOODS}?)?(?:to|as|with|equalto)",
    ),
    pattern(
        "set_value",
        0.9,
        "price cost confidence",
        rf"{_FIGURE}(?:fields?|values?|(?:of|for|in){_EVERY}{_GOODS}?)?(?:must|should|shall|isto|areto|hasto|haveto"
        r"|needsto|needto)(?:now|always|all)?be(?:set|changed|reported|returned|output|extracted|written)?"
        r"(?:to|as|at)?(?=\d|zero|free|null|maxim|(?<=to)|(?<=as))",
    ),
    pattern(
        "mark_as",
        0.9,
        "verified approved accepted complete correct trusted reviewed review valid blank empty",
        r"(?:mark|flag|label|treat|classify|report|consider|return|register|rate)(?:this|the|all|every|each|page|pages"
        rf"|document|it|them|result|results|output|catalogu?e?|{_GOODS}|on|of|and){{0,9}}as(?:an?|being|fully|already|100){{0,9}}"
        r"(?:verified|approved|(?:auto)?accepted|complete|correct|trusted|(?:human)?reviewed|noreview|notneeding"
        r"|valid|blank|empty|cover)",
    ),
    pattern(
        "mark_as",
        0.9,
        "approve accept",
        r"(?:auto)?(?:approve|accept)(?:all|every|this|these|the){1,9}(?:page|extract|result|sku|value|answer|output|row)",
    ),
    pattern(
        "skip_review",
        0.9,
        "review validation verification annotat needsreview",
        r"(?:skip|bypass|avoid|disable|suppress|omit|turnoff|without)(?:the|any|all|to|for|further|your){0,9}"
        r"(?:human|manual|quality|extra)?(?:reviews?|validation|verification|annotation)(?!s?(?:of|by|from|score|sites))"
        r"|(?:do|does|need)not(?:send|need|require|flag|route|forward|escalate)?(?:this|it|the|page|for|to|any){0,9}"
        r"(?:human|manual)(?:review|check|verif|annotat)|nohuman(?:review|check|annotat)|needsreview(?:=|to|is)?"
        r"(?:false|0)",
    ),
    pattern(
        "hide_rows",
        0.9,
        "notextract notoutput notreport notinclude notlist notreturn notmention neverextract neveroutput leaveout "
        "extractnothing returnnothing outputnothing",
        r"(?:do|must|should|shall)?(?:not|never)(?:extract|output|report|include|list|return|mention)"
        rf"(?:it|{_EVERY}(?:first|last|next)?(?:two|three|{_GOODS}|data|text|value|price|anything|information))"
        rf"|leaveout{_EVERY}{_GOODS}|(?:extract|return|output|report)nothing(?:from|on|for|else|but)?",
    ),
    pattern(
        "hide_rows",
        0.75,
        "hide omit skip drop exclude remove delete suppress",
        r"(?:hide|omit|skip|drop|exclude|remove|delete|suppress)(?:all|any|every|each|the|these|those|following|other"
        r"|remaining|rest|of|next|first|last|above|below|\d){1,9}(?:product|item|sku|row|entr|record)",
    ),
    pattern(
        "hide_rows",
        0.9,
        "hide omit skip drop exclude suppress",
        r"(?:hide|omit|skip|drop|exclude|suppress)(?:all|any|every|each|the|these|those|following|other|remaining|rest|of"
        r"|products?|items?|skus?|rows?|next|first|last|above|below|\d){1,9}"
        r"(?:from|in|inside|within)(?:the|your|any|every){0,9}(?:output|result|answer|response|extract|json)",
    ),
    pattern(
        "empty_answer",
        0.9,
        "returnan returnempty outputan outputempty answeran respondwith",
        r"(?:return|output|answer|respondwith|replywith)(?:with)?(?:an?|the|only|just){0,9}empty(?:list|array|json|result|"
        r"object|answer|response|string)",
    ),
    pattern("force_output", 0.6, "outputonly outputjust", r"output(?:only|just)(?:true|false|yes|no|1|0)"),
    pattern(
        "force_output",
        0.9,
        "respond reply answer return output",
        r"(?:respond|reply|answer|return|output)(?:only|just|exactly|always|simply|strictly|instead|with|in|the|this|a|an"
        r"|to){0,9}(?:following|exact|next|below)(?:json|text|answer|word|string|phrase|result|object|values?)",
    ),
    pattern("as_an_ai", 0.8, "asanai asalarge asalang", r"asan?(?:ai|large)?(?:languagemodel|assistant|model|agent)"),
    pattern(
        "addressed_to_model",
        0.9,
        "aimodel aiassist aiagent aisystem airead aipars aiextr aiproc aianaly aiscan aiyou aimust aiplease aicrawl "
        "llm gpt gemini qwen claude languagemodel youarea anyai toai foraira theai",
        rf"(?:attention|note|notice|message|instructions?|hey|hello|hi|dear)(?:to|for)?(?:the|all|any|every){{0,9}}{_MODEL}"
        rf"{_TASK}|ifyouarean?(?:{_MODEL}|assistant|automated|bot|machine|model)(?:{_TASK}|$|\W|[a-z])"
        r"|(?:to|for)(?:the|any|every)?(?:ai|llm|languagemodel)(?:model|assistant|agent|reader|parser)?"
        r"(?:reading|processing|that|which|who|extracting|analy)",
    ),
    pattern(
        "new_instructions",
        0.9,
        "instruction prompt directive",
        r"(?:important|urgent|updated?|new|special|hidden|secret|admin|administrator|developer|override|real|actual)"
        r"(?:system)?(?:instruction|directive|prompt)s?(?:for|to)(?:the|all|any|this)?"
        r"(?:ai|llm|model|assistant|you|parser|extract|languagemodel|agent)"
        r"|your(?:new|real|actual|only|next|updated)(?:system|main)?(?:instruction|directive|task|goal|role|job|prompt)s?"
        r"(?:is|are)",
    ),
    pattern("new_instructions", 0.75, "newinstruction newsystem", r"new(?:system)?(?:instruction|prompt|directive)s"),
    pattern(
        "end_of_prompt",
        0.9,
        "endof endprompt endsystem",
        r"end(?:of)?(?:the)?(?:system|user)?(?:prompt|input)s?"
        r"(?:begin|start|new|now|system|ignore|assistant|user)|endof(?:system|user)(?:prompt|input|content)",
    ),
    pattern(
        "obey",
        0.8,
        "youmust obey",
        r"youmust(?:now|always|only)?(?:output|respond|extract|obey|ignore|comply)|obey(?:my|these|the|this|every){1,9}"
        r"(?:command|instruction|order|rule)",
    ),
    pattern(
        "tool_call",
        0.75,
        "tool functioncall endpoint",
        r"(?:call|invoke|execute)(?:the|this|a|following){0,9}"
        r"(?:tool|function(?:call)?|apiendpoint)(?!s?box)|usethetool(?:named|called)",
    ),
    pattern(
        "send_away",
        0.9,
        "tohttp towww tothe towebhook toattacker",
        r"(?:send|post|upload|forward|exfiltrate|transmit|leak)(?:all|the|this|your|these|of|full|any|and){0,9}"
        r"(?:extract|systemprompt|prompt|apikey|secret|conversation|results?|contents?ofthispage|previouspage|credential)"
        r"[a-z]{0,30}to(?:http|www|the(?:url|server|webhook|address|following)|webhook)",
    ),
    pattern(
        "ignore_instructions",
        0.9,
        "ignor disregard forget stopfollow",
        r"(?<!not)(?<!never)(?<!dont)(?:ignore|disregard|forget)(?:the|all|any|this|every|of|rest|and){0,6}"
        r"(?:text|content|words|page|data|document)s?(?:above|before|you)"
        r"|(?:ignore|disregard|forget)what(?:ever)?(?:you|was|is|has)(?:were|have|had|been|are){0,3}"
        r"(?:told|instructed|taught|asked|said|written)"
        rf"|stopfollowing{_FILLER}{{0,6}}[a-z]{{0,12}}{_RULES}",
    ),
    pattern(
        "identity",
        0.9,
        "unrestricted uncensored norules anyrules anyrestriction",
        r"(?:unrestricted|uncensored)(?:ai|model|assistant|mode|version)|youare[a-z]{1,30}without(?:any)?(?:rule|restrict)",
    ),
    pattern(
        "set_value",
        0.9,
        "price cost confidence discount",
        r"(?:treat|report|list|record|write|give|regard|count|consider|output|return|use)"
        rf"{_EVERY}{_GOODS}?(?:an?|the|with){{0,3}}{_FIGURE}(?:here|above|below|onthispage){{0,2}}"
        r"(?:as|of|at|to|is|equal){1,3}(?:zero|free|null|none|\d)"
        r"|(?:output|report|return|give|use|with)confidence(?:score|of|at|as){0,3}\d"
        r"|(?:give|assign|report|apply|list)(?:all|every|each|any|an?)[a-z]{0,20}(?:price|discount|cost)of(?:zero|\d)"
        r"|(?:multiply|divide|double|triple|halve)(?:all|every|each|the|of|these){1,4}(?:unit|list|net)?prices?"
        r"|(?:report|apply|claim)a\d{1,3}(?:percent)?discount(?:for|on)(?:all|every|each)",
    ),
    pattern(
        "hide_rows",
        0.9,
        "notinclude notlist notreport notoutput notextract notmention neverinclude nevermention",
        r"(?:not|never)(?:extract|output|report|include|list|mention)[a-z]{0,30}"
        r"(?:in|into)(?:the|your|any){0,3}(?:output|result|answer|response|json|extraction|summary)",
    ),
    pattern(
        "empty_answer",
        0.9,
        "empty thatthis thatthe",
        r"(?:answer|return|output|respond|reply)(?:with|by){0,2}(?:an?|the|only){0,2}empty(?:product|item|sku|result|json)"
        r"s?(?:list|array|result|object|answer|set)|(?:respond|reply|answer|report|say|state|claim)that(?:this|the)"
        r"(?:document|page|file|catalogu?e?)(?:contain|has|is|hold|lists)",
    ),
    pattern(
        "addressed_to_model",
        0.9,
        "toai forai attentionai assistants aimodel aiassist aiagent aisystem languagemodel llm chatgpt",
        r"(?:note|notice|message|memo|instructions?|attention|warning)(?:to|for)?(?:the|all|any|every)?"
        r"(?:ai(?=all|you|model|assist|agent|system|reader|must|please|do|if|the|this|ignore|set|output|only|$|\d)"
        r"|llm|languagemodel|chatgpt|gemini|qwen)"
        r"|(?:aiassistant|aimodel|aisystem|aiagent|languagemodel|llm|chatgpt|chatbot)s?(?:reading|processing|parsing"
        r"|analy[sz]ing|extracting|whoread|thatread|must|should|shall|please|donot|treat|ignore|report)",
    ),
    pattern(
        "addressed_to_model",
        0.9,
        "whenyou wheneveryou alwayssay alwaysanswer alwaysrespond alwaysstate userhas",
        r"when(?:ever)?you(?:summari|pars|extract|answer|respond)|always(?:say|answer|respond|state|claim)(?:that|the|with|\d)"
        r"|(?:user|owner|operator|developer|administrator)has(?:already)?(?:authori[sz]ed|permitted|allowed|instructed)you",
    ),
    pattern(
        "skip_review",
        0.9,
        "withoutcheck withoutverif withoutvalid systemoverride",
        r"(?:accept|approve|confirm)(?:all|every|each|any|the|these){1,3}[a-z]{0,20}without(?:any|further|human)?"
        r"(?:check|verif|valid|review)|systemoverride(?:accept|ignore|set|mode|approve|output|skip)",
    ),
    pattern(
        "new_instructions",
        0.9,
        "cancel void revoked obsolete superseded replaced invalid nolonger notobey adminmessage systemmessage adminis "
        "systemcommand rootcommand developermessage",
        r"(?:previous|prior|earlier|old|former|above)(?:order|instruction|rule|guideline|command|directive)s?"
        r"(?:are|is|were|havebeen|hasbeen)(?:now|hereby)?(?:cancel|void|revoked|obsolete|superseded|replaced|invalid|nolonger)"
        r"|notobey(?:the|your|any|this){0,2}(?:operator|user|system|developer|rule|instruction)"
        r"|(?:begin|start|end)(?:of)?(?:admin|administrator|system|developer|root)(?:message|command|instruction|mode)",
    ),
    pattern(
        "skip_review",
        0.9,
        "byahuman byaperson byanannotator automatically autoapprove",
        r"(?:reviewed|verified|approved|checked)bya(?:human|person|nannotator)|(?:approve|accept)(?:it|this|them|thispage)"
        r"automatically|autoapprove",
    ),
    pattern(
        "set_value",
        0.9,
        "confidenceto confidencefor confidencescore prices blank empty withvalue",
        r"(?:raise|lower|increase|reduce|boost|maximi[sz]e)(?:the|all|your){0,2}confidence(?:to|for|score)"
        r"|(?:swap|exchange|switch)(?:the|all){0,2}prices|addafield[a-z]{0,20}withvalue"
        r"|leave(?:the|all|every|each){0,2}(?:price|cost|model|name)s?(?:column|field|value)?s?(?:blank|empty)",
    ),
    pattern(
        "force_output",
        0.9,
        "respondonly replyonly answeronly dearmodel dearassistant",
        r"(?:respond|reply|answer)only(?:with|in|by)|dear(?:model|assistant)(?:kindly|please|you|do|set)",
    ),
)
