"""``samples/trial-lemon-balm.pdf``: two columns, tables with three rules, a figure. Nothing in it has happened."""

from tests.support.catalogues.ink import A4, BLACK, Book, Sheet
from tests.support.trials.setting import Look, Paper, Table

TITLE = "Evening lemon-balm tea for poor sleep in night-shift harbour workers: a randomised, placebo-controlled trial"
JOURNAL = "Journal of Imaginary Trials"
_FIRST_PAGE = 114
_LOOK = Look(left=52, right=52, size=10.3, leading=1.27, small=8.4)

_ABSTRACT = (
    "**Background** Workers on permanent night shifts sleep badly by day. Lemon balm (*Melissa officinalis*) is "
    "drunk in many harbours to help with it, but has hardly been studied. We asked whether a tea of lemon balm "
    "improves sleep.",
    "**Methods** In this double-blind trial with parallel groups, adults who worked nights in three harbours of "
    "Norland and slept badly were randomly assigned (1:1) to a daily cup of lemon-balm tea or of a placebo tea for "
    "8 weeks. The primary outcome was the sleep-quality score (0 to 21, lower is better) at 8 weeks.",
    "**Results** Between 3 March 2023 and 28 November 2023, 240 participants were randomised: 120 to lemon balm and "
    "120 to placebo. At 8 weeks the mean score was 7.9 (SD 3.1) with lemon balm and 9.6 (SD 3.3) with placebo (mean "
    "difference −1.7, 95% CI −2.5 to −0.9; p<0.001). A response was seen in 62 of 114 participants (54.4%) and 38 "
    "of 111 (34.2%; risk ratio 1.59, 95% CI 1.17 to 2.16). Adverse events were as frequent in both groups.",
    "**Conclusions** In this invented population, lemon-balm tea improved sleep a little more than placebo.",
    "**Trial registration** ISRCTN00000000.",
)

_BASELINE = Table(
    "**Table 1.** Characteristics of participants at baseline. Values are mean (SD) unless stated otherwise.",
    [
        ("Characteristic", "Lemon balm (n~=~120)", "Placebo (n~=~120)"),
        ("Age, years", "41.3 (9.8)", "40.7 (10.2)"),
        ("Men, n (%)", "78 (65.0)", "75 (62.5)"),
        ("Body-mass index, kg/m^2^", "26.4 (3.9)", "26.1 (4.1)"),
        ("Current smoker, n (%)", "33 (27.5)", "36 (30.0)"),
        ("Years of night work, median (IQR)", "8 (4–13)", "7 (4–12)"),
        ("Sleep-quality score†", "11.8 (2.6)", "11.7 (2.7)"),
        ("Sleep duration, min", "356 (61)", "359 (58)"),
    ],
    (4.2, 2.6, 2.6),
    ("IQR = interquartile range; SD = standard deviation.", "† From 0 to 21; lower scores are better sleep."),
)

_OUTCOMES = Table(
    "**Table 2.** Outcomes at 8 weeks in participants with data",
    [
        ("Outcome", "Lemon balm (n~=~114)", "Placebo (n~=~111)", "Difference or risk ratio (95%~CI)", "P value"),
        ("Primary outcome",),
        ("Sleep-quality score, mean (SD)", "7.9 (3.1)", "9.6 (3.3)", "−1.7 (−2.5 to −0.9)", "<0.001"),
        ("Secondary outcomes",),
        ("Sleep duration, min, mean (SD)", "392 (54)", "371 (58)", "21 (6 to 36)", "0.005"),
        ("Time to fall asleep, min, mean (SD)", "24.6 (11.2)", "29.8 (12.9)", "−5.2 (−8.4 to −2.0)", "0.001"),
        ("Response,‡ n/N (%)", "62/114 (54.4)", "38/111 (34.2)", "1.59 (1.17 to 2.16)", "0.003"),
        ("Any adverse event, n/N (%)", "19/114 (16.7)", "17/111 (15.3)", "1.09 (0.60 to 1.98)", "0.78"),
    ],
    (3.8, 2.1, 2.1, 2.7, 1.0),
    (
        "CI = confidence interval; SD = standard deviation. Means are compared by differences, shares by risk ratios.",
        "‡ A fall of the sleep-quality score by three points or more.",
    ),
)

