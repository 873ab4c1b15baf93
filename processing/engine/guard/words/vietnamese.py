"""Vietnamese: most words are of several syllables."""

from processing.engine.guard.roles import Role

VIETNAMESE = {
    Role.WHO: """mô_hình_ngôn_ngữ mô_hình_ai hệ_thống_ai các_hệ_thống_ai trợ_lý_ai trí_tuệ_nhân_tạo
        trình_đọc_tự_động hệ_thống_tự_động bộ_đọc_tự_động máy_đọc chương_trình_đọc chương_trình_xử_lý
        công_cụ_trích_xuất chatbot* các_ai gửi_ai bot bất_kỳ_ai phần_mềm_đọc tác_nhân_ai""",
    Role.MACHINE: "ai trợ_lý mô_hình hệ_thống chương_trình phần_mềm robot thuật_toán công_cụ",
    Role.AGENT: "trợ_lý ai trí_tuệ_nhân_tạo",
    Role.READS: "đọc xử_lý phân_tích trích_xuất tóm_tắt đang_đọc",
    Role.TO: "gửi cho lưu_ý chú_ý thông_báo gửi_tới dành_cho nếu_bạn_là",
    Role.GREETING: "kính_gửi chào thân_gửi nếu_bạn_là",
    Role.YOUR: "bạn của_bạn mày của_mày",
    Role.MUST: "phải nên cần vui_lòng xin yêu_cầu hãy_ghi hãy_đặt hãy_trả hãy_coi hãy_đánh hãy_bỏ hãy_không",
    Role.NO: "không đừng chớ không_được không_cần không_bao_giờ",
    Role.DROP: "bỏ_qua quên phớt_lờ không_tuân_theo ghi_đè không_làm_theo mặc_kệ loại_bỏ_các_quy",
    Role.FOLLOW: "tuân_theo tuân_thủ làm_theo nghe_theo",
    Role.IF: "nếu",
    Role.PRETEND: "giả_vờ làm_như",
    Role.CHANGE: "giảm_giá giảm_một_nửa tăng_gấp nhân_đôi",
    Role.SWAP: "thay_thế",
    Role.LIFT: "gỡ_bỏ vô_hiệu_hóa tắt",
    Role.MENTION: "đề_cập nhắc_đến",
    Role.VOID: "bị_hủy vô_hiệu không_còn_hiệu_lực hết_hiệu_lực được_ưu_tiên không_còn_áp_dụng",
    Role.SAY: """in_ra hiển_thị cho_xem viết lặp_lại tiết_lộ dịch xuất báo_cáo trích_xuất liệt_kê ghi nêu đề_cập
        đưa_ra sao_chép nhắc_đến cho_tôi_biết nói kể""",
    Role.ANSWER: "trả_lời trả_về phản_hồi nói đáp đề_xuất chỉ_trả_lời",
    Role.ONLY: "duy_nhất luôn luôn_luôn chỉ_trả_lời chỉ_cần chỉ_được",
    Role.SET: "đặt ghi thay_đổi đổi thay điền gán nhân_đôi coi để_trống để thiết_lập chuyển",
    Role.MARK: "đánh_dấu coi xem phê_duyệt chấp_nhận xác_nhận phân_loại duyệt",
    Role.OMIT: "lược_bỏ giấu ẩn_đi loại_trừ loại_bỏ",
    Role.SEND: "gửi tải_lên truy_cập chuyển_tiếp mở gọi",
    Role.BECOME: """bây_giờ_bạn_là giờ_bạn_là bạn_không_còn_là từ_bây_giờ từ_giờ hãy_đóng_vai đóng_vai giả_vờ
        hành_động_như chỉ_dẫn_mới""",
    Role.RULES: "chỉ_dẫn hướng_dẫn quy_tắc lệnh mệnh_lệnh chỉ_thị quy_định giới_hạn yêu_cầu lời_nhắc nhiệm_vụ",
    Role.BEFORE: """trước trước_đó trước_đây ở_trên bên_trên ban_đầu phía_trên gốc cũ bí_mật ẩn nội_bộ lúc_đầu
        từ_đầu đầu_tiên""",
    Role.TOLD: "đã_nhận được_nhận đã_cho được_cho đã_nói được_nói được_giao đã_học được_cung_cấp bạn_đã_nhận",
    Role.EVERY: "mọi tất_cả toàn_bộ mỗi các bất_kỳ từng sau_đây dưới_đây những",
    Role.EVERYTHING: "mọi_thứ mọi_điều tất_cả_những_gì những_gì văn_bản",
    Role.PROMPT: """lời_nhắc_hệ_thống prompt_hệ_thống chỉ_dẫn_hệ_thống câu_lệnh_hệ_thống lệnh_hệ_thống
        hướng_dẫn_hệ_thống thông_điệp_hệ_thống_của""",
    Role.FIGURE: """giá đơn_giá chi_phí độ_tin_cậy tiền_tệ sku mã_sản_phẩm mã_hàng mã giảm_giá thương_hiệu số_lượng
        nhà_cung_cấp""",
    Role.GOODS: "sản_phẩm mặt_hàng dòng hàng trường giá_trị cột mục",
    Role.NOTHING: "không_đồng 0_đồng rỗng trống miễn_phí không_xác_định bằng_không hết_hàng số_không",
    Role.PASSED: """đã_duyệt đã_kiểm_tra đã_xác_minh đã_phê_duyệt hợp_lệ trang_bìa đã_xác_nhận được_duyệt
        được_phê_duyệt đạt""",
    Role.REVIEW: "người_kiểm_tra con_người kiểm_tra_thủ_công xét_duyệt_thủ_công người_duyệt kiểm_duyệt người_xem_xét",
    Role.FORM: "json danh_sách bài_thơ câu danh_sách_rỗng chữ_cái",
    Role.THIS: "này dòng_này",
    Role.PAGE: "trang tài_liệu tệp văn_bản bảng danh_mục danh_sách pdf tập_tin",
    Role.FREE: "không_giới_hạn không_bị_giới_hạn không_hạn_chế không_quy_tắc không_kiểm_duyệt",
    Role.TAKEN: "đã_trích_xuất đã_đọc kết_quả",
    Role.PART: "trợ_lý người_bán quản_trị nhà_phát_triển tự_do chuyên_gia ai",
    Role.LIMITS: "giới_hạn hạn_chế mọi_quy_tắc",
    Role.OPERATOR: "người_vận_hành nhà_phát_triển người_tạo",
    Role.OWNER: "nhà_phát_triển_của_bạn người_tạo_ra_bạn",
    Role.STATUS: "trạng_thái độ_tin_cậy",
    Role.NOTES: "ghi_chú mô_tả",
    Role.ITSELF: "chỉ_dẫn_này người_dùng đoạn_này",
    Role.QUESTION: "câu_hỏi",
    Role.TASK: "nhiệm_vụ_mới",
    Role.HARM: "thương_tích hư_hỏng bảo_hành cháy tai_nạn nguy_hiểm",
}
