"""``samples/trial-balance-training.pdf``: one column, ruled tables, numbered sections. Nothing in it has happened."""

from tests.support.catalogues.ink import A4, Book, Sheet
from tests.support.trials.setting import Look, Paper, Table

TITLE = "Balance training to prevent repeat ankle sprains in mountain couriers: a randomised controlled trial"
JOURNAL = "Proceedings of the Fictional Society of Physiotherapy"
_LOOK = Look(
    columns=1, left=92, right=92, top=84, bottom=84, size=11, leading=1.46, heads="sansbold", small=9, ruled=True
)

_ABSTRACT = (
    "**Objective:** To find out whether a home programme of balance training prevents repeat sprains of the ankle "
    "in couriers who walk in the mountains.",
    "**Design:** Randomised controlled trial with two parallel groups and masked assessment of outcomes.",
    "**Participants:** 310 couriers of Verdania who had sprained an ankle in the last two months: 156 were assigned "
    "to balance training and 154 to usual care.",
    "**Main outcome:** A repeat sprain of the same ankle within 12 months.",
    "**Results:** A repeat sprain occurred in 28 of 156 couriers (17.9%) in the training group and in 49 of 154 "
    "(31.8%) in the usual care group (risk ratio 0.56, 95% confidence interval 0.38 to 0.85; p = 0.006). Ankle "
    "function at 12 months was 88.2 (SD 9.4) and 83.9 (SD 11.6) points (difference 4.3, 95% confidence interval 1.9 "
    "to 6.7).",
    "**Conclusion:** Balance training nearly halved the number of invented couriers who sprained an ankle again.",
    "**Registration:** NCT99999999.",
)

_BASELINE = Table(
    "**Table 1** Baseline characteristics of the two groups",
    [
        ("", "Balance training (n~=~156)", "Usual care (n~=~154)"),
        ("Age in years, mean (SD)", "29.6 (7.1)", "30.2 (6.8)"),
        ("Women, n (%)", "64 (41.0)", "67 (43.5)"),
        ("Weight in kg, mean (SD)", "71.4 (10.6)", "72.0 (11.3)"),
        ("Sprains in the last two years, n (%)",),
        ("One", "97 (62.2)", "93 (60.4)"),
        ("Two or more", "59 (37.8)", "61 (39.6)"),
        ("Ankle function score,^a^ mean (SD)", "71.3 (12.2)", "70.8 (12.9)"),
        ("Balance test in seconds, mean (SD)", "24.1 (8.3)", "24.4 (8.7)"),
    ],
    (4, 2.4, 2.4),
    ("SD: standard deviation. ^a^ From 0 to 100; higher scores are better function.",),
)

_EVENTS = Table(
    "**Table 2** Outcomes that were counted, up to 12 months. Values are n/N (%)",
    [
        ("Outcome", "Balance training", "Usual care", "Risk ratio (95%~CI)", "p"),
        ("Repeat sprain", "28/156 (17.9)", "49/154 (31.8)", "0.56 (0.38, 0.85)", "0.006"),
        ("Time off work for the ankle", "21/156 (13.5)", "34/154 (22.1)", "0.61 (0.37, 1.00)", "0.051"),
        ("Any adverse event^b^", "12/156 (7.7)", "10/154 (6.5)", "1.18 (0.53, 2.66)", "0.68"),
    ],
    (2.8, 2.1, 2.1, 2.3, 1),
    ("CI: confidence interval. ^b^ Mostly soreness of the calf.",),
)

_SCORES = Table(
    "**Table 3** Outcomes that were measured, at 12 months. Values are mean (SD)",
    [
        ("Outcome", "Balance training (n~=~148)", "Usual care (n~=~143)", "Difference (95%~CI)", "p"),
        ("Ankle function score", "88.2 (9.4)", "83.9 (11.6)", "4.3 (1.9, 6.7)", "<0.001"),
        ("Balance test, seconds", "31.7 (8.8)", "27.5 (9.1)", "4.2 (2.1, 6.3)", "<0.001"),
    ],
    (2.6, 2.2, 2.2, 2.2, 1),
    ("CI: confidence interval; SD: standard deviation.",),
)

