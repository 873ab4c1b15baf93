"""Personal data in texts: what is found, what is left in peace, and what a mask leaves. All of it is made up."""

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogsku.core.check_digits import is_card_number, is_gtin, is_iban, is_identity_number
from catalogsku.core.personal_data import Kind, Masks, Sought, counted, found, found_on_page, mask
from tests.support.promises import within

pytestmark = pytest.mark.req("TA-PII")

FOUND = [
    ("请致电13812345678", "phone", "13812345678"),
    ("手机：１３８１２３４５６７８", "phone", "13812345678"),
    ("手机号码 138 1234 5678", "phone", "13812345678"),
    ("138-1234-5678", "phone", "13812345678"),
    ("微信/手机: 13812345678", "phone", "13812345678"),
    ("电话：021-55551234 转 8001", "phone", "02155551234"),
    ("电话:\n0571 8888 1234", "phone", "057188881234"),
    ("传真 (010) 6555 1234", "phone", "01065551234"),
    ("联系方式：86-592-5551234", "phone", "865925551234"),
    ("86-22-65551234", "phone", "862265551234"),
    ("服务热线 400-123-4567", "phone", "4001234567"),
    ("Tel. 021 5555 1234", "phone", "02155551234"),
    ("TEL0467-55-7088", "phone", "0467557088"),
    ("Phone No.: (212) 555-0142", "phone", "2125550142"),
    ("Mobile/WhatsApp: 0791 555 929", "phone", "0791555929"),
    ("Call +1 415 555 2671 today", "phone", "14155552671"),
    ("+49 (0)30 1234567", "phone", "490301234567"),
    ("+86-21-55551234", "phone", "862155551234"),
    ('{"phone": "020 7946 0958"}', "phone", "02079460958"),
    ("Телефон 95 555 03 30", "phone", "955550330"),
    ("FAX.(0763)55-3841", "phone", "0763553841"),
    ("write to Li.Wei+a@mail.example.com.cn please", "mail", "li.wei+a@mail.example.com.cn"),
    ("邮箱：wang＠example．cn", "mail", "wang@example.cn"),
    ("身份证号 11010519491231002X", "identity", "11010519491231002X"),
    ("110105 19491231 002x", "identity", "11010519491231002X"),
    ("卡号 4111 1111 1111 1111", "card", "4111111111111111"),
    ("4111 1111 1111 1111 12/27", "card", "4111111111111111"),
    ("5500-0055-5555-5559", "card", "5500005555555559"),
    ("3782 822463 10005", "card", "378282246310005"),
    ("IBAN: DE89 3704 0044 0532 0130 00 BIC COBADEFF", "iban", "DE89370400440532013000"),
    ("GB82WEST12345698765432", "iban", "GB82WEST12345698765432"),
]

LEFT = [
    "EAN 6901234567892, UPC 036000291452, GTIN-14 00012345600012",
    "Phone case 6901234567892, tel:4006381333931",
    "SSCC 340123450000000000",
    "Model 4111-1111-A, Art. 12345678, 138.1234.5678.9012, A13812345678, 13812345678-2",
    "OE 0 221 504 470, 06A 905 115 D, 1K0 615 301 AA, 4B0-601-165",
    "价格 ￥1,380.00 12 345 678,00 EUR 1.234.567,89",
    "1200x600x750 mm, -20 +85 C, +10 -5 20 30, 100-240 V 50/60 Hz",
    "400-123-4567, 110105194912310021, 11010519491231002",
    "2026-11-22T06:30:00Z 20261122 1764403200",
    "电池 3.7V 12000 mAh, hotel 12345678, Intel 1234567890, mobilé 20",
    "DE89 3704 0044 0532 0130 01, AB12 3456 7890 1234",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "@media print, a@b, x@y.1",
    "4111 1111 1111 1112",
]


@pytest.mark.parametrize(("text", "kind", "value"), FOUND)
def test_personal_data_is_found_and_classed(text: str, kind: str, value: str) -> None:
    assert [(one.kind, one.value) for one in found(text)] == [(kind, value)]


@pytest.mark.parametrize("text", LEFT)
def test_what_products_are_made_of_is_left_in_peace(text: str) -> None:
    assert found(text) == []
    assert Masks().masked(text) == text


def test_several_beside_each_other_are_told_apart() -> None:
    text = "电话：021-55551234/55551235、手机 13812345678 13987654321\nTel/Fax: 020 7946 0958, a@a.example b@a.example"
    assert counted(found(text)) == {"phone": 5, "mail": 2}
    assert [text[one.start : one.end] for one in found(text)][:2] == ["021-55551234", "55551235"]


def test_eleven_digits_among_codes_are_a_code_and_among_people_a_telephone() -> None:
    codes = "OE number\n11427566327\n13717521033\n51117033741\n17137787039\n64119237555"
    assert found_on_page(codes) == []
    people = "张三 13812345678\n李四 13987654321\n仓库 11427566327"
    assert counted(found_on_page(people)) == {"phone": 2}
    labelled = f"{codes}\n手机 13812345678"
    assert [one.value for one in found_on_page(labelled)] == ["13812345678"]


