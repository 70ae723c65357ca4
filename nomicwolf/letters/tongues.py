"""What mailers write around a quote, in the languages of Europe and Asia: tables, all in lower case."""

from __future__ import annotations

# Verbs of attribution lines. They stand before the colon in most languages, before the name in some.
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
    "さんからのメール",
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
    "reply separator", "ursprungliga meddelandet", "urspr. nachricht",
)
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
    "bounced message", "message redirected",
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
))
SENT = frozenset((
    "sent", "date", "gesendet", "datum", "gesendet am", "envoyé", "envoyé le", "date d'envoi", "enviado",
    "enviado el", "enviado em", "enviada", "enviada em", "fecha", "inviato", "data", "data invio", "verzonden",
    "verzonden op", "skickat", "sendt", "dato", "lähetetty", "päivämäärä", "päiväys", "wysłano", "wysłane",
    "odesláno", "odoslané", "elküldve", "dátum", "отправлено", "дата", "надіслано", "изпратено", "εστάλη",
    "ημερομηνία", "στάλθηκε", "gönderilme", "gönderme tarihi", "tarih", "trimis", "poslano", "poslato", "送信日時",
    "送信", "日時", "发送时间", "寄件日期", "日期", "보낸 날짜", "enviat", "נשלח", "תאריך", "تم الإرسال",
    "تاريخ الإرسال", "التاريخ", "تاریخ", "ส่ง", "วันที่", "đã gửi", "ngày", "dikirim", "tanggal",
))
TO = frozenset((
    "to", "an", "à", "a", "para", "aan", "till", "til", "vastaanottaja", "do", "komu", "címzett", "кому", "до",
    "προς", "kime", "alıcı", "către", "за", "destinataire", "destinatario", "per", "mottaker", "odbiorca", "宛先",
    "收件人", "收件者", "받는 사람", "cc", "copie", "copia", "kopie", "kopia", "kopi", "копия", "копія", "másolat",
    "κοιν", "bilgi", "抄送", "副本", "אל", "إلى", "ถึง", "đến", "tới", "kepada",
))
SUBJECT = frozenset((
    "subject", "betreff", "objet", "sujet", "asunto", "oggetto", "assunto", "onderwerp", "ämne", "emne", "aihe",
    "temat", "předmět", "predmet", "tárgy", "тема", "относно", "θέμα", "konu", "subiect", "assumpte", "efni",
    "teema", "tema", "thema", "件名", "主题", "主旨", "제목", "נושא", "الموضوع", "موضوع", "เรื่อง", "chủ đề", "subjek",
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
    "나의 iphone에서", "please excuse my brevity", "sent with aquamail", "sent from gmail mobile",
)
# What stands near the rule above a list's footer.
LISTS = (
    "mailing list", "listinfo", "/mailman", "unsubscribe", "google groups", "yahoo! groups", "yahoo groups",
    "postorius",
    "hyperkitty", "mailingliste", "mailinglijst", "liste de diffusion", "lista de correo", "sympa", "list archive",
    "maillist", "メーリングリスト", "abmelden", "groups.io", "list info", "e-postlista", "postilista",
)
# What begins a footer that has no rule above it.
FOOTERS = (
    "you received this message because ", "to unsubscribe from this ", "to unsubscribe send ", "to unsubscribe, ",
    "to unsubscribe:", "unsubscribe:", "you are subscribed to ", "groups.io links:",
    "__._,_.___",
    "sie erhalten diese nachricht, weil", "vous recevez ce message ", "recibiste este mensaje porque",
    "hai ricevuto questo messaggio perché", "-=-=-=-=-=-=-=-=-=-=-=-",
)
