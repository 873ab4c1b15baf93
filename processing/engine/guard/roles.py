"""The roles that words have in an order to a machine: who is spoken to, what is asked, of what (LA-GUARD).

A language's table (``words/``) says which words play which role; ``grammar`` says which roles together are an order.
"""

from enum import IntFlag, auto
from typing import NamedTuple


class Role(IntFlag):
    """In this order: who is spoken to, what is asked, of what; and what speaks against it."""

    WHO = auto()  # surely a machine that reads: a language model, an automated reader
    MACHINE = auto()  # perhaps one: a system, a program, AI
    AGENT = auto()  # one that a catalogue seldom says what it must: an assistant, AI
    READS = auto()  # what it does with the page: reading, processing
    TO = auto()  # to, for, attention
    CALLED = auto()  # one with such a word before it
    GREETING = auto()  # dear, hey; with a machine behind it nothing else is needed
    YOUR = auto()  # you, your, by which a catalogue seldom calls its reader in the singular
    # Asked.
    MUST = auto()  # must, should, please
    NO = auto()  # not, never, without
    DROP = auto()  # ignore, forget
    FOLLOW = auto()  # follow, obey; with "not" before it, to drop
    IF = auto()  # where that is no order
    PRETEND = auto()
    CHANGE = auto()  # halve, raise
    SWAP = auto()  # replace each
    LIFT = auto()  # remove, disable: restrictions
    MENTION = auto()
    VOID = auto()  # is withdrawn, takes precedence
    SAY = auto()  # output, show, extract
    ANSWER = auto()  # answer, return
    ONLY = auto()
    SET = auto()  # set, change, replace
    MARK = auto()  # mark, treat as, accept
    OMIT = auto()  # leave out, do not report
    SEND = auto()  # send, fetch
    BECOME = auto()  # you are now, from now on you
    # Of what.
    RULES = auto()  # instructions, rules
    BEFORE = auto()  # previous, above, original
    TOLD = auto()  # told, given, received
    EVERY = auto()
    EVERYTHING = auto()  # everything, what you
    PROMPT = auto()  # system prompt
    FIGURE = auto()  # price, confidence, article number
    GOODS = auto()  # products, rows
    NOTHING = auto()  # zero, empty
    PASSED = auto()  # approved, checked
    REVIEW = auto()  # human review
    FORM = auto()  # JSON, list, word
    THIS = auto()
    PAGE = auto()  # page, document
    FREE = auto()  # without restrictions
    TAKEN = auto()  # extracted, what was read
    ADDRESS = auto()  # http
    PART = auto()  # assistant, seller: what it is to be now
    LIMITS = auto()  # restrictions, rules, safeguards
    JAILBREAK = auto()  # what such a state is called: nothing else is needed
    TOOL = auto()
    OPERATOR = auto()  # operator, developer
    OWNER = auto()  # your developer, your operator
    STATUS = auto()  # of a row: its confidence too
    NOTES = auto()  # where a text can be put: remarks, description
    ITSELF = auto()  # this note, of which nobody shall hear
    QUESTION = auto()
    TASK = auto()  # your new task
    WORTH = auto()  # to 5, as 0
    # Not an order.
    HARM = auto()  # injury, warranty: what comes of it when a person does so
    END = auto()  # of a sentence


class Tag(NamedTuple):
    """A word of a text with its roles, as bits: of ints, which are faster than flags."""

    start: int
    end: int
    roles: int
