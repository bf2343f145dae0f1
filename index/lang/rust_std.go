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
		format_args compile_error thread_local macro_rules try`) {
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
	m["fold"] = 2
	return m
}()