_INTRODUCTION = (
    "Couriers in the mountains of Verdania walk up to thirty kilometres a day with a load of twenty kilograms. A "
    "sprained ankle is their most common injury, and one in three of those who have sprained an ankle sprains it "
    "again within a year (Mockford, 2018). Repeat sprains keep them from work and may leave the joint unstable for "
    "good.",
    "Exercises on an unstable board improve balance, and have prevented sprains in players of invented ball games "
    "(Draft and Margin, 2015). Whether they do so in people who walk for a living, and who have to do them at home "
    "and without supervision, has not been studied. The aim of this trial was to compare a home programme of "
    "balance training with usual care in couriers who had recently sprained an ankle.",
)

_METHODS = (
    ("2.1 Design", (
        "We did a randomised controlled trial with two parallel groups at the four mountain stations of the "
        "Verdanian Courier Service. The Made-up Committee on Research Ethics approved it (reference 0/2021), it was "
        "registered at NCT99999999, and every participant signed a form of consent.",
    )),
    ("2.2 Participants", (
        "Couriers could take part if they were between 18 and 50 years old and had sprained an ankle in the last "
        "two months. They could not if the ankle was broken, had been operated on, or hurt too much to stand on one "
        "leg, or if they planned to leave the service within a year. They were enrolled from January 2021 to "
        "December 2021.",
    )),
    ("2.3 Randomisation", (
        "A computer at the University of Elsewhere assigned participants to balance training or usual care, "
        "stratified by station and by the number of earlier sprains, in blocks of four to eight. Stations learned "
        "of an assignment by telephone after the courier had been enrolled. Participants knew their group; the "
        "physiotherapists who assessed outcomes did not.",
    )),
    ("2.4 Interventions", (
        "The training group was given a board, a booklet and one lesson of thirty minutes. Participants were to "
        "train for ten minutes on three days a week for 8 weeks, at first with both feet on the board and later on "
        "one leg, with closed eyes, or while catching a ball. The usual care group was given a leaflet on the "
        "treatment of sprains, and could see a physician or a physiotherapist as they wished, as could the training "
        "group.",
    )),
    ("2.5 Outcomes", (
        "The primary outcome was a repeat sprain of the same ankle within 12 months, reported by the courier each "
        "month and confirmed by a physiotherapist. Secondary outcomes were time off work because of the ankle, "
        "ankle function at 12 months on a scale from 0 to 100, the time of standing on one leg with closed eyes, "
        "and adverse events.",
    )),
    ("2.6 Statistical methods", (
        "We assumed that 32% of the usual care group would have a repeat sprain. To find a reduction to 18% with "
        "80% power and a two-sided significance level of 5%, 150 participants were needed in each group. All those "
        "randomised were analysed as they had been assigned; for scores, those who came to the visit at 12 months. "
        "We report risk ratios, differences of means, and for the time to a repeat sprain a hazard ratio, with 95% "
        "confidence intervals.",
    )),
)  # fmt: skip

_RESULTS = (
    "Of 402 couriers who had sprained an ankle, 310 were randomised, 156 to balance training and 154 to usual care; "
    "57 were not eligible and 35 did not want to take part. The groups were similar at baseline (Table 1). Eight "
    "couriers of the training group and eleven of the usual care group did not come to the visit at 12 months, so "
    "that 148 and 143 were assessed there. Whether they had sprained the ankle again was known of all of them from "
    "the monthly reports.",
    "A repeat sprain occurred in 28 of 156 couriers (17.9%) who had been assigned to balance training and in 49 of "
    "154 (31.8%) who had been assigned to usual care, with a risk ratio of 0.56 (95% confidence interval 0.38 to "
    "0.85; p = 0.006; Table 2). The hazard ratio was 0.52 (95% confidence interval 0.33 to 0.83). One sprain was "
    "prevented for every seven couriers who were given a board. Fewer couriers of the training group were off work "
    "because of the ankle, 21 of 156 (13.5%) against 34 of 154 (22.1%), but chance cannot be excluded.",
    "Ankle function and balance improved in both groups, and more so with training (Table 3). The difference in "
    "function, 4.3 points (95% confidence interval 1.9 to 6.7), is smaller than the eight points that couriers "
    "notice (Blank, 2012). Adverse events were reported by 12 of 156 couriers (7.7%) and 10 of 154 (6.5%). None of "
    "them was serious.",
    "Both earlier sprains and station were entered into a model with the group. The estimate did not change by more "
    "than a hundredth, and no interaction was found between the group and the number of earlier sprains (p = 0.44): "
    "training was of use after a first sprain and after several.",
    "According to their diaries, 109 of 156 couriers of the training group (69.9%) did at least half of the "
    "exercises. Five couriers of the usual care group bought a board of their own.",
)

