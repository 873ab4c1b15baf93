"""The table of generated hostile files: what each is, and the verdict that the product declares for it (TA-VERDICT)."""

import zlib

from tests.support import hostile as h
from tests.support.hostile import Case

_LAUNCH = b"<</S/Launch/F(cmd.exe)/Win<</F(cmd.exe)/P(/c calc)>>>>"
_ADDRESS = b"<</S/URI/URI(http://example.invalid/)>>"
_PASSWORD = {"user": "secret", "owner": "owner"}

NUMBERS = [
    Case("objects_600000", h.many_objects, "refuse", "too_many_objects"),
    Case("objects_in_one_stream", h.objects_in_a_stream, "refuse", "too_many_objects"),
    Case("objects_in_hidden_streams", h.objects_in_hidden_streams, "refuse", "too_many_objects"),
    Case("pages_2000", lambda: h.many_pages(2000), "accept"),
    Case("pages_2001", lambda: h.many_pages(2001), "refuse", "too_many_pages"),
    Case("pages_10000", lambda: h.many_pages(10_000), "refuse", "too_many_pages"),
    Case("page_tree_depth_5000", lambda: h.deep_page_tree(5000), "accept", notes=None),
    Case("page_tree_all_to_all", h.wide_and_looping_page_tree, "accept", notes=None),
    Case("page_tree_of_itself", lambda: h.pdf(pages=b"<</Type/Pages/Kids[2 0 R]/Count 1>>"), "accept", notes=None),
    Case(
        "page_count_huge", lambda: h.pdf(pages=h.PAGES.replace(b"Count 1", b"Count 2147483647")), "accept", notes=None
    ),
    Case("page_count_negative", lambda: h.pdf(pages=h.PAGES.replace(b"Count 1", b"Count -5")), "accept", notes=None),
    Case("parents_in_a_ring", h.parents_in_a_ring, "accept", notes=None),
    Case("arrays_depth_100000", lambda: h.nested(b"[", b"]", 100_000), "accept", notes=None),
    Case("dictionaries_depth_100000", lambda: h.nested(b"<</A", b">>", 100_000), "accept", notes=None),
    Case(
        "script_at_depth_400",
        lambda: h.nested(b"<</A[", b"]>>", 200).replace(b"[]", b"[" + h.SCRIPT + b"]"),
        "refuse",
        "too_complex",
    ),
    Case(
        "contents_array_loop",
        lambda: h.pdf(b"[6 0 R 6 0 R]", page=h.PAGE.replace(b"4 0 R", b"6 0 R")),
        "accept",
        notes=None,
    ),
]