_HARMS = Table(
    "**Table 3.** Adverse events by kind. Values are n (%) of participants; each is counted once.",
    [
        ("Event", "Lemon balm (n~=~114)", "Placebo (n~=~111)"),
        ("Heartburn", "8 (7.0)", "6 (5.4)"),
        ("Getting up to pass water", "6 (5.3)", "7 (6.3)"),
        ("Headache", "3 (2.6)", "3 (2.7)"),
        ("Rash", "2 (1.8)", "1 (0.9)"),
    ],
    (4.2, 2.6, 2.6),
)

_INTRODUCTION = (
    "About one in five harbour workers in Norland is employed on permanent night shifts.^1^ Sleeping by day is "
    "shorter and lighter than sleeping by night, and those who do it for years complain of tiredness, of "
    "irritability and of accidents at work.^1,2^ Advice on light, noise and regular hours helps some of them, but "
    "is hard to follow in crowded lodgings near a quay.^3^",
    "Tablets are no way out. Those that bring on sleep by day leave people drowsy at the beginning of the next "
    "shift, when cranes are moved and ropes are under load, and most employers forbid them. Other treatments, such "
    "as courses on habits of sleep, need a time of the day at which everybody is awake. What is wanted is something "
    "that is cheap, that needs no appointment, and that is gone from the body before work begins.",
    "Lemon balm (*Melissa officinalis*) is a common garden herb. A tea of its leaves is drunk in many harbours "
    "before going to bed, and workers who were interviewed for an earlier survey named it more often than any other "
    "remedy.^2^ Two small studies without a control group reported better sleep,^4,5^ which may be nothing more "
    "than the effect of expecting it. We therefore compared a daily cup of lemon-balm tea with a placebo tea of the "
    "same taste and colour in night-shift workers who slept badly.",
)

_METHODS = (
    ("Design and setting", (
        "This was a double-blind, randomised, placebo-controlled trial with two parallel groups. It took place in "
        "the occupational health clinics of three harbours in Norland (Eastquay, Saltmouth and Gullhaven). The "
        "protocol was approved by the Invented Ethics Board of Norland (number 2022-000), and all participants gave "
        "written consent. The trial was registered before the first participant was enrolled (ISRCTN00000000). No "
        "changes were made to the methods after the trial had begun.",
    )),
    ("Participants", (
        "We included adults aged 18 to 65 years who had worked at least four nights a week for six months or longer "
        "and whose sleep-quality score was above 8. We excluded people who were pregnant, who took sleeping tablets "
        "or sedating drugs, who had been diagnosed with sleep apnoea, or who drank lemon-balm tea more than once a "
        "week already.",
    )),
    ("Randomisation and masking", (
        "Participants were randomly assigned in a ratio of 1:1, in blocks of six and stratified by harbour, by a "
        "list that a statistician who had no other part in the trial had generated by computer. Allocation was "
        "concealed in opaque, numbered tins of identical look. Participants, nurses and those who assessed outcomes "
        "did not know who had been assigned to which tea.",
    )),
    ("Interventions", (
        "The lemon-balm group received tea bags with 1.5 g of dried leaves. The placebo group received bags with "
        "dried apple peel and a trace of lemon oil. Both were asked to drink one cup of 200 ml half an hour before "
        "they went to bed, every day for 8 weeks, and to note each cup in a diary. Empty bags were counted at each "
        "visit.",
    )),
    ("Procedures", (
        "Nurses saw participants at the beginning, after 4 weeks and after 8 weeks, always within two hours of the "
        "end of a night shift. At each visit they handed out a questionnaire, read the recorder, and weighed what "
        "was left of the tea. Participants were asked to keep to their usual hours of sleep and to drink no other "
        "herbal tea while they took part. Who missed a visit was telephoned up to three times. Travel was paid for; "
        "there was no other reward.",
    )),
    ("Outcomes", (
        "The primary outcome was the sleep-quality score at 8 weeks, which sums up seven questions and ranges from "
        "0 to 21; lower scores are better sleep. Secondary outcomes were sleep duration and the time to fall "
        "asleep, both from a wrist-worn recorder over seven days, and response, which was defined as a fall of the "
        "score by three points or more. Adverse events were asked for at 4 and 8 weeks in open questions.",
    )),
    ("Involvement of workers", (
        "Eight workers of the harbour of Eastquay helped to plan the trial. They asked that the tea be drunk at "
        "home and not at the clinic, that the questionnaire fit on one page, and that nobody learn from the "
        "employer who took part. They also tasted five placebo teas and chose the one that they could not tell from "
        "lemon balm.",
    )),
    ("Statistical analysis", (
        "With 105 participants in each group the trial had 90% power to detect a difference of 1.5 points between "
        "the groups, given a standard deviation of 3.3 and a two-sided level of 5%. To allow for withdrawals we "
        "planned to enrol 240 participants. All participants with data at 8 weeks were analysed in the group to "
        "which they had been assigned. Means were compared by differences and proportions by risk ratios, each with "
        "its 95% confidence interval. No adjustment was made for multiple comparisons, so that the secondary "
        "outcomes are to be read as exploratory.",
    )),
)  # fmt: skip

