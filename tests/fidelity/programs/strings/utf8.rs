fn main() {
    let s = "aß→𝄞e\u{301}";
    println!("{} {}", s.len(), s.chars().count());
    for (i, c) in s.char_indices() {
        println!("{i} {:?} {} {:x}", c, c.len_utf8(), c as u32);
    }
    println!("{:?}", s.bytes().map(|b| format!("{b:02x}")).collect::<Vec<_>>());
    println!("{:?} {:?}", s.is_char_boundary(1), s.is_char_boundary(2));
    println!("{:?} {:?}", s.get(0..3), s.get(0..2));
    println!("{:?}", s.encode_utf16().collect::<Vec<_>>());
    println!("{:?}", String::from_utf16(&[0xD834, 0xDD1E, 0x61]));
    println!("{:?}", String::from_utf16(&[0xD834]).is_err());
    println!("{:?}", std::str::from_utf8(&[0xe2, 0x86, 0x92]));
    println!("{:?}", std::str::from_utf8(&[0x61, 0xff, 0x62]));
    println!("{}", std::str::from_utf8(&[0x61, 0xe2, 0x86]).unwrap_err());
    println!("{:?}", String::from_utf8_lossy(&[0x61, 0xff, 0xe2, 0x86, 0x62]));
    println!("{:?}", String::from_utf8(vec![0xc0, 0x80]).map_err(|e| e.into_bytes()));
    let mut buf = [0; 4];
    println!("{:?}", '→'.encode_utf8(&mut buf));
    println!("{:?}", buf);
    println!("{} {}", "tschüß".to_uppercase(), "ΑΣ ΟΔΟΣ".to_lowercase());
    println!("{:?} {:?}", 'ß'.to_uppercase().collect::<String>(), 'İ'.to_lowercase().count());
    println!("{:?}", s.chars().rev().collect::<String>());
    println!("{:?} {:?}", "\u{7f}\u{0}\u{200b}é".escape_debug().to_string(), "é\n".escape_default().to_string());
    println!("{}", "tab\t\"q\" 'é".escape_unicode());
    println!("{:?} {:?} {:?}", '\'', '"', "\"'\\");
    println!("{}", "ñ" == "n\u{303}");
    println!("{:?}", "z" > "é");
    println!("{:?}", "a→b→c".split('→').collect::<Vec<_>>());
    println!("{:?} {:?}", "a→b".find('b'), "a→b".rfind(|c: char| !c.is_ascii()));
    println!("{:?}", "→x".split_at(3));
    println!("{:?}", "日本語".char_indices().rev().map(|(i, _)| i).collect::<Vec<_>>());
    let mut t = String::from("日本語");
    println!("{:?} {:?} {:?}", t.pop(), t.remove(0), t);
    t.insert(3, 'ü');
    t.insert_str(0, ">>");
    println!("{t}");
}