STREAMS = [
    Case(
        "length_4_gb",
        lambda: h.pdf(content=h.stream(h.CONTENT).replace(b"/Length %d" % len(h.CONTENT), b"/Length 4294967296")),
        "accept",
        notes=None,
    ),
    Case("length_of_itself", h.length_of_itself, "accept", notes=None),
    Case("flate_bomb", h.flate_bomb, "refuse", "stream_bomb"),
    Case(
        "flate_bomb_two_stages",
        lambda: h.bomb_in_filters(b"/FlateDecode/FlateDecode", lambda data: zlib.compress(data, 1)),
        "refuse",
        "stream_bomb",
    ),
    Case(
        "flate_bomb_in_hex",
        lambda: h.bomb_in_filters(b"/ASCIIHexDecode/FlateDecode", lambda data: data.hex().encode() + b">"),
        "refuse",
        "stream_bomb",
    ),
    Case(
        "flate_bomb_in_hex_in_flate",
        lambda: h.bomb_in_filters(
            b"/FlateDecode/ASCIIHexDecode/FlateDecode", lambda data: zlib.compress(data.hex().encode() + b">", 1)
        ),
        "refuse",
        "stream_bomb",
    ),
    Case("run_length_bomb", h.run_length_bomb, "refuse", "stream_bomb"),
    Case(
        "filters_1000_deep",
        lambda: h.pdf(content=h.stream(zlib.compress(h.CONTENT), b"/Filter[%s]" % (b"/FlateDecode" * 1000))),
        "refuse",
        "too_complex",
    ),
    Case(
        "predictor_huge",
        lambda: h.pdf(
            content=h.packed(
                h.CONTENT, b"/DecodeParms<</Predictor 12/Columns 2000000000/Colors 32/BitsPerComponent 16>>"
            )
        ),
        "accept",
        notes=None,
    ),
    Case(
        "external_stream",
        lambda: h.pdf(content=h.stream(b"", b"/F(/etc/passwd)")),
        "accept",
        notes=("external_stream",),
    ),
    Case(
        "external_stream_by_address",
        lambda: h.pdf(content=h.stream(b"", b"/F<</FS/URL/F(http://example.invalid/)>>/FFilter/FlateDecode")),
        "accept",
        notes=("external_stream",),
    ),
    Case("contents_100000_times", h.many_contents, "accept", notes=None),
    Case("text_500000_marks", lambda: h.many_marks(b"BT /F 1 Tf 9 9 Td (x) Tj ET ", 500_000), "accept", notes=None),
    Case("paths_1000000", lambda: h.many_marks(b"1 1 m 90 90 l S ", 1_000_000), "accept", notes=None),
    Case("states_1000000_deep", lambda: h.many_marks(b"q ", 1_000_000), "accept", notes=None),
    Case(
        "string_of_30_mb",
        lambda: h.pdf(content=h.packed(h.CONTENT + b" BT (" + b"(" * (15 << 20) + b") Tj ET")),
        "accept",
        notes=None,
    ),
]

SIZES = [
    Case("page_14401_pt", lambda: h.with_media_box(b"0 0 14401 600"), "refuse", "page_too_large"),
    Case("page_1e9_pt", lambda: h.with_media_box(b"0 0 1000000000 1000000000"), "refuse", "page_too_large"),
    Case("page_of_400_digits", lambda: h.with_media_box(b"0 0 %s.0 600" % (b"9" * 400)), "refuse", "page_too_large"),
    Case(
        "page_user_unit",
        lambda: h.with_media_box(b"0 0 600 800", b"").replace(b"/Type/Page/Parent", b"/Type/Page/UserUnit 1000/Parent"),
        "refuse",
        "page_too_large",
    ),
    Case("page_no_numbers", lambda: h.with_media_box(b"NaN NaN inf inf"), "accept", notes=None),
    Case("page_negative", lambda: h.with_media_box(b"0 0 -595 -842"), "accept"),
    Case("page_empty", lambda: h.with_media_box(b"0 0 0 0"), "accept", notes=None),
    Case("page_of_names", lambda: h.with_media_box(b"/A /B (c) [1]"), "accept", notes=None),
    Case("page_tiny", lambda: h.with_media_box(b"0 0 0.001 0.001"), "accept", notes=("tiny_page",)),
    Case("page_rotated_45", lambda: h.with_page(b"/Rotate 45"), "accept"),
    Case("page_rotated_huge", lambda: h.with_page(b"/Rotate 2147483610"), "accept", notes=None),
    Case("page_crop_elsewhere", lambda: h.with_page(b"/CropBox[9000 9000 9500 9500]"), "accept", notes=None),
    Case(
        "image_100000_px",
        lambda: h.with_image(
            b"/Width 100000/Height 100000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode", h.zeros(1 << 20)
        ),
        "refuse",
        "image_bomb",
    ),
    Case(
        "image_hides_its_size",
        lambda: h.with_image(
            b"/Width 10/Height 10/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
            h.jpeg_frame(65_000, 65_000),
        ),
        "refuse",
        "image_bomb",
    ),
    Case(
        "image_jpx_hides_its_size",
        lambda: h.with_image(b"/Width 10/Height 10/Filter/JPXDecode", h.jpx_size(2**31, 2**31)),
        "refuse",
        "image_bomb",
    ),
    Case(
        "image_lies_about_depth",
        lambda: h.with_image(
            b"/Width 4000/Height 4000/ColorSpace/DeviceCMYK/BitsPerComponent 16/Filter/FlateDecode", h.zeros(1 << 20)
        ),
        "accept",
    ),
    Case(
        "image_depth_of_nothing",
        lambda: h.with_image(b"/Width 200/Height 200/ColorSpace/DeviceRGB/BitsPerComponent 99", bytes(90)),
        "accept",
        notes=None,
    ),
    Case(
        "image_negative",
        lambda: h.with_image(b"/Width -200/Height -200/ColorSpace/DeviceRGB/BitsPerComponent 8", bytes(90)),
        "accept",
        notes=None,
    ),
    Case(
        "image_fax_huge",
        lambda: h.with_image(
            b"/Width 200/Height 200/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode"
            b"/DecodeParms<</K -1/Columns 2000000000/Rows 2000000000>>",
            h.noise(500),
        ),
        "accept",
        notes=None,
    ),
    Case(
        "image_inline_huge",
        lambda: h.pdf(
            content=h.stream(
                h.CONTENT + b" q 9 0 0 9 0 0 cm BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID " + bytes(90) + b" EI Q"
            )
        ),
        "accept",
        notes=None,
    ),
    Case(
        "image_jpx_garbage",
        lambda: h.with_image(b"/Width 90/Height 90/Filter/JPXDecode", h.noise(4000)),
        "accept",
        notes=None,
    ),
    Case(
        "image_jbig2_garbage",
        lambda: h.with_image(
            b"/Width 90/Height 90/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode", h.noise(4000)
        ),
        "refuse",
        "image_bomb",
    ),
    Case(
        "image_masks_itself",
        lambda: h.with_image(b"/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 6 0 R", bytes(81)),
        "accept",
        notes=None,
    ),
]