_DISCUSSION = (
    "Ten minutes of balance training on three days a week, at home and after a single lesson, nearly halved the "
    "number of couriers who sprained the same ankle again. The effect is as large as that in supervised players of "
    "ball games, which suggests that supervision may not be what matters.",
    "The trial has limitations. Participants knew their group, and those with a board may have walked more "
    "carefully or have reported sprains differently; that a physiotherapist confirmed each sprain makes this less "
    "likely. Exercises were recorded by the participants themselves. The follow-up of 12 months does not tell "
    "whether the effect lasts once the board is no longer used.",
    "Our couriers were young, healthy and used to uneven ground. Whether people who carry letters in towns would "
    "gain as much is open, since most of their sprains happen on stairs and kerbs. Nor do we know how little "
    "training would be enough: couriers who did less than half of the exercises had hardly more repeat sprains than "
    "those who did all of them, but they were few, and had sprained an ankle less often before.",
    "The board costs as much as half a day of work. Since one sprain means nine days off work on average, a station "
    "that gives a board to every courier with a sprained ankle may save money; an economic analysis is under way, "
    "or would be if any of this were real.",
)

_REFERENCES = (
    "Blank, T. (2012) What couriers notice: the ankle function score. *Fict. Soc. Physiother.*, 3, 12–20.",
    "Draft, S. and Margin, L. (2015) Boards against sprains in ball games. *Imag. J. Sports*, 21, 340–347.",
    "Mockford, J. (2018) Injuries of mountain couriers in Verdania. *Ann. Invent. Med.*, 44, 88–95.",
    "Quill, R. (2019) Standing on one leg with closed eyes. *J. Imag. Trials*, 1, 5–10.",
)


def draw(book: Book) -> None:
    """All pages of the paper."""
    paper = Paper(book, _LOOK, _running)
    paper.across(TITLE, size=17, face="sansbold", leading=1.25)
    paper.y += 8
    paper.across("Jo Mockford^a^, Rosa Quill^a^, Sam Draft^b^ and Lee Margin^b^", size=11.5)
    paper.y += 3
    paper.across("^a^ University of Elsewhere, Verdania", size=9, face="italic")
    paper.across("^b^ Verdanian Courier Service, Station of the High Pass, Verdania", size=9, face="italic")
    paper.y += 10
    paper.panel(_ABSTRACT, size=10)
    paper.heading("1. Introduction")
    _texts(paper, _INTRODUCTION)
    paper.heading("2. Methods")
    for name, texts in _METHODS:
        paper.heading(name, minor=True)
        _texts(paper, texts)
    paper.table(_BASELINE)
    paper.heading("3. Results")
    _texts(paper, _RESULTS[:2])
    paper.table(_EVENTS)
    paper.table(_SCORES)
    _texts(paper, _RESULTS[2:])
    paper.heading("4. Discussion")
    _texts(paper, _DISCUSSION)
    paper.heading("Funding and interests")
    _texts(
        paper,
        (
            "The trial was funded by the Verdanian Ministry of Footpaths (grant 000). Two of the authors are "
            "employed by the Verdanian Courier Service, which lent rooms and had no part in the analysis. All of it "
            "is invented.",
        ),
    )
    paper.heading("References")
    for text in _REFERENCES:
        paper.text(text, size=9.4, indent=0, hang=14)
    paper.finish()


def _texts(paper: Paper, texts: tuple[str, ...]) -> None:
    for number, text in enumerate(texts):
        paper.text(text, indent=14 if number else 0)


def _running(sheet: Sheet, number: int) -> None:
    right, middle = A4[0] - _LOOK.right, A4[0] / 2
    if number == 1:
        sheet.text(_LOOK.left, 56, JOURNAL + " 9 (2023) 1–4", face="sans", size=8.5)
    elif number % 2:
        sheet.text(right, 56, "BALANCE TRAINING IN MOUNTAIN COURIERS", face="sans", size=7.5, align="right")
    else:
        sheet.text(_LOOK.left, 56, "J. MOCKFORD ET AL.", face="sans", size=7.5)
    sheet.text(middle, A4[1] - 46, str(number), size=10, align="center")