_RESULTS = (
    ("Flow of participants", (
        "Between 3 March 2023 and 28 November 2023, 352 workers were screened and 240 were randomised: 120 to lemon "
        "balm and 120 to placebo (figure 1). Six participants of the lemon-balm group withdrew (three were lost to "
        "follow-up and three withdrew their consent), and nine of the placebo group (five and four). The analysis "
        "therefore included 114 and 111 participants. The groups were alike at baseline (table 1): the mean age was "
        "41.3 years and 40.7 years, and 65.0% and 62.5% were men.",
        "According to the diaries, participants drank a median of 52 of 56 cups in the lemon-balm group and 51 in "
        "the placebo group. Asked at the end which tea they thought they had been given, 58 of 114 and 55 of 111 "
        "guessed right, which is what chance would give.",
    )),
    ("Primary outcome", (
        "At 8 weeks the mean sleep-quality score had fallen from 11.8 to 7.9 (SD 3.1) with lemon balm and from 11.7 "
        "to 9.6 (SD 3.3) with placebo. The mean difference between the groups was −1.7 points (95% CI −2.5 to −0.9; "
        "p<0.001), as shown in table 2. The difference was of the same size in all three harbours.",
    )),
    ("Analyses that were not planned", (
        "When the harbours asked for it, we looked at smokers and others apart. The difference was −1.5 points in "
        "smokers and −1.8 in others, with no sign that the two differ (p=0.71). Nor did the number of years of "
        "night work matter. With missing scores replaced by those at baseline, the difference was −1.5 points (95% "
        "CI −2.3 to −0.7).",
    )),
    ("Secondary outcomes and adverse events", (
        "Participants who drank lemon-balm tea slept 21 minutes longer (95% CI 6 to 36) and fell asleep 5.2 minutes "
        "earlier (95% CI 2.0 to 8.4) than those who drank placebo. A response was seen in 62 of 114 participants "
        "(54.4%) and in 38 of 111 (34.2%), a risk ratio of 1.59 (95% CI 1.17 to 2.16). Nineteen participants of the "
        "lemon-balm group and 17 of the placebo group reported an adverse event (table 3), mostly heartburn or "
        "having to get up at the wrong time of the day. None was serious.",
    )),
)  # fmt: skip