DRAWING = [
    Case("form_in_itself", h.form_in_itself, "accept"),
    Case("forms_ten_to_the_ninth", lambda: h.forms_in_forms(9, 10), "accept"),
    Case("type3_font_in_itself", h.type3_in_itself, "accept"),
    Case("pattern_of_tiny_steps", h.pattern_bomb, "accept"),
    Case("pattern_of_itself", lambda: h.pattern_bomb(b"/XStep 1/YStep 1", b"/Pattern<</P 6 0 R>>"), "accept"),
    Case("shading_of_10_to_the_12_samples", h.shading_bomb, "accept", notes=None),
    Case("mesh_of_500000_patches", h.mesh_bomb, "accept", notes=None),
    Case("font_lies_about_its_tables", h.lying_true_type, "accept"),
    Case("font_of_noise", lambda: h.embedded_font(h.noise(20_000)), "accept"),
    Case(
        "font_widths_huge",
        lambda: h.embedded_font(h.noise(200), b"/Widths[%s]" % (b"9e99 " * 100_000)),
        "accept",
        notes=None,
    ),
    Case("character_map_of_4_g", h.character_map_bomb, "accept"),
]

ACTIONS = [
    Case(
        "script_in_names", lambda: h.names_tree(b"/JavaScript<</Names[(a) 6 0 R]>>", h.SCRIPT), "refuse", "javascript"
    ),
    Case(
        "script_in_nested_names",
        lambda: h.names_tree(
            b"/JavaScript<</Kids[6 0 R]>>", b"<</Limits[(a)(z)]/Kids[7 0 R]>>", b"<</Names[(a) 8 0 R]>>", h.SCRIPT
        ),
        "refuse",
        "javascript",
    ),
    Case("script_at_opening", lambda: h.with_catalog(b"/OpenAction " + h.SCRIPT), "refuse", "javascript"),
    Case("script_of_a_page", lambda: h.with_page(b"/AA<</O 6 0 R>>", h.SCRIPT), "refuse", "javascript"),
    Case("script_of_an_annotation", lambda: h.annotation(b"/A 6 0 R", h.SCRIPT), "refuse", "javascript"),
    Case(
        "script_of_a_field",
        lambda: h.with_catalog(b"/AcroForm<</Fields[6 0 R]>>", b"<</FT/Tx/T(a)/AA<</K 7 0 R>>>>", h.SCRIPT),
        "refuse",
        "javascript",
    ),
    Case(
        "script_behind_another_action",
        lambda: h.with_catalog(b"/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[6 0 R]>>", h.SCRIPT),
        "refuse",
        "javascript",
    ),
    Case(
        "script_with_escaped_names",
        lambda: h.with_catalog(b"/OpenAction<</S/J#61vaScript/#4aS(1)>>"),
        "refuse",
        "javascript",
    ),
    Case(
        "script_in_a_stream",
        lambda: h.with_catalog(b"/OpenAction<</S/JavaScript/JS 6 0 R>>", h.packed(b"app.alert(1)")),
        "refuse",
        "javascript",
    ),
    Case("script_in_an_object_stream", h.script_in_object_stream, "refuse", "javascript"),
    Case(
        "script_in_a_rendition",
        lambda: h.annotation(b"/A<</S/Rendition/OP 0/JS(app.alert\\(1\\))>>"),
        "refuse",
        "javascript",
    ),
    Case(
        "script_behind_an_owner_password",
        lambda: h.encrypted(of=h.with_catalog(b"/OpenAction " + h.SCRIPT), owner="x", user="", R=6),
        "refuse",
        "javascript",
    ),
    Case("launch_at_opening", lambda: h.with_catalog(b"/OpenAction " + _LAUNCH), "refuse", "launch_action"),
    Case("launch_of_an_annotation", lambda: h.annotation(b"/A 6 0 R", _LAUNCH), "refuse", "launch_action"),
    Case(
        "launch_behind_another_action",
        lambda: h.annotation(b"/A<</S/URI/URI(x)/Next " + _LAUNCH + b">>"),
        "refuse",
        "launch_action",
    ),
    Case("address_at_opening", lambda: h.with_catalog(b"/OpenAction " + _ADDRESS), "accept", notes=("uri_action",)),
    Case("address_at_a_click", lambda: h.annotation(b"/A " + _ADDRESS), "accept"),
    Case(
        "form_sent_at_opening",
        lambda: h.with_catalog(b"/OpenAction<</S/SubmitForm/F(http://example.invalid/)>>"),
        "accept",
        notes=("uri_action",),
    ),
    Case(
        "data_fetched_by_a_page",
        lambda: h.with_page(b"/AA<</O<</S/ImportData/F(/etc/passwd)>>>>"),
        "accept",
        notes=("uri_action",),
    ),
    Case(
        "document_elsewhere_at_opening",
        lambda: h.with_catalog(b"/OpenAction<</S/GoToR/F(\\\\\\\\host\\\\share)/D[0/Fit]>>"),
        "accept",
        notes=("uri_action",),
    ),
    Case("attachment_named_like_a_path", lambda: h.attachment(b"../../../../etc/cron.d/x"), "refuse", "embedded_file"),
    Case("attachment_named_absolutely", lambda: h.attachment(b"/etc/passwd"), "refuse", "embedded_file"),
    Case(
        "attachment_of_an_annotation",
        lambda: h.with_page(
            b"/Annots[<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(x)/EF<</F 6 0 R>>>>>>]", h.stream(b"x")
        ),
        "refuse",
        "embedded_file",
    ),
    Case(
        "attachment_without_a_type",
        lambda: h.names_tree(b"/EmbeddedFiles<</Names[(a)<</F(a)/EF<</UF 6 0 R>>>>]>>", h.stream(b"x")),
        "refuse",
        "embedded_file",
    ),
    Case(
        "rich_media",
        lambda: h.with_page(b"/Annots[<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]>>]"),
        "refuse",
        "embedded_file",
    ),
    Case(
        "dynamic_form",
        lambda: h.with_catalog(b"/AcroForm<</Fields[]/XFA 6 0 R>>", h.stream(b"<xdp/>")),
        "accept",
        notes=("xfa_form",),
    ),
    Case(
        "outline_in_a_ring",
        lambda: h.with_catalog(
            b"/Outlines<</First 6 0 R/Last 7 0 R>>", b"<</Title(a)/Next 7 0 R>>", b"<</Title(b)/Next 6 0 R>>"
        ),
        "accept",
        notes=("loop",),
    ),
    Case("names_in_a_ring", lambda: h.names_tree(b"/Dests<</Kids[6 0 R]>>", b"<</Kids[6 0 R]>>"), "accept", notes=None),
]

