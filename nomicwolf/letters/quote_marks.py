"""Marks and phrases around quotes.

Tables of what mailers write, in the languages of Europe and Asia, all in lower case; and where a quote, a signature, a
footer or an older letter begins. Each check looks at a few lines and never backtracks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Verbs of attribution lines. They are before the colon in most languages, before the name in some.
WROTE = (
    "wrote", "writes", "has written", "scribbled", "spake", "schrieb", "schreibt", "geschrieben", "a écrit",
    "écrivait", "écrit", "escribió", "escribio", "va escriure", "escribiu", "ha scritto", "scrisse", "scrive",
    "escreveu", "escreveram", "schreef", "het volgende geschreven", "skrev", "skrifaði", "kirjoitti", "napisał(a)",
    "napisał", "napisała", "pisze", "napsal(a)", "napsal", "napsala", "píše", "napísal(a)", "napísal", "írta",
    "ezt írta", "написал(а)", "написал", "написала", "пишет", "писал", "написав", "написав(ла)", "пише", "написа",
    "έγραψε", "έγραψε τα εξής", "yazdı", "şunu yazdı", "şunları yazdı", "a scris", "napisao je", "napisao",
    "napisao(la)", "je napisal", "napisala je", "je napisala", "rašė", "parašė", "rakstīja", "kirjutas",
    "idatzi du", "scríobh", "ysgrifennodd", "kitbet", "shkroi", "wrote the following", "さんは書きました",
    "wrote in message", "のメッセージ", "のメール", "が書き込みました", "写道", "寫道", "님이 작성", "작성",
    "さんからのメール", "shrieb", "schrieben sie", "schreven", "schreift", "skryf", "skreiv", "skreau", "skrivaði",
    "hai scritto", "ha scribite", "scribeva", "al scrivè", "à scrit", "a escrich", "escriguèt", "ha escrit",
    "va escriure", "vau escriure", "escribiches", "escrebiste", "escreveste", "escribiste", "avez écrit", "as écrit",
    "a scrît", "avoz scrît", "ați scris", "ai scris", "skribis", "kirjoitit", "kirjutasid", "idatzita", "idatzi zuen",
    "ka shkruar", "nivîsî", "menulis", "viết", "đã viết", "yazıb", "yazmış", "yazdınız", "yozgan", "rašėte", "sporoča",
    "napisa", "napisaste", "napisali", "napísali", "napísal/a", "napisao/la", "napisaŭ", "napsali", "piše", "piszesz",
    "pisał(a)", "napisałeś", "eo bet skrivet", "напісаў", "напиша", "написали", "написахте", "написасте", "написано",
    "γράψατε", "寫到", "寫下", "提到", "쓴 글", "쓴 내용", "نوشت", "نوشته است", "كتب", "כתב",
    "napisal", "napisal(a)", "жазған", "ubhale",
    "írta ekkor", "skriver", "lähetti", "scriveva",
)
# Verbs that announce a quotation only in short lines (``Bex said:``).
SAID = (
    "said", "says", "asked", "replied", "sagte", "a dit", "dijo", "disse", "sa", "zei",
)
# What an attribution that gives a date or an address begins with.
OPENERS = (
    "on ", "at ", "in ", "am ", "le ", "el ", "il ", "em ", "no dia ", "op ", "den ", "på ", "dne ", "w dniu ",
    "dnia ", "στις ", "la data de ", "în ", "pe ", "na ", "u ", "dana ", "a(z) ", "kl ", "lør", "in message ",
    "in article ", "quoting ", "il giorno ", "--- on ", "v ", "в ", "на ", "у ", "於 ", "在 ", "el dia ", "o dia ",
    "ar ", "le jeu",
)
# What an attribution without a verb begins with.
QUOTING = (
    "quoting ", "quoth ", "zitat von ", "citeren ", "citando ", "citando a ", "quotando ", "selon ",
    "mensaje citado por ", "excerpts from ", "in reply to ", "citát ", "cytowanie ", "citat fra ", "citerar ",
    "lainaus ", "цитирую ", "thus spake ", "thus wrote ", "according to ", "also sprach ",
    "originally posted by ",
)
# Between dashes, above the text of an older letter.
ORIGINAL = (
    "original message", "original appointment", "ursprüngliche nachricht", "originalnachricht", "original-nachricht",
    "ursprüngliche mail", "message d'origine", "message d’origine", "message original", "mensaje original",
    "messaggio originale", "mensagem original", "oorspronkelijk bericht", "originalmeddelande",
    "ursprungligt meddelande", "originalmelding", "opprinnelig melding", "oprindelig meddelelse",
    "original meddelelse", "alkuperäinen viesti", "wiadomość oryginalna", "oryginalna wiadomość", "původní zpráva",
    "pôvodná správa", "eredeti üzenet", "исходное сообщение", "оригинальное сообщение", "оригінальне повідомлення",
    "вихідне повідомлення", "αρχικό μήνυμα", "özgün ileti", "orijinal mesaj", "mesaj original", "mesajul original",
    "izvorna poruka", "izvirno sporočilo", "оригинално съобщение", "missatge original", "upprunaleg skilaboð",
    "元のメッセージ", "original message from", "原始邮件", "原始郵件", "원본 메시지", "reply message",
    "reply separator", "ursprungliga meddelandet", "urspr. nachricht", "original email", "original e-mail",
    "original-message", "replied message", "nachricht beantworten", "mail original", "email d'origine",
    "courrier original", "répondre au message", "e-mail original", "correo original", "messaggio di origine",
    "回复的原邮件", "回覆的原郵件",
    "ursprüngliche e-mail", "antwort nachricht", "oprindelig besked", "original besked",
    "oprindeligt brev", "origineel bericht", "orgineel bericht", "oorspronkelijke bericht", "oarspronklik berjocht",
    "oorspronklike boodskap", "opphavleg melding", "opprinneleg melding", "courriel original", "message initial",
    "mensaxe orixinal", "mensax orixinal", "mensache orichinal", "missatge d'origen", "messatge d'origina",
    "messaç origjinâl", "kemennadenn orin", "neges wreiddiol", "izvorno sporočilo", "an teachtaireacht bhunaidh",
    "bunteachtaireacht",
    "originala mesaĝo", "origina mesaĝo", "originala poruka", "originalna poruka", "esialgne kiri",
    "algupärane sõnum", "originalus laiškas", "sākotnējā vēstule", "uppruna boð", "jatorrizko mezua",
    "mesazhi origjinal", "mesazhi orgjinal", "orijinal məktub", "orijinal ileti", "özgün i̇leti", "asl xat",
    "peyama orîjînal", "mesej asal", "pesan asli", "isi pesan asli", "thư gốc", "aryhinalny list", "messaggio iniziale",
    "původní e-mail",
    "pôvodný e-mail", "원본 메일",
)
PROCESSED = "original message processed by david®"
"""What Tobit's David writes above an older letter, with no dashes."""
# Between dashes or before a colon, above forwarded text.
FORWARDED = (
    "forwarded message", "forwarded by", "begin forwarded message", "start of forwarded message", "fwd message",
    "weitergeleitete nachricht", "anfang der weitergeleiteten nachricht", "weitergeleitet von",
    "message transféré", "message transmis", "début du message réexpédié", "début du message transféré",
    "mensaje reenviado", "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato",
    "mensagem encaminhada", "mensagem reencaminhada", "início da mensagem encaminhada",
    "início da mensagem reencaminhada", "doorgestuurd bericht", "begin doorgestuurd bericht",
    "vidarebefordrat meddelande", "vidarebefordrat brev", "videresendt melding", "videresendt meddelelse",
    "videresendt besked", "start på videresendt melding", "begynnelse på videresendt melding",
    "start på videresendt besked", "välitetty viesti", "edelleenlähetetty viesti", "välitetty viesti alkaa",
    "treść przekazanej wiadomości", "przekazana wiadomość", "początek przekazywanej wiadomości",
    "přeposlaná zpráva", "začátek přeposílané zprávy", "preposlaná správa", "továbbított üzenet",
    "továbbított levél kezdete", "пересылаемое сообщение", "пересланное сообщение",
    "начало переадресованного сообщения", "переслане повідомлення", "початок листа, що пересилається",
    "препратено съобщение", "προωθημένο μήνυμα", "iletilmiş ileti", "yönlendirilen ileti", "yönlendirilmiş ileti",
    "iletilen ileti başlangıcı", "mesaj redirecționat", "proslijeđena poruka", "posredovano sporočilo",
    "missatge reenviat", "転送されたメッセージ", "転送メッセージ", "转发的邮件", "轉寄郵件", "전달된 메시지",
    "bounced message", "message redirected", "przekazywana wiadomość", "wiadomość przekazywana",
    "przekierowywany list", "pierasyłany list", "mensaxe reenviada", "mensaxe reencamiñada", "reenviouse a mensaxe",
    "mensax reunviáu", "mensache reninviau", "messatge transferit", "inici del missatge reenviat",
    "inicio del mensaje redirigido", "messaç mandât indenant", "mesaj înaintat", "începutul mesajului înaintat",
    "vidaresendt melding", "vidaresende meldingar", "videresendt brev", "aangestuurde boodskap", "prosljeđena poruka",
    "proslijedjena poruka", "prosleđena poruka", "zpráva přeposlaná", "začátek předané zprávy", "ďalej odoslaná správa",
    "začiatok správy poslanej ďalej", "továbbított levél", "edasisuunatud kiri", "edastatud kiri", "edastatud sõnum",
    "persiųstas laiškas", "pārsūtīta vēstule", "pārsūtītā vēstule", "áframsent skeyti", "birbidalitako mezua",
    "plusendita mesaĝo", "teachtaireacht curtha ar aghaidh", "neges yrrwyd ymlaen", "mesazhi i përcjellë",
    "ötürülülən məktub", "yönlendirilmiş i̇leti", "yönlendirilen i̇leti", "mesej dimajukan", "pesan yang diteruskan",
    "awal pesan yang diteruskan", "thư được chuyển tiếp", "thư đã chuyển tiếp", "umyalezo ogqithiisiweyo",
    "beginn der weitergeleiteten nachricht", "iniciando encaminhamento de mensagem", "start videresendt melding",
    "begynd videresendt e-mail", "start av vidarebefordrat meddelande", "yönlendirilen iletiye başla",
    "započni proslijeđenu poruku", "începe mesajul redirecționat", "začiatok preposlanej správy",
    "vidarebefordrat mejl", "i̇leti başlangıcı", "iletilmiş mesaj", "i̇letilmiş mesaj", "i̇letilen i̇leti",
    "wiadomość przesłana dalej", "перенаправлене повідомлення", "перенаправленное сообщение",
)
END_FORWARDED = (
    "end forwarded message", "end of forwarded message", "ende der weitergeleiteten nachricht",
)
# Labels of the header lines that Outlook and others copy above a quote, by what they name.
FROM = frozenset((
    "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "feladó", "от", "от кого", "від",
    "від кого", "από", "kimden", "gönderen", "de la", "expéditeur", "remitente", "mittente", "avsändare",
    "afsender", "odesílatel", "nadawca", "expeditor", "frá", "no", "nuo", "saatja", "pošiljatelj", "差出人",
    "发件人", "寄件者", "보낸 사람", "מאת", "من", "از", "จาก", "từ", "dari",
    "afzender", "avsender", "daripada", "eus", "fan", "frå", "gönderici", "gửi từ", "keneltä", "kimdan",
    "kimdən", "nga", "nork", "oddi wrth", "pengirim", "remitent", "sendanto", "seolaí", "siuntėjas", "vun",
    "şandyar", "αποστολέας", "ад", "кімнен", "од", "хэнээс", "ուղարկող", "ارسال کننده", "استوونکی", "المرسل",
    "دىن", "لە", "प्रेषक", "भेजने वाला", "প্রেরক", "அனுப்புனர்", "ಇಂದ", "වෙතින්", "ผู้ส่ง", "გამგზავნი", "ካብ",
    "អ្នកផ្ញើ", "寄件人", "発信者", "送信者",
    "šalje", "expeditorul", "отправитель", "送信元",
))
SENT = frozenset((
    "sent", "date", "gesendet", "datum", "gesendet am", "envoyé", "envoyé le", "date d'envoi", "enviado",
    "enviado el", "enviado em", "enviada", "enviada em", "fecha", "inviato", "data", "data invio", "verzonden",
    "verzonden op", "skickat", "sendt", "dato", "lähetetty", "päivämäärä", "päiväys", "wysłano", "wysłane",
    "odesláno", "odoslané", "elküldve", "dátum", "отправлено", "дата", "надіслано", "изпратено", "εστάλη",
    "ημερομηνία", "στάλθηκε", "gönderilme", "gönderme tarihi", "tarih", "trimis", "poslano", "poslato", "送信日時",
    "送信", "日時", "发送时间", "寄件日期", "日期", "보낸 날짜", "enviat", "נשלח", "תאריך", "تم الإرسال",
    "تاريخ الإرسال", "التاريخ", "تاریخ", "ส่ง", "วันที่", "đã gửi", "ngày", "dikirim", "tanggal",
    "dags", "dagsetning", "datums", "datë", "deiz", "dyddiad", "dáta", "däts", "dîrok", "kuupäev", "pvm",
    "sana", "tann", "tarikh", "tarix", "датум", "күні", "огноо", "ամսաթիվ", "بەروار", "تاريخ", "نېټه", "چېسلا",
    "तारिख", "तारीख", "दिनांक", "তারিখ", "தேதி", "ದಿನಾಂಕ", "തീയതി", "දිනය", "თარიღი", "ዕለት", "កាលបរិច្ឆេត",
    "日付", "날짜",
    "dată",
))
TO = frozenset((
    "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu", "címzett", "кому", "до",
    "προς", "kime", "alıcı", "către", "за", "destinataire", "destinatario", "per", "mottaker", "odbiorca", "宛先",
    "收件人", "收件者", "받는 사람", "cc", "copie", "copia", "kopie", "kopia", "kopi", "копия", "копія", "másolat",
    "κοιν", "bilgi", "抄送", "副本", "אל", "إلى", "ถึง", "đến", "tới", "kepada",
    "adresát", "chuig", "derbyniwr", "destinatar", "destinatari", "destinatario(a)", "gavėjas", "kam",
    "kenelle", "kimga", "kimə", "modtager", "mottagare", "người nhận", "nori", "oan", "ontvanger", "penerima",
    "pour", "për", "ricevanto", "saaja", "standyar", "za", "παραλήπτης", "каму", "кімге", "примач", "хэнд",
    "ստացող", "المستقبل", "به", "بۆ", "ترلاسه کوونکی", "غا", "ګيرينده", "पाने वाला", "प्रती", "प्रापक",
    "প্রাপক", "பெறுனர்", "ಗೆ", "වෙත", "ผู้รับ", "ვის", "ናብ", "អ្នកទទួល",
    "prima", "destinatarul", "送信先", "adresat",
))
SUBJECT = frozenset((
    "subject", "betreff", "objet", "sujet", "asunto", "oggetto", "assunto", "onderwerp", "ämne", "emne", "aihe",
    "temat", "předmět", "predmet", "tárgy", "тема", "относно", "θέμα", "konu", "subiect", "assumpte", "efni",
    "teema", "tema", "thema", "件名", "主题", "主旨", "제목", "נושא", "الموضوع", "موضوع", "เรื่อง", "chủ đề", "subjek",
    "asuntu", "evni", "gaia", "judul", "mavzu", "mijar", "mövzu", "naslov", "pealkiri", "pwnc", "subjecto",
    "subjekt", "subxhect", "sujed", "temats", "temo", "testun", "titill", "tiêu đề", "zadeva", "ábhair",
    "ûnderwerp", "гарчиг", "заглавие", "наслов", "тақырыбы", "тэма", "վերնագիր", "تىما", "مضمون", "ناونیشان",
    "विशय", "विषय", "বিষয়", "தலைப்பு", "ವಿಷಯ", "വിഷയം", "මාතෘකාව", "หัวจดหมาย", "სათაური", "ዋኒን", "ចំណងជើង",
    "subiectul",
))
# Lines that a telephone or a web mailer puts under a letter.
DEVICES = (
    "sent from my ", "sent from mail for ", "sent from yahoo", "sent from outlook", "sent from proton",
    "sent via ", "sent with ", "sent using ", "sent by ", "get outlook for ", "sent from the ", "sent from an ",
    "sent from a ", "von meinem ", "von meiner ", "gesendet von ", "gesendet mit ", "gesendet via ",
    "diese nachricht wurde von meinem ", "envoyé de mon ", "envoyé depuis ", "envoyé à partir ", "envoyé par ",
    "téléchargez outlook", "enviado desde ", "enviado de ", "enviado do ", "enviado a partir", "obtener outlook",
    "inviato da ", "inviato dal ", "verzonden met ", "verstuurd vanaf ", "verzonden vanaf ", "skickat från ",
    "sendt fra ", "sendt fra min ", "lähetetty ", "wysłane z ", "wysłano z ", "odesláno z", "elküldve ",
    "iphone-omról küldve", "отправлено с ", "отправлено из ", "надіслано з ", "στάλθηκε από ",
    "iphone'umdan gönderildi", "trimis de pe ", "iphoneから送信", "androidから送信", "发自我的", "從我的",
    "sent from thunderbird", "sent from edison", "sent from mailspring", "sent from mymail", "get bluemail",
    "outlook für ", "outlook voor ", "obtenir outlook",
    "나의 iphone에서", "please excuse my brevity", "sent with aquamail", "sent from gmail mobile",
)
# What is near the rule above a list's footer.
LISTS = (
    "mailing list", "listinfo", "/mailman", "unsubscribe", "google groups", "yahoo! groups", "yahoo groups",
    "postorius",
    "hyperkitty", "mailingliste", "mailinglijst", "liste de diffusion", "lista de correo", "sympa", "list archive",
    "maillist", "メーリングリスト", "abmelden", "groups.io", "list info", "e-postlista", "postilista",
)
# What begins a footer that has no rule above it.
FOOTERS = (
    "you received this message because ", "to unsubscribe from this group", "to unsubscribe from this list",
    "to unsubscribe from this mail", "to unsubscribe from this e-mail", "to unsubscribe from this email",
    "to unsubscribe from this topic", "to unsubscribe from this thread", "to unsubscribe from this discussion",
    "to unsubscribe from this forum", "to unsubscribe from this newsletter", "to unsubscribe from this conversation",
    "to unsubscribe send ", "to unsubscribe, ",
    "to unsubscribe:", "unsubscribe:", "you are subscribed to ", "groups.io links:",
    "__._,_.___",
    "sie erhalten diese nachricht, weil", "vous recevez ce message ", "recibiste este mensaje porque",
    "[non-text portions of this message have been removed]", "this email has been checked for viruses",
    "hai ricevuto questo messaggio perché", "-=-=-=-=-=-=-=-=-=-=-=-",
)


