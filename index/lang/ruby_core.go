package lang

import "strings"

// rbCommon are names of methods that objects of the language's own library have. Of a value of
// unknown type such a name says nothing.
var rbCommon = words(`new class inspect to_s to_str to_sym to_i to_int to_f to_r to_c to_a to_ary to_h to_hash to_proc to_set to_enum hash object_id dup clone freeze frozen?
nil? is_a? kind_of? instance_of? respond_to? respond_to_missing? send public_send __send__ method methods public_method singleton_method instance_variable_get
instance_variable_set instance_variable_defined? instance_variables tap then yield_self display extend itself instance_eval instance_exec equal? eql?
== != === =~ !~ <=> < > <= >= + - * / % ** << >> & | ^ ~ ! [] []= +@ -@ call
puts print p pp printf sprintf format putc gets readline readlines raise fail catch throw loop exit exit! abort at_exit sleep rand require require_relative load
autoload lambda proc binding eval caller caller_locations block_given? system exec spawn fork warn open select Integer Float String Array Hash Rational Complex
attr attr_reader attr_writer attr_accessor include prepend include? included extended inherited prepended private public protected module_function private_class_method
public_class_method private_constant private_instance_methods define_method alias_method remove_method undef_method instance_method instance_methods const_get const_set
const_defined? const_missing constants class_eval module_eval class_exec class_variable_get class_variable_set method_defined? name ancestors superclass allocate
define_singleton_method singleton_class singleton_methods method_missing method_added instance_variable_names refine
each each_with_index each_with_object each_entry each_slice each_cons each_pair each_key each_value each_char each_byte each_line each_index reverse_each map map! collect
collect! flat_map collect_concat filter_map select! filter filter! reject reject! keep_if delete_if find find_all find_index detect inject reduce sum count min max
min_by max_by sort sort! sort_by sort_by! group_by partition chunk_while slice_when zip take take_while drop drop_while first last any? all? none? one?
member? entries lazy cycle tally uniq uniq! size length empty? push pop shift unshift append insert concat delete delete_at
compact compact! flatten flatten! reverse reverse! rotate rotate! shuffle shuffle! sample join index rindex fetch dig values_at slice slice! replace clear
assoc rassoc product combination permutation transpose bsearch pack key key? keys value value? values has_key? has_value? merge merge! update store invert
transform_values transform_values! transform_keys transform_keys! default default= default_proc compare_by_identity except
upcase downcase capitalize swapcase upcase! downcase! capitalize! strip lstrip rstrip strip! chomp chop chomp! chop! chars bytes lines bytesize split sub sub! gsub gsub!
tr tr_s squeeze squeeze! match match? scan start_with? end_with? delete_prefix delete_suffix center ljust rjust ord chr hex oct succ next encoding encode encode!
force_encoding valid_encoding? unicode_normalize unpack unpack1 intern crypt casecmp casecmp? rpartition ascii_only? dump undump
abs ceil floor round truncate divmod modulo remainder times upto downto step zero? positive? negative? odd? even? integer? finite? infinite? nan? gcd lcm digits clamp
between? coerce begin end exclude_end? cover? named_captures captures pre_match post_match
read write close closed? eof? flush sync sync= fileno seek pos tell getc readchar readpartial sysread syswrite tty? isatty binmode
exist? exists? file? directory? symlink? readable? writable? executable? basename dirname extname expand_path absolute_path realpath mtime atime ctime stat lstat ftype
unlink rename chmod chown mkdir rmdir glob children pwd chdir mkdir_p rm rm_f rm_r rm_rf cp cp_r mv ln ln_s
now year month day hour sec usec nsec wday yday zone utc localtime strftime iso8601 to_date to_time to_datetime strptime
message full_message backtrace backtrace_locations set_backtrace exitstatus pid
arity parameters curry source_location unbind bind lambda? ruby2_keywords
synchronize lock unlock try_lock locked? wait alive? kill
with_index with_object`)

// rbTop are names of methods that every object has.
var rbTop = strings.Fields(`new class inspect to_s hash object_id dup clone freeze frozen? nil? is_a? kind_of? instance_of? respond_to? respond_to_missing? send public_send
__send__ method methods tap then yield_self display extend itself instance_eval instance_exec equal? eql? == != === =~ !~ puts print p raise fail catch throw loop
require require_relative load lambda proc binding block_given? format sprintf`)

// rbLibrary says what members of collections yield.
var rbLibrary = map[string]Yield{
	"each": YieldSame, "each_with_index": YieldSame, "select": YieldSame, "filter": YieldSame, "reject": YieldSame, "find_all": YieldSame, "sort": YieldSame,
	"sort_by": YieldSame, "reverse": YieldSame, "uniq": YieldSame, "compact": YieldSame, "dup": YieldSame, "clone": YieldSame, "freeze": YieldSame, "tap": YieldSame,
	"to_a": YieldSame, "take": YieldSame, "drop": YieldSame, "take_while": YieldSame, "drop_while": YieldSame, "shuffle": YieldSame, "lazy": YieldSame,
	"each_value": YieldSame, "reverse_each": YieldSame, "push": YieldSame, "itself": YieldSame, "flatten": YieldSame, "concat": YieldSame,
	"first": YieldElem, "last": YieldElem, "find": YieldElem, "detect": YieldElem, "min_by": YieldElem, "max_by": YieldElem, "pop": YieldElem, "shift": YieldElem,
	"sample": YieldElem, "fetch": YieldElem, "delete_at": YieldElem, "min": YieldElem, "max": YieldElem, "at": YieldElem, "dig": YieldElem,
	"values": YieldList, "keys": YieldKeys, "map": YieldMapped, "collect": YieldMapped, "filter_map": YieldMapped, "flat_map": YieldFlat,
	"then": YieldResult, "yield_self": YieldResult, "synchronize": YieldResult,
}

// rbCallbacks says which parameters of a block are elements of the collection.
var rbCallbacks = map[string]uint8{
	"each": 1, "map": 1, "collect": 1, "select": 1, "filter": 1, "reject": 1, "find": 1, "detect": 1, "find_all": 1, "any?": 1, "all?": 1, "none?": 1, "one?": 1,
	"each_with_index": 1, "each_with_object": 1, "flat_map": 1, "filter_map": 1, "sort_by": 1, "min_by": 1, "max_by": 1, "group_by": 1, "partition": 1, "sum": 1,
	"count": 1, "reverse_each": 1, "take_while": 1, "drop_while": 1, "delete_if": 1, "select!": 1, "reject!": 1, "map!": 1, "sort": 3, "inject": 2, "reduce": 2,
	"each_value": 1, "each_pair": 2, "to_h": 1, "tap": 1, "uniq": 1, "each_entry": 1, "sort_by!": 1, "keep_if": 1,
}