def test_cards_among_other_numbers_of_sixteen_digits_are_codes() -> None:
    codes = "4111111111111111\n4111111111111112\n4111111111111113"
    assert found_on_page(codes) == [] and counted(found_on_page("card 4111111111111111")) == {"card": 1}


@pytest.mark.parametrize(
    ("printed", "kind", "shown"),
    [
        ("+86 138-1234-5678", Kind.PHONE, "+00 000-0000-0078"),
        ("１３８１２３４５６７８", Kind.PHONE, "000000000７８"),
        ("Li.Wei7@mail.example", Kind.MAIL, "Xx.Xxx0@xxxx.xxxxxxx"),
        ("GB82 WEST 1234", Kind.IBAN, "XX00 XXXX 0034"),
    ],
)
def test_a_mask_has_the_form_of_what_it_hides(printed: str, kind: Kind, shown: str) -> None:
    assert mask(printed, kind) == shown


def test_what_is_known_is_masked_wherever_and_however_it_stands() -> None:
    masks = Masks(found_on_page("Tel: 021 5555 1234\nNeue Nr. 13812345678"))
    assert masks.masked("(021) 5555-1234, 02155551234, 13812345678!") == "(000) 0000-0034, 00000000034, 00000000078!"
    assert masks.masked("12345678, 02155551235, 6901234567892") == "12345678, 02155551235, 6901234567892"


TRUE = [text for text, _, _ in FOUND]


@given(st.lists(st.sampled_from([*TRUE, *LEFT, " ", "，", "\n", "价格"]), max_size=6).map("\n".join))
def test_masking_leaves_nothing_to_find_and_changes_no_length(text: str) -> None:
    before = found(text)
    masked = Masks(before).masked(text)
    assert len(masked) == len(text) and Masks().masked(masked) == masked
    for one in before:
        digits = re.sub(r"\D", "", one.value)
        left = re.sub(r"\D", "", masked[one.start : one.end])
        assert one.value not in masked.casefold()
        assert len(left) == 0 or set(left[:-2]) <= {"0"} or digits == ""


@given(st.text(st.sampled_from("0123456789 -.()/+@aZ:\n电话tel"), max_size=200))
def test_any_text_is_masked_once_and_for_all(text: str) -> None:
    places = found(text)
    assert all(one.end <= other.start for one, other in pairwise(places))
    masked = Masks(places).masked(text)
    assert len(masked) == len(text)
    assert Masks(places).masked(masked) == masked


@given(st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True))
def test_no_mobile_outlives_its_mask(number: str) -> None:
    for text in (number, f"手机{number}", f"+86 {number}", f"{number[:3]} {number[3:7]} {number[7:]}"):
        masked = Masks(found(text)).masked(text)
        assert number[:9] not in re.sub(r"\D", "", masked)


def test_checks_of_numbers() -> None:
    assert is_identity_number("11010519491231002X") and not is_identity_number("110105194912310021")
    assert is_card_number("4111 1111 1111 1111") and not is_card_number("4111111111111112")
    assert is_gtin("340123450000000000") and not is_card_number("6901234567892")
    assert is_iban("DE89370400440532013000") and not is_iban("DE88370400440532013000") and not is_iban("ZZ89370400")


PIECES = [
    "%78",
    "@",
    "1 ",
    "tel.",
    "+1",
    "a@a.",
    "DE89 ",
    "tel:      ",
    "手机",
    "13812345678 ",
    "1-",
    "1",
    "(",
]


@pytest.mark.parametrize("piece", PIECES)
def test_hostile_text_takes_a_time_that_grows_with_its_length(piece: str) -> None:
    text = piece * (300_000 // len(piece))
    began_s = time.process_time()
    places = found_on_page(text)
    Masks(places[:50]).masked(text)
    assert time.process_time() - began_s < within(3)


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("138 1234 5678", "请致电13812345678"),
        ("+86 13812345678", "手机 138-1234-5678"),
        ("13812345678", "+86 138 1234 5678"),
        ("０２１ ５５５５１２３４", "Tel +86 (0)21 5555 1234"),
        ("+49 30 1234567", "Tel. (0)30/1234567"),
        ("0049 30 1234567", "030 1234567"),
        ("Li.Wei@Mail.example", "E-Mail: LI.WEI@MAIL.EXAMPLE."),
        ("GB82 WEST 1234 5698 7654 32", "IBAN gb82west12345698765432"),
        ("11010519491231002x", "110105-19491231-002X"),
    ],
)
def test_what_is_sought_is_told_however_it_is_printed(said: str, printed: str) -> None:
    assert Sought(said).is_in(printed)
    assert not Sought(said).is_in("Art. 6901234567892, 1200x600 mm, a@b.example")


@pytest.mark.parametrize("said", ["", "12345", "Li Wei", "+49 (0)", "------------"])
def test_what_is_no_number_and_no_address_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match="number"):
        Sought(said)
