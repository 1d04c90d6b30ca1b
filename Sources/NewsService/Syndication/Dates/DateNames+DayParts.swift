extension DateNames {
  /// Words for parts of the day, as `folded` returns them (`_` for a space), from CLDR and from 12-hour times in feeds.
  /// A word may be in several lists.
  static let dayPartNames: [(part: DayPart, names: String)] = [
    (
      .morning,
      """
      a_m aamu aamulla aamup aamupaiva aamupaivalla aaro alfajiri am am_morge am_vormittag ante_meridiem
      ap asubuhi að_morgni banhaet bore da_madrugada da_mana da_manha de_la_madrugada de_la_manana
      delelott di_mattina die_oggend dimineata do_poludnia do_poludnie dop dopol dopoldan dopoldne
      dopoledne dopoludnia dopoludnie dopoldnja du_mat du_matin e_mengjesit e_paradites ertalab fh fm form
      formiddag fruh fruhmorgens goiz goiza goizald goizaldea goizaldeko goizeko goon gunortadan_on hommik
      hommikul in_the_morning jut jutro le_matin madaling_araw madrugada manha matin matinada mattina
      mengjes morg morge morgen morgens morgon morgunn morning mrg ng_umaga no_rita ochtend oggend
      ogleden_once om_formiddagen om_morgenen oo pa_form pa_formiddagen pa_morg pa_morgenen pa_morgonen
      pagi paradite pd pg po_manana pr_p prieksp priekspusdiena priespiet prijepodne przed_pol
      przed_poludniem przedpol przedpoludnie rano reggel rits rn rytas s_ochtends sa sabah sang subh səhər
      ujutro umaga vm vorm vormittag vormittags y_bore yb yn_y_bore zjut zjutraj πμ πρωι το_πρωι дп
      на_обяд наутро поутру претпл претпладне проб ранку ранок сутринта таң таңкы таңғы тң утра утро утром
      ујутру эи эртең_менен эртң_мн јутро үө ӕмбисбоны_размӕ өглөө ա առավոտ առավոտյան առվ בבוקר בוקר
      לפנהצ פֿאַרמיטאָג اے_ایم ب بامداد بن ص صباح صباحا صباحًا صبح صبح_منجهند صبح_میں غم فجرًا في_الصباح
      ق قبل_الظهر قبل_دوپہر قبل_ظهر قبلازظهر قظ چب چۈشتىن_بۇرۇن पहाट पूर्वाह्न प्रातः बजे_सुबह बिहान भोर
      सकाळ सवेरे सुबह ভোর ভোরবেলায় সকাল সকালবেলায় ਪੂਦੁ ਸ ਸਵੇਰੇ સવાર સવારે ପୂ ପୂର୍ବାହ୍ନ அதி அதிகாலை கா
      காலை ఉ ఉదయం ಬೆಳಗ್ಗೆ പുലർച്ചെ രാവിലെ උදේ පා පාන්දර පෙ පෙව ก่อนเที่ยง ตอนเช้า เช้า ในตอนเช้า ກ່ອນທ່ຽງ
      ຕອນເຊົ້າ ເຊົ້າ སྔ་དྲོ་ နံနက် დილ დილა დილით ቅቀ ጠ ጥዋት នៅពេលព្រឹក ព្រឹក 上午 上晝 凌晨 午前 夜中 早 早上 早晨 早朝 朝 朝早
      未明 清早 清晨 새벽 아침 오전
      """
    ),
    (
      .midday,
      """
      adhuhuri amiaza canol_dydd del_mediodia e_mesdites gunorta hadegi keskip keskipaiva keskipaivalla
      keskpaev keskpaeval la_amiaza meio_dia mesdite mezzogiorno midi napol napoludnie noon ogle opold
      opoldne perpiet podne pold poldne poledne poludnie pol poludnie pusd pusdienlaika pusdienlaiks
      saa_sita_za_mchana tanghaling_tapat trua tush_payti vidurdienis w_pol w_poludnie напл напладне
      пладне подне полд полдень полудень талтүс түскі чак_түш үд_дунд կեսօր կեսօրին կօ․ मध्यान्ह நண்
      நண்பகல் ഉച്ച මධ්යාහ්නය ທ່ຽງ မွန်းတည့် შუადღ შუადღე შუადღეს ቀትር ថ្ងៃត្រង់ 中午 昼 正午 点晝 點晝 정오
      """
    ),
    (
      .afternoon,
      """
      afternoon aksamustu alasiri am_namittag apm apres_midi arrats arratsaldea arratsaldeko banringzgvaq
      ch chieu da_tarde de_la_tarde de_lapres_midi del_pomeriggio delutan di_pomeriggio die_middag diena do_mediodia
      dupa_amiaza e_pasdites efterm eftermiddag eftir_hadegi eguerd eguerdia eguerdiko eh em etterm
      ettermiddag goson gson gunduz gunortadan_son hapon iltap iltapaiva iltapaivalla in_the_afternoon ip
      kunduzi mchana md mediodia middag migdia mittag mittags nachm nachmittag nachmittags nam namittag
      ng_hapon nm odp odpoledne ogleden_sonra om_eftermiddagen os osan p_m pa_efterm pa_eftermiddagen
      pa_ettermiddagen parastlouna parastlounal pasdite pecp pecpusd pecpusdiena pm po_poludni po_pol
      po_poludniu pomeridiane pomeriggio pop popiet popiete popodne popol popoldan popoldne popoludni
      popoludnie popol popoldnju popoludnie poslije_podne poslijepodne post_meridiem prynhawn ptg
      s_middags siðdegis tarda tarde tengah_hari wotp wotpoldnja y_prynhawn yh yn_y_prynhawn zmittag μεσημ
      μεσημερι μμ το_μεσημερι день дня по_подне попл попладне поподне пп следобед слоб тк түстен_кейін
      түстен_кейінгі түшт_кйн түштөн_кийин түштөн_кийинки эк үх ӕмбисбоны_фӕстӕ өдөр հ ցերեկ ցերեկը
      ցերեկվա ցրկ אחהצ אחר_הצהריים בצהריים נאָכמיטאָג צהריים ب بظ بعد_الظهر بعد_دوپہر بعد_ظهر بعدازظهر دن
      دوپہر دوپہر_میں سہ_پہر شام_منجهند ظهر ظهرًا عصر غو ك م مساءً منجهند_شام پی_ایم چك چۈشتىن_كېيىن
      अपरान्ह अपराह्न दु दुपार दोपहर दोपहर_बाद साँझ सांझ দুপুর দুপুরবেলায় বিকাল ਦੁਪਹਿਰੇ ਬਾਦੁ ਸ਼ બપોર
      બપોરે ଅ ଅପରାହ୍ନ பிற் பிற்பகல் மதி மதியம் మధ్యాహ్నం సా ಮಧ್ಯಾಹ್ನ ഉച്ചതിരിഞ്ഞ് ഉച്ചയ്ക്ക് දවල් ප පව
      ช่วงเที่ยง ตอนบ่าย บ่าย หลังเที่ยง เที่ยง ในตอนบ่าย ຕອນທ່ຽງ ຕອນບ່າຍ ສວາຍ ຫຼັງທ່ຽງ ཕྱི་དྲོ་ ညနေ
      နေ့လယ် ნაშუადღ ნაშუადღევი ნაშუადღევს ከ ከሰዓት ድቀ នៅពេលរសៀល រសៀល 下午 下晝 午后 午後 오후
      """
    ),
    (
      .evening,
      """
      aabig aand abend abends aften aksam avond axsamustu að_kvoldi da_noite da_tarde de_la_tarde di_sera
      die_aand du_soir e_mbremjes evening gabi illalla ilta iluntz iluntzea iluntzeko in_the_evening jioni
      kechqurun kvall kveld kvold le_soir mbremje min_nos navecer ng_gabi noite ohtu ohtul om_aftenen
      pa_kvallen pa_kvelden petang s_avonds seara sera soir tarde vakara vakaras vakars vecer vespre wiecz
      wieczor wieczorem yr_hwyr zaabig zvec zvecer απογ απογευμα το_απογευμα веч вече вечер вечера вечером
      вечерта вечора вечір кечинде кечк кечкурун кеш кешкі навечер орой увече երեկո երեկոյան בערב ערב شام
      شام_میں مساء مساءا مساءً बेलुकी शाम सं संध्याकाळ সন্ধ্যা সন্ধ্যাবেলায় ਸ਼ਾਮ ਸ਼ਾਮੀਂ સાંજ સાંજે
      அந்தி_மா அந்தி_மாலை மா மாலை సాయంత్రం ಸಂಜೆ വൈകുന്നേരം സന്ധ്യ හවස ค่ำ ตอนเย็น เย็น ในตอนเย็น ຕອນແລງ
      ແລງ ညနေ საღ საღამო საღამოს ማታ ምሽት በምሽት នៅពេលល្ងាច ល្ងាច 傍晚 夕 夕方 夜晚 晚 晚上 晚間 晚间 저녁
      """
    ),
    (
      .night,
      """
      at_night axsam að_nottu da_noite de_la_noche di_notte die_nag e_nates ejjel gabi gaua gaueko gece
      gecə hajnal kechasi malam nacht nachts nakti naktis nakts nate natt ng_gabi night noaptea noc noche
      nocu noite nott notte om_natten oosel pa_natta pa_natten po_noci ponoci s_nachts usiku v_n v_noci
      w_nocy yolla znacht dem βραδυ το_βραδυ ночи ночь ночью ночі ноћ ноћу ноќ ноќе ніч през_нощта түн
      түн_ичинде түнгі шөнө գիշեր գիշերը գիշերվա գշր בלילה לילה לפנות_בוקר رات رات_میں شب في_المساء ليلاً
      منتصف_الليل نیمهشب रा रात रात्र রাত্রি রাত্রিবেলায় ਰਾਤ ਰਾਤੀਂ રાત્રિ રાત્રે இர இரவு రాత్రి ರಾತ್ರಿ
      രാത്രി මැ මැදියමට_පසු රෑ กลางคืน ກາງຄືນ ຕອນກາງຄືນ ღამ ღამე ღამით ሌሊት በሌሊት នៅពេលយប់ យប់ 半夜 夜 夜裡 夜里 夜間
      夜间 深夜
      """
    ),
    (
      .midnight,
      """
      canol_nos e_mesnates ejfel gauerd gauerdia gece_yarisi gecəyari hatinggabi keskiyo keskiyolla keskoo
      keskool la_miezul_noptii medianoche medianoite meia_noite mesnate mezzanotte middernacht middernag
      midn midnat midnatt midnight miezul_noptii minuit mitjanit mitternacht miðnætti nua_dem o_poln
      o_polnoci o_poln o_polnocy opoln opolnoci poln polnoc ponoc poln polnoc pul puln pulnoc pusnakti
      pusnakts saa_sita_za_usiku tengah_malam vidurnaktis yarim_tun полн полночь полноќ полунощ поноћ
      північ түн_жарымы түн_орт түн_ортосу шөнө_дунд կգ․ կեսգիշեր կեսգիշերին חצות آدھی_رات आधी_रात मध्यरात
      मध्यरात्र मध्यरात्रि मरा ਅੱਧੀ_ਰਾਤ મધ્યરાત્રિ મરાત્રિ நள் நள்ளிரவு అర్ధరాత్రి ಮಧ್ಯ_ರಾತ್ರಿ ಮಧ್ಯರಾತ್ರಿ
      അർദ്ധരാത്രി මැදියම เที่ยงคืน ທ່ຽງຄືນ သန်းခေါင်ယံ შუაღამე შუაღამეს እኩለ_ሌሊት អធ្រាត្រ 真夜中
      """
    ),
  ]
}
