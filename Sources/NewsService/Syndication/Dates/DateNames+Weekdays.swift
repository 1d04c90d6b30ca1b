extension DateNames {
  /// The weekday names, Sunday first, in the form of `monthNames`.
  static let weekdayNames: [String] = [
    // Sunday
    """
    ahad ahd aiku alah alahady asa asamas axad axd b bazar caw cawe chu_nhat cn cyu de_domhnaigh dg
    di dib dibeer did didomhnaich die dim dimanche dimanco dimenge diumenge dom domenega domenica
    domenie domh domingo domingu dominiga du dum dumengia duminica dydd_sul e_diel ig igandea isonto
    jumapili ku_cyumweru lah lahadi lapule lin linggo lp min minggu mng ne ned nedela nedele nedelja
    nedjelja niedz niedziela niydziela nje njedzela njezela ojo_aiku p paz pazar puhapaev rat ratapu
    sekmadienis si sk snein so son sondag sondee sonndeg sonntag su sul sun sunday sunnudagur
    sunnuntai svetd svetdiena svo svondo v vasarnap yak yakshanba yan yanass yek yeksem yeksenbe ysm
    zo zondag ħad κυρ κυριακη баскыһыанньа бс воскресенье вс жек жексенбі жекшемби жс нд нед недела
    неделя недеља неділя ня нядзеля ням хуыцаубон хцб якш якшанба якшанбе якшәмбе яшб կիր կիրակի
    יום_א יום_ראשון آچر أحد اتوار الأحد يونۍ يە يەكشەنبە یکشنبه یەکشەممە आइत आइतबार रवि रवि_दिन
    रविवार रविवासरः রবি রবিবার ਐਤ ਐਤਵਾਰ રવિ રવિવાર ରବି ରବିବାର ஞாயி ஞாயிறு ఆది ఆదివారం ಭಾನು ಭಾನುವಾರ
    ഞായറാഴ്ച ഞായർ ඉරිදා วันอาทิตย์ อา ວັນອາທິດ ອາທິດ གཟའ་ཉི་མ་ གཟའ་ཟླ་བ་ ཉི་མ་ ཟླ་ တနင်္ဂနွေ კვი
    კვირა ሰን ሰንበት እሑድ អាទិត្យ 周日 日 日曜 日曜日 星期天 星期日 禮拜日 週日 일 일요일
    """,
    // Monday
    """
    aje al alats alatsinainy alt altine astelehena ayn aynas bazar_ertəsi be de_luain dil dilluns
    diluain diluns dl dsm dus dusem dusenbe dush dushanba dydd_llun e e_hene esmaspaev gli glindesdi
    h hen hetfo isn isniin isnin jumatatu kuwa_mbere lit litinin llu llun llunes lu luan lun lundi
    lundo lunedi lunes lunesdi luni lunis luns ma maanantai maanantaina maandag man manadagur mandag
    mane manudagur mbe mei meindeg mo moandei mon monday monde montag mso muv muvhuro mvu mvulo
    ojo_aje pazartesi pirmadienis pirmd pirmdiena po pon pondeli pondelok pondzela ponedeljak
    ponedeljek ponedjeljak poniedzialek ponjezele poʻakahi pr pyndzialek pzt san sanass seg segunda
    sen senen senin thu_hai tne umsombuluko δευ δευτερα бн бэнидиэнньик да даваа дс душ душанба
    душанбе дшб дүй дүйсенбі дүйшөмбү дүш дүшәмбе крс къуырисӕр панядзелак пн пон понеделник
    понедельник понедељак понеділок երկ երկուշաբթի יום_ב יום_שני اثنين الاثنين دوشنبه دونۍ دووشەممە
    دۈ دۈشەنبە سومر پیر सोम सोम_दिन सोमबार सोमवार सोमवासरः সোম সোমবার ਸੋਮ ਸੋਮਵਾਰ સોમ સોમવાર ସୋମ
    ସୋମବାର திங் திங்கள் సోమ సోమవారం ಸೋಮ ಸೋಮವಾರ തിങ്കളാഴ്ച തിങ്കൾ සඳුදා จ วันจันทร์ ຈັນ ວັນຈັນ
    གཟའ་མིག་དམར་ གཟའ་ཟླ་བ་ མིར་ ཟླ་བ་ တနင်္လာ ორშ ორშაბათი ሰኑ ሰኑይ ሰኞ ចន្ទ ច័ន្ទ 周一 星期一 月 月曜 月曜日 週一 월
    월요일
    """,
    // Tuesday
    """
    an antradienis ar asinas asn asteartea bil bin ca chipiri chp cərsənbə_axsami de_mairt den
    denschdeg di dienstag dim dimairt dimars dimarts dinsdag dt dydd_mawrth e_marte isegun jumanne k
    kab kedd krad kradass kuwa_kabiri lwesb lwesibini ma mairt mar mardi mardo martars martedi
    martes marti martis matesdi maw meu meurzh ojo_isegun otrd otrdiena poʻalua sal salasa sali sel
    selasa sesem sesh seshanba sis sisenbe ssm t tal talaado talaata talata teisipaev ter terca
    thu_ba ti tiisdei tiistai tiistaina tir tirs tirsdag tis tisdag tiu tiuzdee tldo tli tor torek
    tue tuesday tur turei ty tys tysdag tysdagur ulwesibili ut utery uto utorak utorok wal waltora
    wt wtorek wut wutora þri þriðjudagur τρι τριτη аў аўторак вт вто вторник вівторок дцг дыццӕг мя
    мягмар оп оптуорунньук сейсенбі сеш сешанба сешанбе сиш сишәмбе сс сшб уто уторак шейш шейшемби
    երեքշաբթի երք יום_ג יום_שלישי الثلاثاء اڱارو ثلاثاء درېنۍ سهشنبه سێشەممە سە سەيشەنبە منگل मंगल
    मंगल_दिन मंगलवार मंगलवासरः मंगळ मंगळवार मङ्गल मङ्गलबार মঙ্গল মঙ্গলবার ਮੰਗਲ ਮੰਗਲਵਾਰ મંગળ મંગળવાર
    ମଙ୍ଗଳ ମଙ୍ଗଳବାର செவ் செவ்வாய் మంగళ మంగళవారం ಮಂಗಳ ಮಂಗಳವಾರ ചൊവ്വ ചൊവ്വാഴ്ച අඟහ අඟහරුවාදා วันอังคาร
    อ ວັນອັງຄານ ອັງຄານ གཟའ་མིག་དམར་ གཟའ་ལྷག་པ་ མིག་དམར་ ལྷག་ အင်္ဂါ სამ სამშაბათი ማክሰ ማክሰኞ ሰሉ ሰሉስ
    អង្គារ 周二 星期二 火 火曜 火曜日 週二 화 화요일
    """,
    // Wednesday
    """
    akr akras ala alar alarba alarobia arbaco arbc asteazkena az c car carsamba carsem carsenbe cead
    chitatu chor chorshanba cht csm cərsənbə dc de_ceadaoin dic diciadain dimecres dydd_mercher
    e_merkure erb gtu jumatano k ke keskiviikko keskiviikkona kolmapaev kuwa_gatatu kuz kuzass lar
    laraba lwesithathu macordi me mer mercher mercoledi mercore mercores mercredi mercuris merkredo
    mesemna met mettwoch mi mie miercoles miercuri miercus mik mikudagur mittwoch miy miyerkules mið
    miðvikudagur ojoru on ons onsdag poʻakolu qua quarta rab rabu reb rebo sr sre sreda sri srijeda
    srj srjeda srjoda sroda st streda strzoda sze szerda tha thu_tu tr treciadienis tresd tresdiena
    ulwesithathu wed wednesday wen wenerei wenezdee wo woansdei woensdag τετ τεταρτη лх лхагва
    серада середа ср сре среда сряда сэ сэрэдэ сәрсенбі чор чоршанба чоршанбе чшб чәр чәршәмбе шарш
    шаршемби ӕрт ӕртыццӕг չորեքշաբթի չրք יום_ד יום_רביעי أربعاء اربع الأربعاء بدھ څلرنۍ چا چارشەنبە
    چهارشنبه چوارشەممە बुध बुध_दिन बुधबार बुधवार बुधवासरः বুধ বুধবার ਬੁੱਧ ਬੁੱਧਵਾਰ બુધ બુધવાર ବୁଧ
    ବୁଧବାର புத புதன் బుధ బుధవారం ಬುಧ ಬುಧವಾರ ബുധനാഴ്ച ബുധൻ බදාදා พ วันพุธ ພຸດ ວັນພຸດ གཟའ་ཕུར་བུ་
    གཟའ་ལྷག་པ་ ཕུར་ ལྷག་པ་ ဗုဒ္ဓဟူး ოთხ ოთხშაბათი ረቡ ረቡዕ ពុធ 周三 星期三 水 水曜 水曜日 週三 수 수요일
    """,
    // Thursday
    """
    akw akwas alak alakamisy alh alhamis alhamisi alx alxamis ca cet cetrtek ceturtd ceturtdiena
    cetvrtak china chn cs csutortok ct ctvrtek cumə_axsami czw czwartek dear deardaoin dia diardaoin
    dijous dj do don donderdag donnerstag donneschdeg dydd_iau e_enjte enj fim fimmtudagur gie
    gievgia gio giobia giovedi hos hosdagur huw huwebes iau ja jaudo jeu jeudi joi joibe jue jueves
    kam kamis kan kem kemis ketvirtadienis kha khamiis khamis khms kt kuwa_kane lwesine n neljapaev
    og ojobo osteguna pay payshanba pen pencsem pensenbe per persembe poʻaha psm qui quinta sam
    samass sin st stvrtok stw stwortk sztwortek tai taite thu thu_nam thursday to tongersdei too
    toozdee tor tors torsdag torstai torstaina ulwesine xov xoves xue xueves yaou zeuggia zob zoba
    ħam πεμ πεμπτη бейсенбі бейш бейшемби бс пай пайшанба панҷшанбе пшб пү пүрэв пәнҗ пәнҗешәмбе цпр
    цыппӕрӕм чацвер чет четвер четверг четвртак четврток четвъртък чп чт чц чэппиэр հինգշաբթի հնգ
    יום_ה יום_חמישי الخميس جمعرات خميس پنجشنبه پينځنۍ پێنجشەممە پە پەيشەنبە गुरु गुरुवार गुरुवासर
    बिहि बिहिबार बृहस्पति_दिन বৃহস্পতি বৃহস্পতিবার ਵੀਰ ਵੀਰਵਾਰ ગુરુ ગુરુવાર ଗୁରୁ ଗୁରୁବାର வியா வியாழன்
    గురు గురువారం ಗುರು ಗುರುವಾರ വ്യാഴം വ്യാഴാഴ്ച බ්රහස් බ්රහස්පතින්දා พฤ วันพฤหัสบดี ພະຫັດ ວັນພະຫັດ
    གཟའ་པ་སངས་ གཟའ་ཕུར་བུ་ ཕུར་བུ་ སངས་ ကြာသပတေး ხუთ ხუთშაბათი ሐሙስ ሓሙ ሓሙስ ព្រហ ព្រហស្បតិ៍ 周四 星期四 木
    木曜 木曜日 週四 목 목요일
    """,
    // Friday
    """
    ajj ajjuma ann anna aoine asimwas asm biy biyernes c che chenabura chishanu chs cum cuma cumə
    de_haoine dih dihaoine divendres dv dydd_gwener e_premte eti fos fostudagur fr frai fraidee fre
    fredag freed freideg freitag fri friday friggjadagur gim gnu gwe gwen gwener hla ijumaa ini
    jimco jmc jum juma jumaah jumaat jumat jummaa kuwa_gatanu lwesihlanu ojo_eti or ostirala p pa
    par paraire patek pe penktadienis pentek perjantai perjantaina pet petak petek petk pi piatek
    piatok piektd piektdiena piontek pja pjatk pn poʻalima pre pt r reede sdis sdisass sex sexta
    thu_sau ulwesihlanu ve ven venardi venare venderdi vendredi vendredo venerdi venres vie vienres
    viernes vin vinars vineri vr vrijdag vrydag zom zoma παρ παρασκευη ба баасан бэ бээтиҥсэ жм жум
    жума жұма майрӕмбон мрб пет петак петок петък пт пятница пятниця пятніца җом җомга ҷмъ ҷумъа ուր
    ուրբաթ יום_ו יום_שישי الجمعة جمعة جمعه جمعو جمعہ جۈ جۈمە ھەینی शुक्र शुक्र_दिन शुक्रबार शुक्रवार
    शुक्रवासरः শুক্র শুক্রবার ਸ਼ੁੱਕਰ ਸ਼ੁੱਕਰਵਾਰ શુક્ર શુક્રવાર ଶୁକ୍ର ଶୁକ୍ରବାର வெள் வெள்ளி శుక్ర
    శుక్రవారం ಶುಕ್ರ ಶುಕ್ರವಾರ വെള്ളി വെള്ളിയാഴ്ച සිකු සිකුරාදා วันศุกร์ ศ ວັນສຸກ ສຸກ གཟའ་པ་སངས་
    གཟའ་སྤེན་པ་ པ་སངས་ སྤེན་ သောကြာ პარ პარასკევი ዓር ዓርቢ ዓርብ សុក្រ 周五 星期五 週五 金 金曜 金曜日 금 금요일
    """,
    // Saturday
    """
    abameta asa asab asabar asabotsy asd ase aseer asidyas cmt cumartesi de_sathairn dis disathairne
    dissabte ds dydd_sadwrn e_shtune gnd jumamosi kuwa_gatandatu l la larunbata lau lauantai
    lauantaina laugardagur laupaev laurdag ley leygardagur lor lordag lr mgq mgqibelo mug mugovera
    ojo_abameta poʻaono rah rahoroi s sa sab sabado sabadu sabato sabbo sabide sabo sabti sabtu sad
    sadorn sam sambata samedi samschdeg samstag sap saptu sat saterdag sath satodee saturday say
    sayass sbti sem semi sen senbe sestadienis sestd sestdiena shan shanba sht sib sneon so sob
    sobota sonda st sub subota szo szombat sənbə thu_bay umgqibelo za zaterdag σαβ σαββατο бя бямба
    ишемби ишм саб сабат сабота сб сбт сенбі суб суббота субота субуота събота шан шанба шанбе шим
    шимбә шнб շաբաթ շբթ יום_שבת שבת السبت اونۍ سبت شنبه شە شەممە شەنبە ڇنڇر ہفتہ शनि शनि_दिन शनिबार
    शनिवार शनिवासरः শনি শনিবার ਸ਼ਨਿੱਚਰ ਸ਼ਨਿੱਚਰਵਾਰ શનિ શનિવાર ଶନି ଶନିବାର சனி శని శనివారం ಶನಿ ಶನಿವಾರ
    ശനി ശനിയാഴ്ച සෙන සෙනසුරාදා วันเสาร์ ส ວັນເສົາ ເສົາ གཟའ་ཉི་མ་ གཟའ་སྤེན་པ་ ཉི་ སྤེན་པ་ စနေ შაბ
    შაბათი ቀዳ ቀዳም ቅዳሜ សៅរ៍ 周六 土 土曜 土曜日 星期六 週六 토 토요일
    """,
  ]
}
