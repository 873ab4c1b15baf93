"""Marks by which models tell roles, answers and tools apart. Signs are kept, space is removed; \\x1e parts lines."""

from processing.engine.guard.patterns import pattern

SIGNS = (
    pattern(
        "role_tag",
        0.95,
        "<| [inst [/inst <<sys <start_of_turn <end_of_turn <system> </system> <assistant> </assistant> <instruction "
        "</instruction <tool_call <function= </document> </user </prompt",
        r"<\|(?:im_?start|im_?end|im_?sep|system|user|assistant|endoftext|begin_?of_?text|start_?header_?id|eot_?id"
        r"|end_?of_?text|tool)\w{0,20}\|>|\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|</?(?:system|assistant|instructions?"
        r"|tool_call|function=\w{1,40}|document|user(?:_input|_content)?|prompt)>",
    ),
    pattern(
        "fence", 0.95, "<tables- /tables- <text- /text- <pictures- /pictures-", r"</?(?:tables|text|pictures)-\w{1,64}>"
    ),
    pattern(
        "heading_tag",
        0.9,
        "##",
        r"##(?:new)?(?:system|instruction|response|human|assistant|user|task|override|指令|系统|任务|新指令)s?(?:prompt|:|\x1e|$|message)?",
    ),
    pattern(
        "role_line",
        0.9,
        "assistant: assistant： system: human: user: 助手: 系统: developer:",
        r"(?:^|(?<=[\x1e.。!\"']))(?:system|assistant|developer|human|user|系统|助手|用户):(?:\x1e)?(?:you(?:are|must|will|should)"
        r"|ignore|from|output|the(?:price|confidence|page|answer)|sure|ok|understood|here|certainly|set|return|mark|skip"
        r"|please(?:ignore|output|set|return)|忽略|你|把|将|从现在|输出|好的|请忽略|请输出|所有|所有价格|价格)",
    ),
    pattern("role_line", 0.7, "assistant:", r"(?:^|(?<=\x1e))assistant:"),
    pattern(
        "answer_schema",
        0.9,
        '"skus" "sku_code" "page_type" "confidence" "needs_review" "attributes" "products" "validity" "is_complete" '
        "'skus' 'confidence' 'needs_review' 'page_type' \\\"skus \\\"confidence \\\"needs_review",
        r"\\?[\"'](?:skus|sku_code|page_type|confidence|needs_review|attributes|products|validity|is_complete)\\?[\"']:",
    ),
    pattern(
        "tool_call",
        0.9,
        '"tool tool_call function_call "arguments" "function"',
        r"\"?tool_calls?\b|\"?function_call\b"
        r"|\"arguments\":|\"function\":",
    ),
    pattern(
        "set_value",
        0.9,
        "price= prices= confidence= cost= costs=",
        r"(?:set|change|modify)(?:all|the|every|each|product|item){0,9}(?:prices?|costs?|confidence)=(?![a-z])",
    ),
    pattern(
        "set_value",
        0.8,
        "confidence= confidence: needs_review 置信度=",
        r"(?:confidence|置信度)[=:]\"?(?:1(?:\.0*)?(?![\d.])|0?\.9\d|100)"
        r"|needs_review[=:](?:false|0)",
    ),
    pattern("answer_schema", 0.9, "needs_review sku_code page_type", r"needs_review|sku_code|page_type"),
    pattern("disregard_context", 0.8, "disregard forget", r"disregard|forget(?:everything|all)"),
    pattern("force_output", 0.6, "outputonly outputjust", r"output(?:only|just)(?:true|false|yes|no|1|0)"),
)