_DISCUSSION = (
    "In this trial a daily cup of lemon-balm tea improved the sleep of night-shift workers by 1.7 points more than "
    "a placebo tea did. More than half of those who drank it responded, but so did a third of those who did not: "
    "the ritual of a warm cup at a fixed hour, which both groups had, may be the larger part of what helps.",
    "The strengths of the trial are that the two teas could not be told apart, that few participants were lost, and "
    "that sleep was measured by a recorder as well as by questions. It also has limitations. Eight weeks are short "
    "for people who work nights for years. Participants who were lost had slept somewhat worse at baseline, and we "
    "did not impute their missing scores. Only workers of harbours took part, most of them men, and whether nurses "
    "or drivers would respond in the same way is not known.",
    "Why lemon balm might work is not known. Its leaves hold oils that calm mice in large amounts,^6^ but a cup of "
    "tea holds little of them, and the effect that we saw came within the first four weeks and did not grow "
    "afterwards. We did not measure what was absorbed. It is possible that the smell, which the drop of lemon oil "
    "in the placebo tea cannot fully imitate, is what matters.",
    "The two earlier studies reported falls of four and five points,^4,5^ which is close to the change within our "
    "groups and far from the difference between them. This is what one would expect where there is no control "
    "group, and a reminder of why one is needed. Our estimate also agrees with a survey in which workers who drank "
    "the tea slept about twenty minutes longer.^2^",
    "For practice, the size of the effect is to be weighed against that of other measures. Moving a worker from "
    "permanent to rotating nights shortened the time to fall asleep by a quarter of an hour in one harbour,^1^ "
    "three times as much as the tea did. Curtains that let no light through had an effect close to ours.^3^ A trial "
    "that compares these measures with each other, over at least half a year and with accidents at work among its "
    "outcomes, would be worth its cost.",
    "We were surprised by how gladly workers took part. Of 281 who could have, 240 did, and the tins were brought "
    "back at nearly every visit. Several nurses told us that it was the first time that somebody had asked these "
    "workers how they slept. Clinics that see them for other reasons might do so as well: seven questions take "
    "three minutes, and a score above 8 is a reason to talk about light, noise and the hours of meals before any "
    "remedy is tried.",
    "Lemon-balm tea is cheap and seems to be safe. Those who like it have little reason not to drink it; those who "
    "hope for a cure of the night shift will have to look elsewhere.",
)

_ENDS = (
    ("Funding", "This work was supported by the Harbour Health Fund of Norland, a public body that does not exist."),
    (
        "Contributors",
        "II and OS designed the trial. MF enrolled participants and looked after the data. PP did the analysis. All "
        "authors wrote the paper and agreed to its last version.",
    ),
    (
        "Data sharing",
        "There are no data: neither the participants nor the harbours exist, and all figures were made up so that "
        "they agree with each other.",
    ),
    ("Conflicts of interest", "The authors declare that they have no competing interests, and that they are invented."),
)

_REFERENCES = (
    "Sample O, Mockford J. Night work in the harbours of Norland. *J Imag Trials* 2019; 1: 11–19.",
    "Inkwell I, Fiction M. What workers drink before they sleep: a survey. *Norland Occup Health* 2020; 12: 201–208.",
    "Penfold P. Light, noise and lodgings. *Ann Invent Med* 2018; 44: 3–9.",
    "Quill R, Draft S. Lemon balm and sleep: an uncontrolled study. *Herbal Fables* 2016; 7: 55–60.",
    "Blank T, Margin L. A cup before bed. *Herbal Fables* 2017; 8: 101–104.",
    "Placeholder A. Oils of *Melissa* in mice. *Proc Fict Soc Physiol* 2011; 2: 77–90.",
)


def draw(book: Book) -> None:
    """All pages of the paper."""
    paper = Paper(book, _LOOK, _running)
    paper.y = 66
    paper.across("Original article", size=9, face="sans")
    paper.y += 6
    paper.across(TITLE, size=18, face="bold", leading=1.16)
    paper.y += 7
    paper.across("Ida Inkwell,^1^ Otto Sample,^1^ Mira Fiction,^2^ Paul Penfold^1,3^", size=11)
    paper.y += 3
    paper.across(
        "^1^ Department of Sleep, University of Nowhere, Eastquay, Norland; ^2^ Clinic of the Harbour, Saltmouth, "
        "Norland; ^3^ Institute of Invented Statistics, Gullhaven, Norland",
        size=8,
        face="italic",
    )
    paper.y += 9
    paper.panel(_ABSTRACT, size=9.6)
    paper.footnote(
        [
            "Correspondence: Dr Ida Inkwell, Department of Sleep, University of Nowhere, 1 Quay Street, Eastquay, "
            "Norland; ida.inkwell@nowhere.invalid",
            "Received 5 February 2024; accepted 17 May 2024.",
        ]
    )
    paper.heading("Introduction")
    _texts(paper, _INTRODUCTION)
    paper.heading("Methods")
    paper.figure(_profile, 168, "**Figure 1.** Trial profile.")
    for name, texts in _METHODS:
        if name == "Outcomes":
            paper.table(_BASELINE)
        paper.heading(name, minor=True)
        _texts(paper, texts)
    paper.heading("Results")
    paper.table(_OUTCOMES, wide=True)
    for name, texts in _RESULTS:
        paper.heading(name, minor=True)
        _texts(paper, texts)
    paper.table(_HARMS)
    paper.heading("Discussion")
    _texts(paper, _DISCUSSION)
    for name, text in _ENDS:
        paper.heading(name, minor=True)
        _texts(paper, (text,))
    paper.heading("References")
    for number, text in enumerate(_REFERENCES, 1):
        paper.text(f"{number}. {text}", size=8, indent=0, hang=10)
    paper.finish()


