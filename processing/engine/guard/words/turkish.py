"""Turkish. Verbs carry their negation: the negative forms are words of their own."""

from processing.engine.guard.roles import Role

TURKISH = {
    Role.WHO: """dil_model* yapay_zeka_sistem* yapay_zekâ_sistem* yapay_zeka_model* yapay_zekâ_model* yapay_zekaya
        yapay_zekâya yapay_zekalar* yapay_zekâlar* yapay_zeka_asistan* yapay_zekâ_asistan* otomatik_okuyucular*
        otomatik_okuyucuya otomatik_sistemler* otomatik_sistemlere okuyan_yapay işleyen_yapay ayrıştırıcı* botlar*
        chatbot* okuyan_program* işleyen_program* işleyen_sistem* okuyan_sistem* okuyan_programlar*
        yapay_zeka_ajan* yapay_zekâ_ajan*""",
    Role.MACHINE: """yapay_zeka yapay_zekâ asistan* model* sistem* program* yazılım* robot* bot makine* okuyucu*
        algoritma* araç* kim her_kim ai""",
    Role.AGENT: "asistan* yapay_zeka yapay_zekâ",
    Role.READS: """okuyan okur okuyor okuyorsan işleyen işler işliyor analiz_eden çözümleyen ayrıştıran özetleyen
        okursa""",
    Role.TO: "için dikkat mesaj dikkatine eğer_sen eğer_bir",
    Role.CALLED: "okuyan_programlar*",
    Role.GREETING: "sevgili sayın merhaba",
    Role.YOUR: "sen sana senin seni kendi sizin_talimat* aldığın aldın",
    Role.MUST: """lütfen gerekir gerekmektedir zorundadır etmelidir meli olmalıdır malıdır melidir olarak_bildir
        yazmalı* etmeli* vermeli* göstermeli* saymalı* bildirmeli* göstermelidir yazmalıdır""",
    Role.NO: "değil asla hiçbir olmadan gerek_yok gerekmez gereksiz",
    Role.DROP: """yok_say* görmezden_gel göz_ardı_et dikkate_alma unut unutun unutulsun boş_ver boşver geçersiz_kıl
        uyma uymayın hiçe_say önemseme aldırma itaat_etme dinleme""",
    Role.PRETEND: "gibi_davran -mış_gibi numarası_yap",
    Role.CHANGE: "yarıya düşür indirsin indir artır ikiye_katla",
    Role.SWAP: "değiştir değiştirin",
    Role.LIFT: "kaldır devre_dışı_bırak",
    Role.MENTION: "bahsetme bahsetmeyin",
    Role.VOID: "geçersizdir iptal_edil* geçersiz yürürlükten kaldırıl* önceliklidir geçerli_değil iptal_edildi",
    Role.SAY: """göster gösterin yaz yazın yazdır yazdırın yinele tekrarla açıkla ifşa_et çevir bildir bildirin
        raporla raporlayın listele çıkar çıkarın belirt belirtin aktar söyle söyleme anlat""",
    Role.ANSWER: "cevapla yanıtla yanıt_ver cevap_ver döndür döndürün söyle öner",
    Role.ONLY: "sadece yalnızca yalnız her_zaman daima",
    Role.SET: """ayarla ayarlayın yap yapın değiştir değiştirin yaz yazın gir girin bildir bildirin kaydet
        olarak_göster ata çarp ikiye_katla belirle kabul_et say yazmalı* göstermeli* bildirmeli*""",
    Role.MARK: """işaretle işaretleyin kabul_et kabul_etmelidir kabul_edin say sayın onayla onaylayın değerlendir
        sınıflandır etiketle""",
    Role.OMIT: """atla atlayın gizle gizleyin hariç_tut raporlama raporlamayın raporlamasın* çıkarma çıkarmayın
        çıkarmasın* bildirme bildirmeyin bildirmesin* yazma yazmayın yazmasın* gösterme göstermeyin göstermesin*
        listeleme listelemeyin dahil_etme dahil_etmeyin belirtme belirtmeyin söyleme bahsetme""",
    Role.SEND: "gönder gönderin yükle ilet aç ziyaret_et",
    Role.BECOME: """artık_sen sen_artık şu_andan_itibaren şimdi_sen sen_şimdi bundan_sonra bundan_böyle gibi_davran
        rolünü_yap rol_yap yeni_talimat*""",
    Role.RULES: """talimat* kural* yönerge* komut* emir emirler* direktif* kısıtlama* istem istemi prompt* görev*
        bağlam* kısıtlamaları""",
    Role.BEFORE: """önceki daha_önce yukarıdaki yukarıda ilk başlangıç* önce evvelki şimdiye_kadar orijinal gizli
        dahili eski başta başlangıçta en_başta""",
    Role.TOLD: """verilen söylenen aldığın aldığınız verildi söylendi öğrendiğin öğretilen söylediklerini verilmiş
        aldın""",
    Role.EVERY: "tüm bütün her hepsi hepsini tamamı tamamını aşağıdaki",
    Role.EVERYTHING: "her_şey her_şeyi ne_varsa metni metin sözleri",
    Role.PROMPT: "sistem_istemi* sistem_prompt* sistem_mesajın* sistem_talimat* sistem_komut*",
    Role.FIGURE: """fiyat* maliyet* güven_skoru güven_puanı güven_değer* güven_düzey* para_birimi sku ürün_kod* kod
        kodları indirim* marka* ürün_numara* stok* miktar* adet tedarikçi*""",
    Role.GOODS: "ürün* satır* kalem* alan* değer* sütun* öğe*",
    Role.NOTHING: "sıfır* boş bedava ücretsiz bilinmiyor tükendi",
    Role.PASSED: "onaylan* doğrulan* kontrol_edilmiş incelenmiş geçerli kapak doğru tamam",
    Role.REVIEW: """insan_incelemesi* insan_kontrol* insan_onay* elle_kontrol* manuel_kontrol* manuel_inceleme*
        bir_insan* insan_denetim* bir_kişi*""",
    Role.FORM: "json kelime kelimesi liste şiir cümle harf*",
    Role.THIS: "bu bunu şunu",
    Role.PAGE: "sayfa* belge* dosya* metin metni tablo* katalog* liste* pdf döküman* kataloğu",
    Role.FREE: "sınırsız kısıtlamasız kısıtlama_olmadan kuralsız sansürsüz sınırı_olmayan kısıtlaması_olmayan",
    Role.TAKEN: "çıkarılan okuduğun okunan sonuçları",
    Role.PART: "asistan* satıcı* yönetici* geliştirici* özgür uzman* yapay",
    Role.LIMITS: "kısıtlamaları tüm_kuralları",
    Role.OPERATOR: "operatör* geliştirici*",
    Role.OWNER: "geliştiricin* yaratıcın* yöneticin*",
    Role.STATUS: "durumu durumunu güven_skoru güven_puanı güven_değer* güven_düzey*",
    Role.NOTES: "açıklama*",
    Role.ITSELF: "bu_nottan kullanıcıya bu_talimat* bu_paragraf*",
    Role.QUESTION: "soru sorular* sorulara",
    Role.TASK: "yeni_görevin asıl_görevin",
    Role.HARM: "yaralan* hasar* garanti* yangın* kaza* tehlike* ölüm*",
}
