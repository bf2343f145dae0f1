package lang

import "strings"

// phpFunctions says what functions of PHP's library yield.
var phpFunctions = yields(map[Yield]string{
	YieldElem:   "reset end current next prev array_pop array_shift array_find max min",
	YieldSame:   "array_filter array_reverse array_slice array_splice array_values array_unique array_diff array_diff_key array_diff_assoc array_udiff array_diff_ukey array_intersect array_intersect_key array_intersect_assoc array_uintersect array_change_key_case array_pad iterator_to_array",
	YieldJoined: "array_merge array_replace array_merge_recursive",
	YieldKeys:   "array_keys array_flip",
	YieldKey:    "key array_key_first array_key_last array_search",
	YieldMapped: "array_map",
	YieldResult: "call_user_func call_user_func_array array_reduce",
})

// yields is a table by name of one by what calls yield.
func yields(by map[Yield]string) map[string]Yield {
	out := map[string]Yield{}
	for y, names := range by {
		for _, n := range strings.Fields(names) {
			out[n] = y
		}
	}
	return out
}

// phpPasses says what functions of PHP's library hand to the functions that they are called with.
var phpPasses = map[string][]uint8{
	"array_map": {2 | PassElem, 3 | PassElem, 4 | PassElem}, "array_filter": {1 | PassElem}, "array_walk": {1 | PassElem}, "array_reduce": {3, 1 | PassElem},
	"usort": {1 | PassElem, 1 | PassElem}, "uasort": {1 | PassElem, 1 | PassElem}, "call_user_func": {2, 3, 4, 5},
	"array_find": {1 | PassElem}, "array_find_key": {1 | PassElem}, "array_any": {1 | PassElem}, "array_all": {1 | PassElem},
	"array_udiff": {1 | PassElem, 2 | PassElem}, "array_uintersect": {1 | PassElem, 2 | PassElem},
}