def _texts(paper: Paper, texts: tuple[str, ...]) -> None:
    for number, text in enumerate(texts):
        paper.text(text, indent=10 if number else 0)


def _running(sheet: Sheet, number: int) -> None:
    look, page = _LOOK, str(_FIRST_PAGE + number - 1)
    right = A4[0] - look.right
    if number == 1:
        sheet.rect((look.left, 36, right, 54), fill=(0.12, 0.25, 0.36))
        sheet.text(look.left + 8, 48.5, JOURNAL, face="sansbold", size=10, colour=(1, 1, 1))
        sheet.text(right - 8, 48.5, "2024; 6: 114–117", face="sans", size=8.5, colour=(1, 1, 1), align="right")
    else:
        sheet.text(look.left, 48, "Inkwell et al.", face="italic", size=8.5)
        sheet.text(right, 48, "Lemon-balm tea for poor sleep", face="italic", size=8.5, align="right")
        sheet.rule(look.left, 54, right, 54, thick=0.4)
    sheet.text(look.left, A4[1] - 34, f"{JOURNAL}, volume 6, 2024", face="sans", size=7.5)
    sheet.text(right, A4[1] - 34, page, face="sans", size=8.5, align="right")


def _profile(sheet: Sheet, x: float, y: float, width: float) -> None:
    """Boxes of a trial profile, from those screened to those analysed."""
    half, middle = (width - 16) / 2, x + width / 2
    left, right = x + half / 2, x + width - half / 2
    for place, top, wide, text in (
        (middle, y, 120, "352 workers screened"),
        (middle, y + 58, 120, "240 randomised"),
        (left, y + 94, half, "120 assigned to lemon balm"),
        (right, y + 94, half, "120 assigned to placebo"),
        (left, y + 144, half, "114 analysed"),
        (right, y + 144, half, "111 analysed"),
    ):
        sheet.rect((place - wide / 2, top, place + wide / 2, top + 18), line=BLACK, thick=0.5)
        sheet.text(place, top + 12, text, face="sans", size=7.2, align="center")
    sheet.rect((middle + 8, y + 24, x + width, y + 52), line=BLACK, thick=0.5)
    for number, text in enumerate(("112 excluded", "71 not eligible, 41 declined")):
        sheet.text(middle + 13, y + 35 + number * 10, text, face="sans", size=6.6)
    for place, text in ((left, "6 withdrew"), (right, "9 withdrew")):
        sheet.text(place + 4, y + 131, text, face="sans", size=6.6)
        sheet.rule(place, y + 112, place, y + 144, colour=BLACK, thick=0.5)
        sheet.rule(place, y + 85, place, y + 94, colour=BLACK, thick=0.5)
    sheet.rule(middle, y + 18, middle, y + 58, colour=BLACK, thick=0.5)
    sheet.rule(middle, y + 38, middle + 8, y + 38, colour=BLACK, thick=0.5)
    sheet.rule(middle, y + 76, middle, y + 85, colour=BLACK, thick=0.5)
    sheet.rule(left, y + 85, right, y + 85, colour=BLACK, thick=0.5)