STRUCTURE = [
    Case("table_before_itself", h.previous_table_loop, "accept", notes=None),
    Case("table_of_2_g_entries", h.huge_cross_reference_stream, "accept", notes=None),
    Case("size_of_2_g", lambda: h.pdf().replace(b"/Size 6", b"/Size 2147483647"), "accept", notes=None),
    Case("root_is_missing", lambda: h.pdf().replace(b"/Root 1 0 R", b"/Root 99 0 R"), "refuse", "no_pages"),
    Case("cut_in_the_first_object", lambda: h.pdf()[:40], "refuse", "truncated"),
    Case("cut_at_a_half", lambda: h.pdf(h.stream(h.noise(3000)))[:1500], "accept", notes=None),
    Case("cut_before_its_end", lambda: h.pdf()[:-20], "accept", notes=("repaired",)),
    Case("nothing_but_the_signature", lambda: b"%PDF-1.7\n", "refuse", "not_a_pdf"),
    Case("no_pdf_at_all", lambda: h.noise(5000), "refuse", "not_a_pdf"),
    Case("zip_before", lambda: h.prefixed(h.zipped()), "accept", notes=("repaired", "foreign_start")),
    Case("zip_behind", lambda: h.pdf() + h.zipped(), "accept", notes=None),
    Case(
        "page_before",
        lambda: h.prefixed(b"<html><script>1</script><!--\n"),
        "accept",
        notes=("repaired", "foreign_start"),
    ),
    Case("program_before", lambda: h.prefixed(b"MZ" + bytes(200)), "accept", notes=None),
    Case("signature_at_1020", lambda: h.prefixed(b"#" * 1019 + b"\n"), "accept", notes=("repaired", "foreign_start")),
    Case("signature_at_1025", lambda: h.prefixed(b"#" * 1024 + b"\n"), "refuse", "not_a_pdf"),
    Case(
        "encrypted_rc4_128", lambda: h.encrypted(**_PASSWORD, R=3, aes=False, metadata=False), "ask", "password_needed"
    ),
    Case("encrypted_aes_128", lambda: h.encrypted(**_PASSWORD, R=4), "ask", "password_needed"),
    Case("encrypted_aes_256", lambda: h.encrypted(**_PASSWORD, R=6), "ask", "password_needed"),
    Case("encrypted_and_told", lambda: h.encrypted(**_PASSWORD, R=6), "accept", password="secret"),
    Case(
        "encrypted_and_told_wrongly", lambda: h.encrypted(**_PASSWORD, R=6), "ask", "password_wrong", password="guess"
    ),
    Case(
        "encrypted_for_its_owner", lambda: h.encrypted(user="", owner="owner", R=6), "accept", notes=("owner_password",)
    ),
    Case("encrypted_by_nobody", h.encryption_of_nobody, "refuse", "encryption_unsupported"),
]

GENERATED = [*NUMBERS, *STREAMS, *SIZES, *DRAWING, *ACTIONS, *STRUCTURE]
