extension DateNames {
  /// The month names, January first, as `folded` returns them: nominative, genitive and short, in the languages of CLDR
  /// and of common publishing systems. `_` stands for a space. A name that means different months in two languages is
  /// in both lists.
  static let monthNames: [String] = [
    // January
    """
    am_faoilleach da_schaner dhen_fhaoilleach ean eanair ene enero faoi gen gener genier gennaio
    genver ghe ghennargiu han hanuere ian ianuali ianuarie ion ionawr jaan jaanuar jan janaayo
    janairu janar janeiro jannaayo jannar janner jannewaris janoary januar januara januari januarie
    januaro january januwari janv janvaris janvier janyuwari jen jenaro jenuwari led leden ledna mut
    mutarama ndi ndira oca ocak osu_sere rbn rebendan sam samwiyee sau saus sausio sausis schan
    schaner sij sijecanj sijecnja sty styczen stycznia tammi tammikuu tammikuuta thang_mot urt
    urtarrila urtarrilak urtarrilaren xan xaneiro xin xineru yan yanvar yanwar yen yennayer zen zena
    zenar ιαν ιανουαριοσ ιανουαριου гыйн гыйнвар нэгдүгээр_сар сту студзень студзеня січ січень
    січня тохс тохсунньу янв январ январы январь января яну януари јан јануар јануари қаң қаңтар հնվ
    հունվար հունվարի ינו ינואר جانفي جنو جنوري جنوری كانون_الثاني يانۋار يناير ژانویه ژانویهٔ
    کانوونی_دووەم जनवरी जनवरीमासः जन॰ जाने जानेवारी জানু জানুয়ারী ਜਨ ਜਨਵਰੀ જાન્યુઆરી જાન૰ ଜାନୁଆରୀ
    ஜன ஜனவரி జన జనవరి ಜನ ಜನವರಿ ജനു ജനുവരി ජන ජනවාරි มกราคม มค ມກ ມັງກອນ ཟླ་དངཔ་ ཟླ་བ་དང་པོ
    ཟླ་བ་དང་པོ་ སྤྱི་ཟླ་དངཔ་ ဇန် ဇန်နဝါရီ იან იანვარი ጃን ጃንዋሪ ጥሪ មករា 一月
    sijecnju ян
    """,
    // February
    """
    an_gearran chw chwe chwef chwefror chwevrer da_favrer dhen_ghearran fab faburairu favr favrer
    feabh feabhra feb febbraio febr febraayo febraro febreiro febrer febrero febreru febrewaris
    febrier febroary februar februara februari februarie februaris februaro february februwari fev
    fevereiro fevr fevral fevrar fevrier few fewral fewriyee fra frar fre freargiu freva fur furar
    gas gashyantare gearr helmi helmikuu helmikuuta kuk kukadzi lut lutego luty osu_erele ots
    otsaila otsailak otsailaren peb pebrero pebruari pep pepeluali pepuere sbt shk shkurt sibat sub
    subat thang_hai uno unor unora vas vasario vasaris veebr veebruar velj veljaca veljace yeb
    yebrayer φεβ φεβρουαριοσ φεβρουαριου ақп ақпан лют лютага лютий лютого люты олун олунньу феб
    фебруар фев февр феврал февралы февраль февраля февруари хоёрдугаар_сар փետրվար փետրվարի փտվ פבר
    פברואר شباط شوبات فبراير فبروري فرو فروری فوریه فوریهٔ فيبروري فيفري فېبروري فېۋرال फरवरी
    फरवरीमासः फर॰ फ़रवरी फ़र॰ फेब्रु फेब्रुअरी फेब्रुवारी ফেব ফেব্রুয়ারী ਫ਼ਰ ਫ਼ਰਵਰੀ ફેબ્રુઆરી ફેબ૰
    ଫେବୃଆରୀ பிப் பிப்ரவரி ఫిబ్ర ఫిబ్రవరి ಫೆಬ್ರ ಫೆಬ್ರವರಿ ഫെബ്രു ഫെബ്രുവരി පෙබ පෙබරවාරි กพ กุมภาพันธ์
    ກພ ກຸມພາ ཟླ་གཉིས་པ་ ཟླ་བ་གཉིས་པ ཟླ་བ་གཉིས་པ་ སྤྱི་ཟླ་གཉིས་པ་ ဖေ ဖေဖော်ဝါရီ თებ თებერვალი ለካ ለካቲት
    ፌብ ፌብሩዋሪ កុម្ភៈ 二月
    veljaci กุมภา
    """,
    // March
    """
    adar adr am_mart bre brezen brezna da_mars dhen_mhart kov kovas kovo kur kurume maa maachi
    maalis maaliskuu maaliskuuta maarso maart mac machi mae maehe maerz mal malaki mar marc marca
    march marcius marco marec maret maris mars marso mart marta martie marto marts martsa martxoa
    martxoak martxoaren martzu marz marzec marzo marzu mas mashi mat matshi maw mawrth mer merc
    merca meur meurzh meɣ meɣres mrt mrz osu_erena ozu ozujak ozujka thang_ba wer werurwe μαρ
    μαρτιοσ μαρτιου μαω бер березень березня гуравдугаар_сар клн кулун_тутар мар март марта мартъи
    мартъийы нау наурыз сак сакавік сакавіка մարտ մարտի մրտ מרץ آذار ئازار مار مارت مارس مارچ मार्च
    मार्चमासः মার্চ ਮਾਰਚ માર્ચ ମାର୍ଚ୍ଚ மார் மார்ச் మార్చి ಮಾರ್ಚ್ മാർ മാർച്ച് මාර් මාර්තු มีค มีนาคม
    ມນ ມີນາ ཟླ་གསུམ་པ་ ཟླ་བ་གསུམ་པ ཟླ་བ་གསུམ་པ་ སྤྱི་ཟླ་གསུམ་པ་ မတ် მარ მარტი መጋ መጋቢት ማርች មីនា 三月
    ozujku берез
    """,
    // April
    """
    abr abrell abriil abril abrile afi afirilu aib aibrean an_giblean ape apereira aperira api
    apirila apirilak apirilaren apr aprel april aprila aprile aprili aprilie aprilis aprill aprilo
    aprily apryl apryla arvi avr avrigl avril awr awril bal balandis balandzio dhen_ghiblean dub
    duben dubna ebr ebrel ebrill eph ephreli epr epreel epreli gibl huhti huhtikuu huhtikuuta ibr
    ibrir kub kubvumbi kwi kwie kwiecien kwietnia mat mata nis nisan nsn osu_igbe pri prill thang_tu
    tra travanj travnja yeb yebrir ʻap ʻapelila απρ απριλιοσ απριλιου апр апрел апрелы апрель апреля
    април дөрөвдүгээр_сар кві квіт квітень квітня кра красавік красавіка мсу муус_устар сәу сәуір
    ապր ապրիլ ապրիլի אפר אפריל آوریل أبريل أفريل ئاپرېل اپر اپريل اپریل نيسان نیسان अप्रिल अप्रैल
    अप्रैलमासः एप्रि एप्रिल এপ্রি এপ্রিল ਅਪ੍ਰੈ ਅਪ੍ਰੈਲ એપ્રિલ ଅପ୍ରେଲ ஏப் ஏப்ரல் ఏప్రి ఏప్రిల్ ಏಪ್ರಿ
    ಏಪ್ರಿಲ್ ഏപ്രി ഏപ്രിൽ අප්රේල් เมย เมษายน ມສ ເມສາ ཟླ་བ་བཞི་པ ཟླ་བ་བཞི་པ་ ཟླ་བཞི་པ་ སྤྱི་ཟླ་བཞི་པ ဧ
    ဧပြီ აპრ აპრილი ሚያ ሚያዝያ ኤፕሪ ኤፕሪል មេសា 四月
    travnju
    """,
    // May
    """
    an_ceitean beal bealtaine ceit chivabvu chv da_matg dhen_cheitean geg geguze geguzes gic
    gicurasi gln gulan kve kveten kvetna maaie maayo mae mag maggio mai maiatza maiatzak maiatzaren
    maig maijs maio maj maja majo maju majus matg maujus may mayis mayo mayu mayyu mazzo mee mei mej
    meja meje mejju mey meyi moja osu_ebibi svi svibanj svibnja thang_nam touko toukokuu toukokuuta
    μαι μαιοσ μαιου май майы мам мамыр мая мај тавдугаар_сар тра трав травень травня ыам ыам_ыйа
    ыам_ыйын մայիս մայիսի մյս מאי أيار ئایار مئي مئی ماي مايو مه مهٔ مۍ मई मईमासः मे মে ਮਈ મે ମଇ மே
    మే ಮೇ മേയ് මැයි พค พฤษภาคม ພພ ພຶດສະພາ ཟླ་བ་ལྔ་པ ཟླ་བ་ལྔ་པ་ ཟླ་ལྔ་པ་ སྤྱི་ཟླ་ལྔ་པ་ မေ მაი მაისი
    ሜይ ጉንበት ግን ឧសភា 五月
    svibnju
    """,
    // June
    """
    bir birz birzelio birzelis cerven cervna chikumi chk cvn cze czerw czerwca czerwiec czyrwca
    da_zercladur dhen_ogmhios eka ekaina ekainak ekainaren giu giugno gun gunju haz haziran heziran
    hun hune hunyo hzr iun iune iunie iyn iyun jon jona jug jugn jugno juin jun juna june junh junho
    juni junie junij junija junijs junio junius juny juu juun juuni kam kamena kesa kesakuu
    kesakuuta lam lampadas lip lipanj lipnja meh mehefin meith meitheamh mezh mezheven ogmh
    osu_okudu qer qershor suw suwe thang_sau xun xuno xunu yun yuni yunyu zercl zercladur zugno ιον
    ιουν ιουνιοσ ιουνιου бэс бэс_ыйа бэс_ыйын зургаадугаар_сар июн июны июнь июня мау маусым чер
    черв червень червня чэр чэрвень чэрвеня юни јун јуни հնս հունիս հունիսի יוני ئىيۇن جوان جون
    حزيران حوزەیران يونيو ژوئن जुन जून जूनमासः জুন ਜੂਨ જૂન ଜୁନ ஜூன் జూన్ ಜೂನ್ ജൂൺ ජූනි มิถุนายน มิย
    ມິຖ ມິຖຸນາ ཟླ་དྲུག་པ ཟླ་བ་དྲུག་པ ཟླ་བ་དྲུག་པ་ སྤྱི་ཟླ་དྲུག་པ ဇွန် ივნ ივნისი ሰነ ጁን មិថុនា 六月
    lipnju cer
    """,
    // July
    """
    cervence cervenec chg chikunguru cvc da_fanadur dhen_iuchar fan fanadur gor gorff gorffennaf
    goue gouere heina heinakuu heinakuuta hul hulyo hur hurae iuch iuil iul iulai iulie iyl iyul jol
    jolay juil juill juillet jul jula julai julayi julhet julho juli julie julij julija julijs julio
    juliol julius july juuli korr korrik lie liep liepa liepos lip lipca lipiec lug luggio luglio
    lui luj lujo lul lulju luulyo nya nyakanga osu_agemo srp srpanj srpnja sul sulet tem temmuz
    thang_bay tirmeh tri triulas trm uzt uztaila uztailak uztailaren xnt xul xullo xunetu yul yuli
    yulyu yulyuz ιολ ιουλ ιουλιοσ ιουλιου долоодугаар_сар июл июлы июль июля лип липень липня ліп
    ліпень ліпеня от_ыйа от_ыйын отй шіл шілде юли јул јули հլս հուլիս հուլիսի יולי ئىيۇل تموز
    تەمووز جول جولاءِ جولائی جولای جويلية يوليو يوليوز ژوئیه ژوئیهٔ जुलाई जुलाईमासः जुलै जुल॰ জুল
    জুলাই ਜੁਲਾ ਜੁਲਾਈ જુલાઈ ଜୁଲାଇ ஜூலை జులై ಜುಲೈ ജൂലൈ ජූලි กค กรกฎาคม ກລ ກໍລະກົດ ཟླ་བ་བདུན་པ
    ཟླ་བ་བདུན་པ་ ཟླ་བདུན་པ་ སྤྱི་ཟླ་བདུན་པ་ ဇူ ဇူလိုင် ივლ ივლისი ሓም ሓምለ ጁላይ កក្កដា 七月
    srpnju
    """,
    // August
    """
    abu abuztua abuztuak abuztuaren ag aga agasti ago agost agosti agosto agostu ags agt agu agust
    agusta agustos agustus aku akuhata an_lunastal aog aogositra aout aug august augusta augusti
    augusto augusts augustus augusztus aus austu avg avgust avo avost avq avqust avust awg awgust
    awgusta awst aww awwissu dhen_lunastal elo elokuu elokuuta eost gush gusht kan kanama kol
    kolovoz kolovoza lun luna lunasa nya nyamavhuvhu ogo ogoost ogos ogosto ogs osu_ogun rgp rugp
    rugpjucio rugpjutis sie sier sierpien sierpnia siyrpnia srp srpen srpna tbx tebax thang_tam ut
    ɣuc ɣuct ʻau ʻaukake αυγ αυγουστοσ αυγουστου авг август августа августы атр атырдьых_ыйа
    атырдьых_ыйын жні жнівень жніўня наймдугаар_сар сер серп серпень серпня там тамыз օգոստոս
    օգոստոսի օգս אוג אוגוסט آب آگسٽ أغسطس أوت ئاب ئاۋغۇست اوت اګست اگس اگست غشت अगस्ट अगस्त
    अगस्तमासः अग॰ ऑग ऑगस्ट আগ আগস্ট ਅਗ ਅਗਸਤ ઑગસ્ટ ઑગ૰ ଅଗଷ୍ଟ ஆக ஆகஸ்ட் ఆగ ఆగస్టు ಆಗ ಆಗಸ್ಟ್ ഓഗ
    ഓഗസ്റ്റ് අගෝ අගෝස්තු สค สิงหาคม ສຫ ສິງຫາ ཟླ་བ་བརྒྱད་པ ཟླ་བ་བརྒྱད་པ་ ཟླ་བརྒྱད་པ་ སྤྱི་ཟླ་བརྒྱད་པ་
    ဩ ဩဂုတ် აგვ აგვისტო ነሓ ነሓሰ ኦገስ ኦገስት សីហា 八月
    kolovozu
    """,
    // September
    """
    cab cabudanni cte ctember cut cutanbir da_settember eyl eylul gun gunyana gwen gwengolo hep
    hepetema iln ilon ira iraila irailak irailaren kep kepakemapa mean_fomhair medi mfomh nze nzeri
    osu_owewe rgs rugs rugsejis rugsejo ruj rujan rujna sat sattumbar satumba seb sebteembar
    sebtembar sen sentabr sentyabr sep sept septambra septemba septembar september septembra
    septembre septembrie septembris septembro septhemba septiembre septimber septyembre set setembar
    setembre setembro setenbre setiembre sett settember settembre settembru setyembre sht shtator
    sult syys syyskuu syyskuuta szept szeptember thang_chin wrz wrzes wrzesien wrzesnia zar zari σεπ
    σεπτ σεπτεμβριοσ σεπτεμβριου балаҕан_ыйа балаҕан_ыйын блҕ вер верасень верасня вересень вересня
    есдүгээр_сар сен сент сентябр сентябры сентябрь сентября сеп септембар септември қыр қыркүйек
    սեպ սեպտեմբեր սեպտեմբերի ספט ספטמבר أيلول ئەیلوول سبتمبر ستم ستمبر سيپٽمبر سپتامبر سپتمبر
    سېنتەبىر سېپتمبر شتنبر सप्टें सप्टेंबर सितंबर सितंबरमासः सित॰ सेप्टेम्बर সেপ সেপ্টেম্বর ਸਤੰ
    ਸਤੰਬਰ સપ્ટેમ્બર સપ્ટ૰ ସେପ୍ଟେମ୍ବର செப் செப்டம்பர் సెప్టెం సెప్టెంబర్ ಸೆಪ್ಟೆಂ ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റം
    സെപ്റ്റംബർ සැප් සැප්තැම්බර් กย กันยายน ກຍ ກັນຍາ ཟླ་དགུ་པ་ ཟླ་བ་དགུ་པ ཟླ་བ་དགུ་པ་ སྤྱི་ཟླ་དགུ་པ་
    စက် စက်တင်ဘာ სექ სექტემბერი መስ መስከረም ሴፕቴ ሴፕቴምበር កញ្ញា 九月
    rujnu верес
    """,
    // October
    """
    an_damhair cot cotmeh damh deireadh_fomhair dfomh dhen_damhair eki ekim gum gumiguru here hyd
    hydref ktu ktuber lis list listopad listopada loka lokakuu lokakuuta och ochobre oct october
    octobre octombrie octubre oke oketopa okt oktabr okthoba okthobha oktoba oktobar oktober oktobra
    oktobris oktobro oktoobar oktoober oktubre oktyabr osu_owara oto otobre ott ottobre ottubru otu
    otubar out outubro paz pazdz pazdziernik pazdziernika rij rijen rijna santugaine spa spal spalio
    spalis stg tet tetor thang_muoi tub tuber ukw ukwakira urr urria urriak urriaren ʻok ʻokakopa
    οκτ οκτωβριοσ οκτωβριου алт алтынньы аравдугаар_сар жов жовт жовтень жовтня кас кастрычнік
    кастрычніка окт октобар октомври октябр октябры октябрь октября қаз қазан հոկ հոկտեմբեր
    հոկտեմբերի אוק אוקטובר آڪٽوبر أكتوبر ئۆكتەبىر اکت اکتبر اکتوبر تشرين_الأول تشرینی_یەکەم अक्टूबर
    अक्टोबर अक्तूबर अक्तूबरमासः अक्तू॰ ऑक्टो ऑक्टोबर অক্টো অক্টোবর ਅਕਤੂ ਅਕਤੂਬਰ ઑક્ટોબર ઑક્ટ૰ ଅକ୍ଟୋବର
    அக் அக்டோபர் అక్టో అక్టోబర్ ಅಕ್ಟೋ ಅಕ್ಟೋಬರ್ ഒക്ടോ ഒക്ടോബർ ඔක් ඔක්තෝබර් ตค ตุลาคม ຕລ ຕຸລາ
    ཟླ་བ་བཅུ་པ ཟླ་བ་བཅུ་པ་ ཟླ་བཅུ་པ་ སྤྱི་ཟླ་བཅུ་པ་ အောက် အောက်တိုဘာ ოქტ ოქტომბერი ኦክቶ ኦክቶበር ጥቅ ጥቅምቲ
    តុលា 十月
    listopadu
    """,
    // November
    """
    aza azaroa azaroak azaroaren da_november du kas kasim lap lapkr lapkricio lapkritis lis list
    listopad listopada listopadu marras marraskuu marraskuuta mbu mbudzi mijdar mjd nen nentor nob
    nobyembre noe noema nof noi noiembrie noofeembar nop nopember nov novambra novemba novembar
    november novembra novembre novembris novembro novembru novenbre noviembre novimber now nowambar
    nowemapa nowember nowembra noy noyabr nun nunember nuw nuwamba nwa nwanbir osu_belu pay payares
    samh samhain santandria sta stu studeni studenoga tach tachwedd thang_muoi_mot ugu ugushyingo
    νοε νοεμβριοσ νοεμβριου арван_нэгдүгээр_сар лис лист листопад листопада ліс лістапад лістапада
    нов новембар ное ноември ноя нояб ноябр ноябры ноябрь ноября сэт сэтинньи қар қараша նոյ
    նոյեմբեր նոյեմբերի נוב נובמבר تشرين_الثاني تشرینی_دووەم نوامبر نوفمبر نوم نومبر نونبر نويابىر
    नवंबर नवंबरमासः नव॰ नोभेम्बर नोव्हें नोव्हेंबर নভে নভেম্বর ਨਵੰ ਨਵੰਬਰ નવેમ્બર નવ૰ ନଭେମ୍ବର நவ
    நவம்பர் నవం నవంబర్ ನವೆಂ ನವೆಂಬರ್ നവം നവംബർ නොවැ නොවැම්බර් พย พฤศจิกายน ພຈ ພະຈິກ ཟླ་བ་བཅུ་གཅིག་པ
    ཟླ་བ་བཅུ་གཅིག་པ་ ཟླ་བཅུ་གཅིག་པ་ སྤྱི་ཟླ་བཅུ་གཅིག་པ་ နို နိုဝင်ဘာ ნოე ნოემბერი ሕዳ ሕዳር ኖቬም ኖቬምበር
    វិច្ឆិកា 十一月
    studenom studenog studenomu листоп
    """,
    // December
    """
    abe abendua abenduak abenduaren an_dubhlachd ara aralik avi avientu berfanbar brf da_december
    dec decembar december decembra decembre decembrie decembris decembro dek dekabr des desambar
    desambra desemba desember desembre desimber dets detsember dexembre dez dezember dezembro
    dezenbre dhen_dubhlachd dhj dhjetor dic dicembar dicembre dicembru diciembre dis disamba
    diseembar disemba disember disyembre dubh dug dugember duj dujanbir grd gru grudnia grudz
    grudzien gruod gruodis gruodzio joulu joulukuu joulukuuta kek kekemapa kerzu kzu nad nadale noll
    nollaig osu_ope pro prosinac prosinca prosince prosinec rhag rhagfyr thang_muoi_hai tih tihema
    uku ukuboza zvi zvita δεκ δεκεμβριοσ δεκεμβριου арван_хоёрдугаар_сар ахс ахсынньы гру груд
    грудень грудня дек декабр декабры декабрь декабря декември дец децембар жел желтоқсан сне
    снежань снежня դեկ դեկտեմբեր դեկտեմբերի דצמ דצמבר دجنبر دسامبر دسم دسمبر ديسمبر دېكابىر
    كانون_الأول ڊسمبر کانونی_یەکەم डिसें डिसेंबर डिसेम्बर दिसंबर दिसंबरमासः दिस॰ ডিসে ডিসেম্বর ਦਸੰ
    ਦਸੰਬਰ ડિસેમ્બર ડિસ૰ ଡିସେମ୍ବର டிச டிசம்பர் డిసెం డిసెంబర్ ಡಿಸೆಂ ಡಿಸೆಂಬರ್ ഡിസം ഡിസംബർ දෙසැ
    දෙසැම්බර් ธค ธันวาคม ທວ ທັນວາ ཟླ་བ་བཅུ་གཉིས་པ ཟླ་བ་བཅུ་གཉིས་པ་ ཟླ་བཅུ་གཉིས་པ་
    སྤྱི་ཟླ་བཅུ་གཉིས་པ་ ဒီ ဒီဇင်ဘာ დეკ დეკემბერი ታሕ ታሕሳስ ዲሴም ዲሴምበር ធ្នូ 十二月
    prosincu दिसम्बर
    """,
  ]
}
