"""What should not stand in a file of values: personal data, and orders to a model.

Values are kept in git and may be sent to a model, so both are worth a remark. Ordinary codes,
statuses, dates and numbers must pass: a remark that is wrong too often is soon ignored.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# -- values ------------------------------------------------------------------------------

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}(?![\w-])")
_NOBODY = re.compile(
    r"(?i)@(?:[\w-]+\.)*(?:example(?:\.\w+)?|test|invalid|localhost)\Z|\Ano-?reply@"
)
_PHONE = re.compile(
    r"\+\d{1,3}[ .-]?(?:\(?\d{1,4}\)?[ .-]?){2,5}\d{1,4}"
    r"|\([2-9]\d{2}\) ?[2-9]\d{2}[ .-]\d{4}|[2-9]\d{2}([ .-])[2-9]\d{2}\1\d{4}"
)
_BARE_PHONE = re.compile(r"1[3-9]\d{9}|0\d{9,10}|\d{10}")
_CARD = re.compile(r"\d{4}([ -])\d{4}\1\d{4}\1\d{4}|3[47]\d{2}([ -])\d{6}\2\d{5}")
_BARE_CARD = re.compile(r"(?:4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13})")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?")
_SSN = re.compile(r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}")
_CHINESE_ID = re.compile(r"\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]")
_STREET = re.compile(
    r"\d{1,6}[A-Za-z]? (?:[^\W\d_][\w.'-]* ){1,4}"
    r"(?:street|st|avenue|ave|road|rd|lane|ln|boulevard|blvd|drive|dr|court|ct|way)\.?"
    r"(?:[ ,].*)?"
    r"|[^\W\d_][\w.-]*(?:straße|strasse|str\.|gasse|weg|allee) \d{1,4}[a-z]?(?:[ ,].*)?",
    re.IGNORECASE,
)
_LONGEST = 200


def looks_personal(value: str) -> str:
    """What a value looks like (``an e-mail address``), or ``""``. Digits alone never suffice."""
    text = value.strip()
    if not 5 <= len(text) <= _LONGEST:
        return ""
    return next((kind.name for kind in _KINDS if kind.holds(text)), "")


@dataclass(frozen=True)
class _Kind:
    name: str
    pattern: re.Pattern[str]
    check: str = ""
    whole: bool = True

    def holds(self, text: str) -> bool:
        found = self.pattern.fullmatch(text) if self.whole else self.pattern.search(text)
        return found is not None and _CHECKS[self.check](found.group())


def _enough_digits(text: str) -> bool:
    return 8 <= sum(character.isdecimal() for character in text) <= 15


def _luhn(text: str) -> bool:
    total = 0
    for index, digit in enumerate(reversed(re.sub(r"\D", "", text))):
        number = int(digit) * (1 + index % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0


def _iban(text: str) -> bool:
    packed = text.replace(" ", "")
    if not 15 <= len(packed) <= 34:
        return False
    return int("".join(str(int(each, 36)) for each in packed[4:] + packed[:4])) % 97 == 1


def _chinese_id(text: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(digit) * weight for digit, weight in zip(text, weights, strict=False))
    return "10X98765432"[total % 11] == text[-1].upper()


def _public_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.version == 6:
        return address.is_global
    # Versions have four numbers too, but begin with a small one and have no large ones.
    first, *rest = address.packed
    return address.is_global and first > 10 and any(byte > 99 for byte in (first, *rest))


_CHECKS = {
    "": lambda text: True,
    "somebody": lambda text: _NOBODY.search(text) is None,
    "digits": _enough_digits,
    "luhn": _luhn,
    "iban": _iban,
    "chinese id": _chinese_id,
    "address": _public_address,
}
_KINDS = (
    _Kind("an e-mail address", _EMAIL, "somebody", whole=False),
    _Kind("a telephone number", _PHONE, "digits"),
    _Kind("a card number", _CARD, "luhn"),
    _Kind("a bank account", _IBAN, "iban"),
    _Kind("a social security number", _SSN),
    _Kind("an identity number", _CHINESE_ID, "chinese id"),
    _Kind("an IP address", re.compile(r"[\d.]{7,15}|[0-9a-fA-F:]{6,39}"), "address"),
    _Kind("a street address", _STREET),
)


# -- columns -----------------------------------------------------------------------------

# Before what would be personal these words make it a question about it.
_FLAGS = frozenset("is has was can no with without allow allows use uses requires".split())
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_COLUMNS = {
    "names of people": (
        "firstname lastname fullname givenname familyname middlename maidenname surname forename"
        " personname fname lname mname nickname cardholder accountholder vorname nachname prenom"
        " prénom nomdefamille apellido apellidos 姓名 名字 联系人"
    ),
    "e-mail addresses": "email mail emailaddress mailaddress courriel 邮箱 电子邮件",
    "telephone numbers": (
        "phone phonenumber telephone telephonenumber mobile mobilenumber cellphone phoneno"
        " homephone workphone mobilephone contactnumber fax faxnumber tel"
        " telefon telefonnummer handynummer telefono teléfono 电话 手机 手机号"
    ),
    "numbers of persons": (
        "ssn socialsecurity socialsecuritynumber passport passportnumber passportno nationalid"
        " taxid driverlicense driverslicense licensenumber nino 身份证 身份证号 护照"
    ),
    "dates of birth": (
        "birthdate birthday dateofbirth dob geburtsdatum geburtstag datenaissance"
        " datedenaissance fechanacimiento fechadenacimiento 出生日期 生日"
    ),
    "numbers of cards or accounts": (
        "creditcard cardnumber creditcardnumber ccnumber cvv iban bankaccount accountnumber"
        " routingnumber 银行卡 银行卡号 卡号"
    ),
    "addresses": (
        "address streetaddress street addressline homeaddress postaladdress billingaddress"
        " shippingaddress postalcode postcode zip zipcode ip ipaddress ipaddr clientip remoteip"
        " adresse strasse straße hausnummer plz postleitzahl codepostal direccion dirección"
        " 地址 住址"
    ),
    "secrets": "password passwordhash passwd secret apikey accesstoken authtoken pin 密码",
}
_MAYBE_PEOPLE = "names, maybe of people"
_LOGINS = frozenset(
    "username login loginname loginid userlogin nick handle screenname assignee salesperson"
    " salesrep 用户名 昵称 创建人 经办人".split()
)
_DEEDS = frozenset(
    "created updated modified changed edited entered added deleted approved rejected assigned"
    " submitted reviewed requested reported handled signed sold prepared checked verified closed"
    " opened owned written booked recorded".split()
)
"""Before ``by`` they make a column of who did it."""
_MEANINGS = {word: meaning for meaning, words in _COLUMNS.items() for word in words.split()}
_LONGEST_NAME = 4


_PEOPLE = frozenset(
    "customer user person people contact patient employee student member guest author artist"
    " teacher doctor physician staff client subscriber account owner driver passenger applicant"
    " recipient sender payee beneficiary guardian nurse"
    " candidate resident tenant voter donor actor player manager cust emp au".split()
)


def personal_column(name: str, table: str = "") -> str:
    """What a column of that name holds of people (``e-mail addresses``), or ``""``.

    ``email_verified`` and ``phone_type`` say something about a number, not the number itself.
    The ``name`` in a ``table`` of people is that of a person.
    """
    words = _words(name)
    if words[:1] and words[0] in _FLAGS:
        return ""
    # The last words say what it is: the phone of a name is a phone, the type of one is none.
    for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
        if meaning := _MEANINGS.get("".join(words[-length:])):
            return meaning
    if words[-1:] == ["name"]:
        whose = words[:-1] or _words(table)
        if any(word in _PEOPLE or word.removesuffix("s") in _PEOPLE for word in whose):
            return _MAYBE_PEOPLE
    is_of_somebody = words[-1:] == ["by"] and not _DEEDS.isdisjoint(words[:-1])
    is_login = not _LOGINS.isdisjoint((*words[-1:], "".join(words)))
    return _MAYBE_PEOPLE if is_of_somebody or is_login else ""


def _words(name: str) -> list[str]:
    words = [word.lower() for word in _WORDS.findall(name[:_LONGEST])]
    return [word for word in words if not word.isdigit()]


_NAME = re.compile(r"[^\W\d_a-z][^\W\d_]*(?:[ '’.-]{1,2}[^\W\d_]+){0,4}\.?")
_BARE = {
    "telephone numbers": ("a telephone number", _BARE_PHONE),
    "names of people": ("the name of a person", _NAME),
    "numbers of persons": ("a number of a person", re.compile(r"[A-Z]{0,2}\d{6,12}[A-Z]?")),
    "secrets": ("a secret", re.compile(r"\S+")),
}


def personal_values(
    column: str, values: Iterable[str], table: str = ""
) -> Iterator[tuple[str, str]]:
    """The values that look personal, each with what it looks like.

    Digits alone count where the column's name or most of its values say so.
    """
    values = tuple(values)
    meaning = personal_column(column, table)
    cards = [value for value in values if _BARE_CARD.fullmatch(value) and _luhn(value)]
    are_cards = len(cards) * 2 > len(values) or "card" in meaning
    named = _BARE.get(meaning)
    fitting = sum(named[1].fullmatch(value) is not None for value in values) if named else 0
    for value in values:
        if kind := looks_personal(value):
            yield value, kind
        elif are_cards and value in cards:
            yield value, "a card number"
        elif named and fitting * 2 > len(values) and named[1].fullmatch(value):
            yield value, named[0]


# -- orders to a model -------------------------------------------------------------------

_DROP = "(?:ignore|disregard|forget|override|bypass|skip)"
_EARLIER = "(?:previous|prior|above|earlier|preceding|foregoing|your|original|initial|safety)"
_ADJECTIVES = (
    r"(?:(?:all|any|the|of|your|my|these|those|every|previous|prior|earlier|system|safety|other"
    r"|existing|given|and|or) ){0,5}"
)
_ORDERS = (
    "(?:instructions?|prompts?|directions|directives|guidelines|commands|rules|context|messages"
    "|training|programming|restrictions)"
)
_INSTRUCTIONS = (
    rf"\b{_DROP} {_ADJECTIVES}{_EARLIER} {_ADJECTIVES}{_ORDERS}\b",
    rf"\b{_DROP} {_ADJECTIVES}(?:all|any|these|system) {_ADJECTIVES}"
    r"(?:instructions?|prompts?|directives|guidelines)\b",
    r"\b(?:ignore|disregard|forget) (?:everything|anything|all(?: of)?) (?:that |which )?"
    r"(?:you|above|before|i said|i told|prior|previous)",
    r"\bignore the above\b",
    r"\b(?:new|updated|additional|real|actual|important) (?:system )?instructions?\s?[:：]",
    r"\byou are (?:now|no longer) (?:an?|the|in|my|acting|free|bound|required|restricted|dan)\b",
    r"\bfrom now on,? (?:you|always|never|respond|answer|reply|ignore|act|only)\b",
    r"\bpretend (?:to be|(?:that )?you(?:'re| are))\b",
    r"\b(?:do not|don't|never) (?:tell|inform|mention (?:this )?to|reveal (?:this )?to) the user\b",
    r"\b(?:reveal|print|repeat|show|leak|output|return) (?:me )?(?:your|the)"
    r" (?:hidden |full |own )?(?:system )?(?:prompt|instructions)\b",
    r"\b(?:respond|reply) (?:only|exactly|just) with\b",
    r"\binstead,? (?:run|execute|return|output|write|reply|respond|select|drop|delete)\b",
    r"\b(?:developer|dan|jailbreak|god) mode (?:on|enabled|activated)\b",
    r"<\|(?:im_start|im_end|system|user|assistant|end|eot_id|start_header_id|endoftext)\|>",
    r"\[/?inst\]|<</?sys>>",
    r"</?(?:system|assistant|instructions?|prompt|system_prompt)>",
    r"(?<!#)#{2,}+ ?(?:system|instructions?|human|assistant|response|new instructions?)\s?:",
    r"\b(?:begin|end) (?:of )?(?:system )?prompt\b",
    r"(?:忽略|无视|忘记|忘掉|不要理会|跳过|抛开|不用管).{0,8}"
    r"(?:之前|以上|上面|前面|先前|上述|此前|所有|全部|一切|系统|你的|原来).{0,8}"
    r"(?:指令|指示|提示|规则|要求|命令|设定|内容|限制|对话)",
    r"你现在(?:是|要|将|必须|扮演|的身份)|从现在(?:开始|起).{0,4}你",
    r"(?:请你?|你要|你将|你来|你需要)(?:扮演|假装|充当)|假装你是",
    r"(?:新的?|以下|真正的)(?:系统)?(?:指令|指示)(?:是|为|如下)?[:：]",
    r"(?:泄露|输出|显示|打印|告诉我|重复|说出).{0,6}(?:系统提示|提示词|初始指令)",
    r"不要(?:告诉|告知|提醒)用户",
)
_INSTRUCTION = re.compile("|".join(f"(?:{each})" for each in _INSTRUCTIONS), re.IGNORECASE)
_ROLE = re.compile(
    r"^[^\S\n]*(?:system|assistant|human|user) ?: ?"
    r"(?:you (?:are|must|should|will)|ignore|always|never|please|do not|from now)\b",
    re.IGNORECASE | re.MULTILINE,
)
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_BLANKS = re.compile(r"\s+")
_MOST_READ = 20_000


def looks_like_instruction(text: str) -> bool:
    """Whether a text of the data or the schema speaks to a model instead of about itself.

    In English and Chinese; letters that only look different, and invisible ones, do not hide it.
    """
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text[:_MOST_READ]))
    flat = _BLANKS.sub(" ", plain)
    return bool(_INSTRUCTION.search(flat) or _ROLE.search(plain))
