package lang

import "strings"

// rustBuiltins are the names that every Rust module sees.
var rustBuiltins = func() map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(`Option Some None Result Ok Err Vec String Box ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce
		AsRef AsMut Into From Default Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator Eq PartialEq Ord PartialOrd TryFrom TryInto
		FromIterator Unpin Debug Hash drop
		u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str
		std core alloc proc_macro test
		println print eprintln eprint format write writeln vec assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne panic todo
		unimplemented unreachable matches include_str include_bytes include env option_env concat stringify line column file module_path cfg dbg
		format_args compile_error thread_local macro_rules`) {
		m[w] = ""
	}
	return m
}()

// rustLibrary is what well-known methods of the standard library yield.
var rustLibrary = func() map[string]Yield {
	m := map[string]Yield{}
	add := func(y Yield, names string) {
		for _, w := range strings.Fields(names) {
			m[w] = y
		}
	}
	add(YieldSame, `iter_mut by_ref rev skip take take_while skip_while filter cloned copied peekable step_by chain cycle inspect fuse
		as_ref as_mut as_deref as_deref_mut ok clone to_vec to_owned into_boxed_slice collect sorted drain split_off as_slice as_mut_slice
		into_vec chunks windows or or_else map_err ok_or ok_or_else entry lock read write try_lock upgrade splice replace
		default from from_iter`)
	add(YieldEach, `iter into_iter`)
	add(YieldList, `first last get get_mut next next_back peek peek_mut pop pop_front pop_back front back nth min max min_by max_by
		min_by_key max_by_key find insert last_mut first_mut front_mut back_mut reduce values values_mut into_values next_if swap_remove_entry`)
	add(YieldFirst, `unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked into_inner get_or_insert_with borrow borrow_mut`)
	add(YieldElem, `or_insert or_insert_with or_default swap_remove get_unchecked get_unchecked_mut remove unwrap_err`)
	add(YieldKeys, `keys into_keys`)
	add(YieldCounted, `enumerate`)
	add(YieldZipped, `zip`)
	add(YieldMapped, `map filter_map map_while scan then`)
	add(YieldFlat, `flat_map and_then`)
	add(YieldResult, `fold map_or map_or_else`)
	return m
}()

// rustCallbacks are the methods of the standard library that pass elements to a function.
var rustCallbacks = func() map[string]uint8 {
	m := map[string]uint8{}
	for _, w := range strings.Fields(`map filter filter_map for_each any all find find_map position take_while skip_while map_while flat_map and_then
		inspect is_some_and is_ok_and map_or partition max_by_key min_by_key sort_by_key retain dedup_by_key rposition`) {
		m[w] = 1 | CallbackFirst
	}
	for _, w := range strings.Fields("map_err or_else unwrap_or_else") {
		m[w] = 1
	}
	for _, w := range strings.Fields("sort_by sort_unstable_by max_by min_by reduce dedup_by") {
		m[w] = 3
	}
	for _, w := range strings.Fields("with try_with") { // of what a thread keeps for itself
		m[w] = CallbackSelf
	}
	m["fold"] = 2
	return m
}()

// rustInherent reports whether a well-known type of the standard library has a method of that name itself.
func rustInherent(typ, member string) bool {
	switch typ {
	case "str", "String":
		return rustStrings[member]
	case "{integer}", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64":
		return rustNumbers[member]
	case "Vec", "[]":
		return rustVectors[member]
	case "Option", "Result":
		return rustOptions[member]
	}
	return false
}

// rustSeenAs is what types of the standard library stand for.
var rustSeenAs = map[string]string{"String": "str", "Vec": "", "PathBuf": "Path", "OsString": "OsStr", "CString": "CStr"}

func rustWords(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var (
	rustStrings = rustWords(`len is_empty as_str as_bytes as_ptr chars char_indices bytes lines split splitn rsplit rsplitn split_at split_once
		rsplit_once split_whitespace split_terminator trim trim_start trim_end trim_matches trim_start_matches trim_end_matches strip_prefix
		strip_suffix starts_with ends_with contains find rfind matches match_indices replace replacen to_lowercase to_uppercase
		to_ascii_lowercase to_ascii_uppercase eq_ignore_ascii_case make_ascii_lowercase make_ascii_uppercase parse repeat get get_mut
		get_unchecked is_char_boundary into_string into_boxed_str into_bytes push push_str pop clear truncate insert insert_str remove retain
		reserve capacity drain with_capacity from_utf8 from_utf8_lossy from_utf8_unchecked escape_debug escape_default encode_utf16`)
	rustNumbers = rustWords(`abs pow powi powf sqrt floor ceil round trunc fract signum min max clamp to_bits from_bits to_le_bytes to_be_bytes
		to_ne_bytes from_le_bytes from_be_bytes from_ne_bytes leading_zeros trailing_zeros count_ones count_zeros rotate_left rotate_right
		swap_bytes to_be to_le from_be from_le checked_add checked_sub checked_mul checked_div checked_rem checked_neg checked_shl checked_shr
		checked_pow wrapping_add wrapping_sub wrapping_mul wrapping_div wrapping_neg wrapping_shl wrapping_shr saturating_add saturating_sub
		saturating_mul overflowing_add overflowing_sub overflowing_mul is_nan is_infinite is_finite is_sign_negative is_sign_positive
		is_power_of_two next_power_of_two rem_euclid div_euclid abs_diff is_negative is_positive is_ascii is_ascii_digit is_ascii_alphabetic
		is_ascii_alphanumeric is_ascii_whitespace is_ascii_uppercase is_ascii_lowercase is_ascii_hexdigit is_ascii_punctuation
		is_ascii_control is_ascii_graphic to_ascii_lowercase to_ascii_uppercase eq_ignore_ascii_case reverse_bits mul_add ln log log2 log10
		exp sin cos tan from_str_radix`)
	rustVectors = rustWords(`len is_empty push pop insert remove swap_remove truncate clear resize resize_with extend_from_slice append drain
		retain dedup reserve capacity with_capacity new first last get get_mut iter iter_mut as_slice as_mut_slice as_ptr as_mut_ptr split_at
		split_first split_last split_off contains starts_with ends_with binary_search binary_search_by binary_search_by_key sort sort_by
		sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key reverse swap chunks chunks_exact windows concat join to_vec fill
		to_ascii_lowercase to_ascii_uppercase make_ascii_lowercase make_ascii_uppercase is_ascii eq_ignore_ascii_case escape_ascii repeat
		copy_from_slice clone_from_slice into_boxed_slice set_len shrink_to_fit splice rotate_left rotate_right`)
	rustOptions = rustWords(`is_some is_none is_ok is_err unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_err expect_err map
		map_or map_or_else map_err and and_then or or_else ok err ok_or ok_or_else filter flatten take replace insert get_or_insert
		get_or_insert_with as_ref as_mut as_deref as_deref_mut cloned copied iter iter_mut zip unzip xor transpose`)
)
