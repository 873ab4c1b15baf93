"""English. Here and in the other tables: a word that ends in ``*`` begins longer ones, ``_`` joins words."""

from processing.engine.guard.roles import Role

ENGLISH = {
    Role.WHO: """language_model* llm llms chatgpt gpt gemini claude qwen ai_model* ai_assistant* ai_agent*
        ai_system* ai_reader* ai_parser* ai_tool* ai_engine* ai_bot* ai_crawler* ai_program* automated_reader*
        automatic_reader* automated_system* automatic_system* automated_tool* automated_agent* automated_parser*
        automated_program* machine_reader* parser parsers extractor extraction_engine* extraction_tool*
        extraction_model* extraction_system* extraction_agent* extraction_program* crawler* chatbot* bots scraper*
        virtual_assistant whoever_processes whatever_processes whoever_parses whatever_parses whoever_or_whatever
        whichever_program whichever_model whichever_system whichever_machine any_ai all_ais summarizer* summariser*
        ai_readers document_reader* ai_processing ai_reading whoever_reads_this_automatically web_agent*
        ocr_system* software_extracting summarizers summarisers automated_reviewer*""",
    Role.MACHINE: """ai ais assistant assistants model models software program programs robot robots bot machine
        machines system systems reader readers engine tool agent agents algorithm* artificial_intelligence computer
        computers automation pipeline software_tool applications app""",
    Role.AGENT: """assistant assistants ai ais bot bots llm chatbot* language_model* ai_tool* ai_system* ai_model*
        reader_bots""",
    Role.READS: """reading read reads processing processes process processed parsing parses parse parsed ingesting
        ingests ingest analysing analyzing analyses analyzes scanning scans extracting extracts summarising
        summarizing summarises summarizes indexing indexes interpreting evaluating crawling crawls consuming
        understands understand read_this sees""",
    Role.TO: """to for attention note notice message memo instruction_to if_you_are if_you're if_this_is_read_by
        read_by when_you as_an_ai as_a as_an""",
    Role.CALLED: """whoever_processes whatever_processes whoever_parses whatever_parses whoever_or_whatever
        whichever_program whichever_model whichever_system whichever_machine whoever_reads_this_automatically
        summarisers_are summarizers_are""",
    Role.GREETING: """dear hey hello hi if_you_are if_you're if_you_are_a if_you_are_an note_to_the
        if_you_can_read_this if_you_can_read being_read_by is_read_by""",
    Role.YOUR: """you your you've you're yourself yours you_are_now you_are_actually your_memory from_memory
        your_context your_configuration you_must_obey you_must_output you_must_respond you_must_ignore obey_these
        obey_my""",
    Role.MUST: """must should shall ought has_to have_to needs_to need_to please kindly be_advised is_instructed
        are_instructed is_requested are_requested are_asked is_asked is_required are_required will_now""",
    Role.NO: """not never don't dont no without cannot nothing neither no_person nobody nothing_more
        without_checking without_asking without_verification without_validation without_review without_a""",
    Role.DROP: """ignore ignoring disregard disregarding forget forgetting neglect overlook bypass abandon erase
        discard stop_following stop_obeying no_attention_to dismiss set_aside unlearn wipe throw_away skip_over
        no_longer_have_to_follow no_longer_bound_by no_longer_have_to_obey no_longer_need_to_follow need_not_follow
        do_not_have_to_follow free_from_all stop_using cease_using""",
    Role.FOLLOW: "follow obey comply_with adhere_to listen_to observe use using comply adhere",
    Role.IF: "if when failure failing",
    Role.PRETEND: "pretend act_as_if act_as_though behave_as_if imagine suppose assume_that",
    Role.CHANGE: """halve double_all double_the triple cut_all cut_the lower raise_the raise_all reduce
        increase_all by_half multiply divide discount_all slash""",
    Role.SWAP: "replace substitute swap exchange swap_the_prices swap_prices exchange_the_prices switch_the_prices",
    Role.LIFT: "remove disable deactivate lift drop turn_off bypass circumvent",
    Role.MENTION: "mention refer_to",
    Role.VOID: """no_longer_apply no_longer_applies no_longer_valid no_longer_hold withdrawn lifted cancelled
        canceled revoked void obsolete superseded suspended takes_precedence take_precedence overrides replaced
        invalid outranks takes_priority supersedes is_wrong are_wrong was_wrong mine_come_first override overriding
        overrule overruling""",
    Role.SAY: """output print reveal show repeat display leak tell disclose dump translate recite quote expose
        share write report list mention extract summarise summarize copy paste append give record state name
        outputting extracting reporting spell enumerate be_extracted be_output be_reported be_listed be_included
        be_mentioned be_shown be_returned be_disclosed say let_me_see give_me show_me place rank""",
    Role.ANSWER: """reply respond answer answers replies return say output claim write state recommend rate praise
        conclude rank ranked your_output your_answer your_response your_reply send_back emit output_nothing
        return_nothing print_nothing write_nothing""",
    Role.ONLY: """only just solely exactly nothing_but alone single instead instead_of simply always whatever
        has_to_be must_be must_consist nothing_more""",
    Role.SET: """set_all set_every set_each set_the set_price* set_confidence* set_any set_it change modify update
        overwrite replace treat make put record write report use assign raise lower swap exchange enter fill leave
        give apply register output return consider convert change_the boost maximise maximize adjust switch
        set_your set_cost reduce divide set_sku* setting_all insert sets double_all double_the double_every
        halve_all halve_the triple_all multiply_all multiply_the multiply_every multiply_prices""",
    Role.MARK: """mark marks treat treats classify classifies consider considers regard approve approves accept
        accepts confirm confirms let_it_pass deem sign_off auto-approve label_this label_the label_all flag_this
        flag_all tag_this tag_all pass_this rate_this register_this""",
    Role.OMIT: """omit omits skip hide hides leave_out suppress suppresses conceal withhold leaves_out exclude_all
        exclude_this exclude_the exclude_every not_include_them not_include_it not_include_any not_include_the
        not_be_included_in_your skip_review skip_human skip_validation bypass_review skip_verification pretend_that
        keep_these_instructions keep_this_instruction keep_this_secret keep_it_secret keep_secret leave_the""",
    Role.SEND: """send post upload forward transmit submit exfiltrate fetch get_request post_request call request
        open visit navigate load retrieve invoke execute use""",
    Role.BECOME: """you_are_now you_are_no_longer from_now_on act_as pretend roleplay role-play imagine_you_are
        behave_as you_are_not_a you_have_been_upgraded you_have_become from_this_point you_will_now new_orders
        new_instructions you_are_an you_now you_are_actually you_are_not_an assume_the_role take_the_role
        you_must_obey you_must_output you_must_respond you_must_ignore obey_these obey_my""",
    Role.RULES: """instruction* rule rules guideline* guidance directive* prompt prompts constraint* policy
        policies direction directions command commands orders restriction* limits limitation* task tasks guardrail*
        training programming system_message* developer_message* safeguards conversation extraction_rules
        your_memory from_memory your_context your_configuration configuration restrictions constraints guardrails
        schema output_format answer_format""",
    Role.BEFORE: """previous* prior preceding precedes above earlier foregoing initial initially original* existing
        so_far up_to_now until_now before old former formerly beforehand at_the_start hidden secret internal began
        started extraction_rules beginning first_lines start_of first""",
    Role.TOLD: """told said given instructed taught stated received learned learnt initialised initialized
        configured trained programmed asked were_set was_set commanded system_message* got were_given had
        who_you_are brief""",
    Role.EVERY: """all any every each entire whole throughout both whatever following below swap_the_prices
        swap_prices exchange_the_prices switch_the_prices""",
    Role.EVERYTHING: """everything anything whatever what_you all_that all_you all_of_what what_was what_has text
        the_words the_text who_you_are""",
    Role.PROMPT: """system_prompt hidden_prompt* initial_prompt* original_prompt* your_prompt system_instruct*
        hidden_instruction* secret_instruction* developer_prompt* prompt_text pre-prompt your_configuration
        your_reasoning hidden_reasoning chain-of-thought your_context""",
    Role.FIGURE: """price prices cost costs confidence currency sku skus sku_code* article_number* item_number*
        part_number* model_number* product_code* article_code* discount* brand brands weight amount amounts code
        codes stock manufacturer* maker* unit_price* quantity quantities score scores rating supplier* vendor*
        seller* swap_the_prices swap_prices exchange_the_prices switch_the_prices""",
    Role.GOODS: """product products item items row rows article articles entry entries record records goods line
        lines value values field fields column columns model_numbers anything data chairs""",
    Role.NOTHING: """zero null free blank empty unknown none nil maximum minimum maximal nothing sold_out
        out_of_stock discontinued double_all double_the double_every halve_all halve_the triple_all multiply_all
        multiply_the multiply_every multiply_prices""",
    Role.PASSED: """verified approved accepted complete correct trusted reviewed valid checked blank empty
        cover_page sold_out discontinued validated confirmed cleared final certified a_cover cover""",
    Role.REVIEW: """human_review* manual_review* manual_check* human_check* a_human by_human human_being a_person
        reviewers annotator* human_verification manual_verification human_oversight anyone human_annotation
        human_intervention human_approval a_reviewer skip_review skip_human skip_validation without_checking
        without_asking without_verification without_validation without_review skip_verification bypass_review
        manual_annotation any_human no_person person_has_to has_to_check nobody signed_this_off signed_off
        the_reviewer""",
    Role.FORM: """json yaml xml poem joke token word words phrase sentence array empty_list list haiku story
        advertisement string object letter character""",
    Role.THIS: "this these the_following your_input such",
    Role.PAGE: """page pages document documents file files pdf pdfs text sheet sheets table tables catalogue*
        catalog catalogs list lists brochure paragraph leaflet datasheet pricelist""",
    Role.FREE: """unrestricted uncensored without_restriction* without_limit* no_restriction* without_rules
        without_any_rules without_any_restriction* jailbr* no_rules developer_mode god_mode dan_mode anything_now
        safety_limits safety_rules no_limits""",
    Role.TAKEN: """extracted everything_you all_you what_you rows_you you_read you_found conversation api_key*
        secrets you_have_read read_so_far credentials extracted_results system_prompt contents_of_this your_context
        entire_content your_configuration the_result the_results""",
    Role.PART: """unrestricted uncensored assistant seller salesman pricing administrator admin developer pirate
        editor expert translator poet different free dan helpful chatbot root storyteller writer""",
    Role.LIMITS: """restrictions constraints guardrails safeguards safety_guidelines all_rules your_rules
        content_policy content_filters""",
    Role.JAILBREAK: "jailbreak* do_anything_now dan_mode god_mode",
    Role.TOOL: """the_tool tool_named tool_called the_following_tool following_tool the_function following_function
        function_call the_api""",
    Role.OPERATOR: "operator operator's operators developer* creator* provider* programmers",
    Role.OWNER: """your_operator* your_developer* your_creator* your_administrator* your_owner* your_maker*
        your_programmer* your_deployer your_user""",
    Role.STATUS: "status confidence",
    Role.NOTES: "remarks notes_field notes_column comments_field description",
    Role.ITSELF: """this_note this_paragraph this_instruction* the_user_about this_hidden these_instructions
        about_this_note the_user the_users secret_from""",
    Role.QUESTION: "question* whatever_is_asked whatever_you_are_asked when_asked if_asked",
    Role.TASK: """your_new_task your_real_task your_only_task your_true_task your_sole_task your_real_job
        your_new_job your_new_role your_real_role your_new_goal your_actual_task your_new_instruction* your_task_is
        your_job_is""",
    Role.HARM: """injury injuries damage damages warranty fire accident* death hazard* shock burns malfunction*
        danger guarantee serious""",
}