# White space, and the marks for joining and direction that can't be seen either.
SPACE = (
    " \t\u00a0\u202f\u3000\u200b\u200c\u200d\u2060\ufeff"
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_QUOTES = (
    ">", "＞", "&gt;", "&#62;", "|", "❯", "›", ": ", "│", "┃", "▏", "▎", "▍", "▌", "» ", "≫", "﹥", "¦", "❘", "⎜", "⎢")
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2500\u2501\uff0d_="
DECORATION = SPACE + DASHES + "*~+>"
LONGEST = 500
_WIDE, _NARROWEST, _RAGGED = 70, 36, 12
"""Columns: where lines are broken at the least if nothing shows it; at the least at all; by how much lines differ."""
_NAME = 20
"""In so many characters stand a writer's initials, or their name, and a quote mark."""
_NEAR = 8
"""So many lines before and after show it."""
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d[:.]\d\d|/\d\d?/", re.ASCII)
_FIGURES = "0123456789@"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BEGINNINGS = "|".join(
    f"[{first}{first.upper()}](?i:{'|'.join(map(re.escape, rests))})" for first in _LETTERS
    if (rests := [each[1:] for each in DEVICES + FOOTERS if each[0] == first]))
"""Those that begin with a letter, by that: it tells of most lines that they don't begin so."""
_PROSE = re.compile(
    rf"(?!{_BEGINNINGS})[a-zA-Z][a-zA-Z ,;.!?'\"()/*_-]*+"
    r"(?:[0-9@][a-zA-Z0-9@ ,;.!?'\"()/*_-]*[.!?])?", re.ASCII)
_FOOTED = re.compile("^[{}]*+(?:[-_=~*#]{{10}}|{})".format(
    SPACE, "|".join(map(re.escape, FOOTERS))), re.IGNORECASE | re.MULTILINE)
_POSTED = re.compile(r"\s*posted by: [^\n]*@[^\n]*\n\s*-{10}")
"""Below its rule: what Yahoo wrote under each letter of a group, between two rules."""


def prose(line: str) -> bool:
    """Return whether *line* is certainly plain prose: words without colons, brackets or bars.

    It begins with a letter, and not like a device's or a list's words; figures, or an address, are in it only if a
    sentence ends with it, so that no attribution goes on below. A date or "wrote" before a comma, or before a full
    stop with figures, may be such an attribution's, and "wrote" at the end is one above quote marks.
    """
    if _PROSE.fullmatch(line) is None:
        return False
    return not (_open_ended(line) if line[-1] in ".," else line.lower().endswith(WROTE))


def _open_ended(line: str) -> bool:
    """Return whether an attribution may continue below *line*, which ends with a comma or full stop."""
    if line[-1] == "." and not any(char in _FIGURES for char in line):
        return False
    folded = line.lower()
    return "@" in line or dated(line) or any(verb in folded for verb in WROTE)


def blank(line: str) -> bool:
    """Return whether *line* shows nothing."""
    return not line.strip(SPACE)


def quoted(line: str) -> bool:
    """Return whether *line* has a quote mark, also indented or after a writer's name (``EM> so``)."""
    text = line.lstrip(SPACE)
    if text.startswith(_QUOTES):
        return True
    initials, mark, after = text[:_NAME].partition(">")
    if mark and initials.isalpha() and after[:1] in ("", " ", ">"):
        return len(initials) <= 4 or initials.istitle()
    return _chatted(text)


def depth(line: str) -> int:
    """Return how many quote marks *line* begins with; marks other than ``>`` count as one."""
    head = line[: len(line) - len(line.lstrip(SPACE + ">"))]
    return max(1, head.count(">"))


def ends_attribution(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is a torn-off ``> wrote:`` below an address on lines of its own."""
    if not lines[index].endswith(":") or lines[index].strip(SPACE + ">:").lower() not in WROTE:
        return False
    above = next((line for line in reversed(lines[max(0, index - 2) : index]) if not blank(line)), "")
    return "@" in above and not quoted(above)


def framed(line: str) -> bool:
    """Return whether *line* is GroupWise's: ``>>> Bex <bex@b.example> 12/1/26 12:00 PM >>>``."""
    if not line.startswith(">>> "):
        return False
    text = line.rstrip(SPACE)
    return text.endswith(" >>>") and ("@" in text or dated(text))


def _chatted(text: str) -> bool:
    """Return whether *text* is a line of a chat's log: ``<Bex> so``, also after a time."""
    before, mark, after = text[:60].partition("<")
    name, close, said = after.partition("> ")
    if not (mark and close and said) or any(char in name for char in " @/=:") or f"</{name}" in text.lower():
        return False
    return not before or before.strip("[]() \t").replace(":", "").isdigit()


def indented(line: str) -> bool:
    """Return whether *line* is indented by a tab or at least two spaces."""
    return line.startswith(("\t", "  ", " \t", "\u3000", "\u00a0\u00a0"))


def torn(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is the torn-off end of the quoted line above.

    So it looks if the line above is quoted, had no room for this one's first word within that width, and this one goes
    on in lower case (``i`` is taken as a new sentence), or is between that line's open end and a further quoted
    line. The width is 70 columns or more; or that of the quoted lines around, if several are about so long, and the one
    above ends amid a sentence.
    """
    if index == 0 or not quoted(lines[index - 1]):
        return False
    above = lines[index - 1].rstrip(SPACE)
    first = lines[index].strip(SPACE).split(" ", 1)[0]
    needed, open_ended = len(above) + 1 + len(first), above[-1] not in ".!?:;"
    if needed <= _WIDE and not (open_ended and needed > _broken_at(lines, index)):
        return False
    between = index + 1 < len(lines) and quoted(lines[index + 1]) and open_ended
    return between or (first[:1].islower() and first != "i")


def _broken_at(lines: Sequence[str], index: int) -> int:
    """Return the column at which the quoted lines around *index* were broken; `_WIDE` if that is unclear.

    Torn ends may be between them: at most one after each quoted line.
    """
    start = stop = index
    while index - start < _NEAR and start > 0 and (quoted(lines[start - 1]) or _between(lines, start - 1)):
        start -= 1
    while stop - index < _NEAR and stop + 1 < len(lines) and (quoted(lines[stop + 1]) or _between(lines, stop + 1)):
        stop += 1
    lengths = sorted(len(line.rstrip(SPACE)) for line in lines[start:stop + 1] if quoted(line))
    widest = lengths[-1]
    alike = len(lengths) > 1 and lengths[-2] >= widest - _RAGGED
    return widest if alike and widest >= _NARROWEST else _WIDE


def _between(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is between two quoted lines."""
    around = 0 < index < len(lines) - 1 and quoted(lines[index - 1]) and quoted(lines[index + 1])
    return around and not blank(lines[index])


def signature(line: str) -> bool:
    """Return whether *line* is a signature's delimiter, with or without its space (RFC 3676 4.3)."""
    return line.rstrip(SPACE) == "--"


def device(line: str) -> bool:
    """Return whether *line* is what a telephone or web mailer adds below letters."""
    text = line.strip(DECORATION).lower()
    return len(text) < 120 and text.startswith(DEVICES)


def may_have_footer(text: str) -> bool:
    """Return whether a footer could begin in *text* at all."""
    return _FOOTED.search(text) is not None


def footer(lines: Sequence[str], index: int) -> bool:
    """Return whether a list's footer begins at *index*: a rule with the list below it, or known words."""
    text = lines[index].strip(SPACE)
    if text.lower().startswith(FOOTERS):
        return True
    if len(text) < 10 or text.strip("_-=~*#"):
        return False
    near = "\n".join(line[:200] for line in lines[index + 1 : index + 6] if not quoted(line)).lower()
    return any(word in near for word in LISTS) or _POSTED.match(near) is not None


def foreign(text: str) -> bool:
    """Return whether over a quarter of the letters in *text*, without addresses, are no Latin ones."""
    if text.isascii():
        return False
    letters = [char for char in text.partition("<")[0] + text.rpartition(">")[2] if char.isalpha()]
    return 4 * sum("\u0370" <= char < "\u1e00" or "\u1f00" <= char < "\U0001d400" for char in letters) > len(letters)


def dated(text: str) -> bool:
    """Return whether *text* has a year, a time of day or a date in figures."""
    if text.isascii():
        return _DATED.search(text, 0, LONGEST) is not None
    runs = "".join(char if char.isdigit() else " " for char in text[:LONGEST]).split()
    if any(len(run) == 4 and run[:2] in ("19", "20") for run in runs):
        return True
    folded = "".join("0" if char.isdigit() else char for char in text[:LONGEST])
    return "0:00" in folded or "0.00" in folded or "/00/" in folded or "/0/" in folded


_POSTMARK = re.compile(
    r">?From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)? .{0,9}\d{4}.{0,6}", re.ASCII)


def divider(line: str) -> str:
    """Return ``forwarded`` or ``quoted`` if *line* announces an older letter, else ''.

    So does an mbox's ``From `` line (RFC 4155).
    """
    text = line.strip(SPACE).replace("&nbsp;", " ") if "&nbsp;" in line else line.strip(SPACE)
    if len(text) > 160:
        return _divided_within(text[:LONGEST])
    core = text.strip(DECORATION).rstrip(" :：").lower()
    if not core:
        return ""
    if _POSTMARK.fullmatch(text):
        return "forwarded"
    dashed = len(text) > 2 and not text.lstrip("*")[:2].strip(DASHES)
    framed = dashed and not text.rstrip("*")[-2:].strip(DASHES)
    announced = text.rstrip("*").endswith((":", "："))
    if (framed and core.startswith(FORWARDED)) or ((dashed or announced) and core in FORWARDED):
        return "forwarded"
    original = (framed and core.startswith(ORIGINAL)) or (dashed and core in ORIGINAL)
    unread = framed and ("@" in core or core == "original" or foreign(core))
    if core[:1] == "[" and core.lstrip("[ ").startswith("forwarded from "):  # Telegram
        return "forwarded"
    if original or unread or core.lstrip("[").startswith(PROCESSED):
        return "quoted"
    return _divided_within(text)


def _divided_within(text: str) -> str:
    """Return the same for a divider with more around it on one line, as in a flattened letter."""
    for piece in text.split("----")[1:-1] if "----" in text else ():
        core = piece.strip(DECORATION).lower()
        if core in FORWARDED:
            return "forwarded"
        if core in ORIGINAL:
            return "quoted"
    return ""


def ends_forwarded(line: str) -> bool:
    """Return whether *line* closes forwarded text, as mutt does."""
    text = line.strip(SPACE)
    return text.startswith("--") and text.strip(DECORATION).lower().startswith(END_FORWARDED)
