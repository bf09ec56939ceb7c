"""Names in many scripts, as people have them and as people who try things have them."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "Amharic": "አበበ በቂላ",
    "Arabic": "عليّ مُحَمَّد",
    "Armenian": "Արամ Խաչատրյան",
    "Bengali": "রবীন্দ্রনাথ",
    "Burmese": "အောင်ဆန်း",
    "Chinese": "李小龙 張偉",
    "Devanagari": "कृष्ण शर्मा",
    "Emoji": "😀👩‍🚀🇮🇹👍🏽❤️1️⃣🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "Georgian": "ქეთევანი",
    "Greek": "Ἀριστοτέλης Χρήστος",
    "Gujarati": "મહાત્મા",
    "Gurmukhi": "ਸ਼੍ਰੀ ਸਿੰਘ",
    "Hebrew": "דָּוִד כהן",
    "Japanese": "田中さくら 𠮷野 ガー",
    "Kannada": "ಲಕ್ಷ್ಮೀ",
    "Khmer": "សុខា ស្រី",
    "Korean": "김민수 ㅋㅋ",
    "Lao": "ສົມຈິດ ຊົ່ວ",
    "Malayalam": "ശ്രീനിവാസൻ",
    "Oriya": "ଜଗନ୍ନାଥ",
    "Russian": "Дмитрий Ёлкин",
    "Sinhala": "ශ්‍රී ලංකා",
    "Symbols": "☆♛♟🂡🁡♡ x",
    "Tamil": "ராமானுஜன்",
    "Telugu": "శ్రీనివాస్",
    "Thai": "ที่น้ำ ปู่ญี่ปุ่น",
    "Vietnamese": "Nguyễn Thị Ẩn",
    "Yoruba": "Ọ̀ṣun ẹ́",
}
"""A name in each script that pictures can be written in."""

HOSTILE: Mapping[str, str] = {
    "marks": "Z" + "\u0338\u031b\u0318" * 99,
    "marks of all scripts": "क" + "\u0941" * 99 + "ا" + "\u064b" * 99,
    "lone marks": "\u0301\u0941" * 150,
    "joiners": "👩\u200d" * 150,
    "flags": "🇮" * 300,
    "unassigned": "\U000e1234" * 300,
    "private": "\ue000\U0010fffd" * 150,
    "surrogates": "\ud83d" * 300,
    "controls": "".join(map(chr, range(32))) * 9,
    "directions": "\u202e\u2067\u2066\u2068" * 75,
    "isolates": "\u2068א" * 150,
    "brackets": "([{" * 50 + "א" + "}])" * 50,
    "both directions": "aא1" * 100,
    "long ligatures": "\ufdfa" * 300,
    "viramas": "क\u094d" * 150,
    "every font": "".join(NAMES.values()),
    "ideographs": "鬱" * 300,
    "blanks": "\u3164\u115f\u2800\uffa0" * 75,
    "tags": "🏴" + "\U000e0067" * 299,
}
"""Names chosen to break pictures."""
