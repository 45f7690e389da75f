//! The methods of std's types. The lists are complete, so that methods of the source and of std cannot be confused; not every
//! method is evaluated.

use crate::eval::Reader;
use crate::eval::schemas::Pending;
use crate::eval::traits::derives::derives;
use crate::eval::values::kinds::Wrapper;
use crate::eval::values::value::Value;
use crd_channels_source::Derive;

const STR: &str = " as_bytes as_bytes_mut as_mut_ptr as_ptr as_str bytes ceil_char_boundary char_indices chars contains \
    encode_utf16 ends_with eq_ignore_ascii_case escape_debug escape_default escape_unicode find floor_char_boundary get \
    get_mut get_unchecked get_unchecked_mut into_boxed_bytes into_string is_ascii is_char_boundary is_empty len lines \
    make_ascii_lowercase make_ascii_uppercase match_indices matches parse repeat replace replacen rfind rmatch_indices \
    rmatches rsplit rsplit_once rsplit_terminator rsplitn split split_ascii_whitespace split_at split_at_checked \
    split_at_mut split_inclusive split_once split_terminator split_whitespace splitn starts_with strip_prefix \
    strip_suffix to_ascii_lowercase to_ascii_uppercase to_lowercase to_uppercase trim trim_ascii trim_ascii_end \
    trim_ascii_start trim_end trim_end_matches trim_left trim_left_matches trim_matches trim_right trim_right_matches \
    trim_start trim_start_matches ";
const STRING: &str = " as_mut_str as_mut_vec as_str capacity clear drain extend_from_within insert insert_str \
    into_boxed_str into_bytes into_chars leak pop push push_str remove remove_matches replace_range reserve \
    reserve_exact retain shrink_to shrink_to_fit split_off truncate try_reserve extend write_str write_char write_fmt ";
const INT: &str = " abs abs_diff abs_sub borrowing_sub cast_signed cast_unsigned checked_abs checked_add \
    checked_add_signed checked_add_unsigned checked_div checked_div_euclid checked_ilog checked_ilog10 checked_ilog2 \
    checked_isqrt checked_mul checked_neg checked_next_multiple_of checked_next_power_of_two checked_pow checked_rem \
    checked_rem_euclid checked_shl checked_shr checked_sub checked_sub_signed checked_sub_unsigned count_ones \
    count_zeros div_ceil div_euclid div_floor from_be from_le ilog ilog10 ilog2 is_multiple_of is_negative is_positive \
    is_power_of_two isqrt leading_ones leading_zeros midpoint next_multiple_of next_power_of_two overflowing_abs \
    overflowing_add overflowing_add_signed overflowing_div overflowing_mul overflowing_neg overflowing_pow \
    overflowing_rem overflowing_shl overflowing_shr overflowing_sub pow rem_euclid reverse_bits rotate_left \
    rotate_right saturating_abs saturating_add saturating_add_signed saturating_add_unsigned saturating_div \
    saturating_mul saturating_neg saturating_pow saturating_sub saturating_sub_unsigned signum strict_add strict_sub \
    strict_mul swap_bytes to_be to_be_bytes to_le to_le_bytes to_ne_bytes trailing_ones trailing_zeros \
    unbounded_shl unbounded_shr unchecked_add unchecked_mul unchecked_sub unsigned_abs wrapping_abs wrapping_add \
    wrapping_add_signed wrapping_add_unsigned wrapping_div wrapping_div_euclid wrapping_mul wrapping_neg \
    wrapping_next_power_of_two wrapping_pow wrapping_rem wrapping_rem_euclid wrapping_shl wrapping_shr wrapping_sub \
    wrapping_sub_unsigned carrying_add is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control \
    is_ascii_digit is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase \
    is_ascii_whitespace to_ascii_lowercase to_ascii_uppercase eq_ignore_ascii_case escape_ascii \
    make_ascii_lowercase make_ascii_uppercase ";
const FLOAT: &str = " abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp copysign cos cosh div_euclid \
    exp exp2 exp_m1 floor fract hypot is_finite is_infinite is_nan is_normal is_sign_negative is_sign_positive \
    is_subnormal ln ln_1p log log10 log2 max maximum midpoint min minimum mul_add next_down next_up powf powi recip \
    rem_euclid round round_ties_even signum sin sin_cos sinh sqrt tan tanh to_be_bytes to_bits to_degrees to_int_unchecked \
    to_le_bytes to_ne_bytes to_radians total_cmp trunc classify ";
const BOOL: &str = " then then_some ";
const CHAR: &str = " encode_utf16 encode_utf8 eq_ignore_ascii_case escape_debug escape_default escape_unicode \
    is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit \
    is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace \
    is_control is_digit is_lowercase is_numeric is_uppercase is_whitespace len_utf16 len_utf8 make_ascii_lowercase \
    make_ascii_uppercase to_ascii_lowercase to_ascii_uppercase to_digit to_lowercase to_uppercase ";
const SLICE: &str = " align_to array_chunks array_windows as_array as_chunks as_mut_ptr as_mut_ptr_range as_ptr \
    as_ptr_range binary_search binary_search_by binary_search_by_key chunk_by chunk_by_mut chunks chunks_exact \
    chunks_exact_mut chunks_mut clone_from_slice concat connect contains copy_from_slice copy_within ends_with \
    eq_ignore_ascii_case escape_ascii fill fill_with first first_chunk first_chunk_mut first_mut get get_disjoint_mut \
    get_mut get_unchecked get_unchecked_mut into_vec is_ascii is_empty is_sorted is_sorted_by is_sorted_by_key iter \
    iter_mut join last last_chunk last_mut len make_ascii_lowercase make_ascii_uppercase partition_point rchunks \
    rchunks_exact repeat reverse rotate_left rotate_right rsplit rsplit_mut rsplitn select_nth_unstable \
    select_nth_unstable_by select_nth_unstable_by_key sort sort_by sort_by_cached_key sort_by_key sort_unstable \
    sort_unstable_by sort_unstable_by_key split split_at split_at_checked split_at_mut split_first split_first_chunk \
    split_first_mut split_inclusive split_last split_last_chunk split_last_mut splitn starts_with strip_prefix \
    strip_suffix swap swap_with_slice to_ascii_lowercase to_ascii_uppercase to_vec trim_ascii utf8_chunks windows \
    into_iter ";
const VEC: &str = " allocator append as_mut_slice as_slice capacity clear dedup dedup_by dedup_by_key drain extend \
    extend_from_slice extend_from_within extract_if insert into_boxed_slice leak pop pop_if push reserve reserve_exact \
    remove resize resize_with retain retain_mut set_len shrink_to shrink_to_fit spare_capacity_mut splice split_off \
    swap_remove truncate try_reserve ";
const ARRAY: &str = " as_mut_slice as_slice each_mut each_ref map ";
const DEQUE: &str = " append as_mut_slices as_slices back back_mut binary_search capacity clear contains drain extend \
    front front_mut get get_mut insert into_iter is_empty iter iter_mut len make_contiguous pop_back pop_front \
    push_back push_front range remove reserve resize retain retain_mut rotate_left rotate_right split_off swap \
    swap_remove_back swap_remove_front truncate shrink_to_fit partition_point ";
const HEAP: &str = " append as_slice capacity clear drain extend into_iter into_sorted_vec into_vec is_empty iter len \
    peek peek_mut pop push reserve retain shrink_to_fit ";
const SET: &str = " append capacity clear contains difference drain extend extract_if first get get_or_insert_with \
    hasher insert intersection into_iter is_disjoint is_empty is_subset is_superset iter last len pop_first pop_last \
    range remove replace reserve retain shift_remove shrink_to_fit split_off swap_remove symmetric_difference take \
    union sort get_index get_index_of insert_full ";
const MAP: &str = " append capacity clear contains_key drain entry extend extract_if first_entry first_key_value get \
    get_key_value get_mut get_or_insert_with hasher insert into_iter into_keys into_values is_empty iter iter_mut keys \
    last_entry last_key_value len pop_first pop_last range range_mut remove remove_entry reserve retain shift_remove \
    shrink_to_fit split_off swap_remove try_insert values values_mut sort_keys get_index first last ";
const OPTION: &str = " and and_then as_deref as_deref_mut as_mut as_ref as_slice cloned copied expect filter flatten \
    get_or_insert get_or_insert_default get_or_insert_with insert inspect into_iter is_none is_none_or is_some \
    is_some_and iter iter_mut map map_or map_or_default map_or_else ok_or ok_or_else or or_else replace take take_if \
    transpose unwrap unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked unzip xor zip context with_context \
    as_pin_ref reduce ";
const RESULT: &str = " and and_then as_deref as_deref_mut as_mut as_ref cloned copied err expect expect_err flatten \
    inspect inspect_err into_err into_iter into_ok is_err is_err_and is_ok is_ok_and iter iter_mut map map_err map_or \
    map_or_default map_or_else ok or or_else transpose unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else \
    unwrap_unchecked context with_context ";
const ITERATOR: &str = " advance_by all any array_chunks as_str as_slice by_ref chain cloned cmp collect collect_into \
    copied count cycle enumerate eq filter filter_map find find_map flat_map flatten fold for_each fuse ge gt inspect \
    intersperse into_iter is_empty is_partitioned is_sorted is_sorted_by is_sorted_by_key last le len lt map \
    map_while map_windows max max_by max_by_key min min_by min_by_key ne next next_back next_chunk next_if next_if_eq \
    nth nth_back partial_cmp partition peek peek_mut peekable position product reduce rev rfind rfold rposition scan \
    size_hint skip skip_while step_by sum take take_while try_fold try_for_each try_rfold unzip zip remainder ";
const RANGE: &str = " contains is_empty start end into_inner ";
const DURATION: &str = " abs_diff as_micros as_millis as_nanos as_secs as_secs_f32 as_secs_f64 as_millis_f64 checked_add \
    checked_div checked_mul checked_sub div_duration_f64 div_f32 div_f64 is_zero mul_f32 mul_f64 saturating_add \
    saturating_mul saturating_sub subsec_micros subsec_millis subsec_nanos ";
const ADDRESS: &str = " is_ipv4 is_ipv6 is_loopback is_multicast is_unspecified is_private is_link_local is_broadcast \
    is_documentation is_global octets segments to_canonical to_bits to_ipv4 to_ipv4_mapped to_ipv6_compatible \
    to_ipv6_mapped ip port set_ip set_port as_octets ";
const JSON: &str = " as_array as_array_mut as_bool as_f64 as_i64 as_null as_number as_object as_object_mut as_str as_u64 \
    as_i128 as_u128 get get_mut is_array is_boolean is_f64 is_i64 is_null is_number is_object is_string is_u64 pointer \
    pointer_mut sort_all_objects take ";
const SCHEMA: &str = " as_bool as_object as_object_mut as_value ensure_object get get_mut insert into_object is_ref pointer \
    pointer_mut remove to_value try_to_object ";
const SCHEMA_OBJECT: &str = " metadata subschemas number string array object has_type is_ref ";
const RULE: &str = " message reason field_path optional_old_self ";
const GENERATOR: &str = " contract definitions definitions_mut into_root_schema_for into_root_schema_for_value \
    root_schema_for root_schema_for_value settings subschema_for take_definitions transforms_mut visitors_mut ";
const SETTINGS: &str =
    " for_deserialize for_serialize into_generator with with_transform with_visitor ";
const WRAPPED: &str = " get set replace take into_inner borrow borrow_mut lock read write get_mut as_mut as_ref is_owned \
    is_borrowed into_owned to_mut get_or_init get_or_try_init update swap try_borrow try_borrow_mut try_lock ";
const ENTRY: &str = " and_modify insert_entry key or_default or_insert or_insert_with or_insert_with_key or_try_insert_with ";
const ORDERING: &str = " is_eq is_ge is_gt is_le is_lt is_ne reverse then then_with ";
const FORMATTER: &str = " align alternate debug_list debug_map debug_set debug_struct debug_tuple fill pad pad_integral \
    precision sign_aware_zero_pad sign_minus sign_plus width write_fmt write_str write_char options ";
const SERIALIZER: &str = " collect_map collect_seq collect_str is_human_readable serialize_bool serialize_bytes \
    serialize_char serialize_f32 serialize_f64 serialize_i128 serialize_i16 serialize_i32 serialize_i64 serialize_i8 \
    serialize_map serialize_newtype_struct serialize_newtype_variant serialize_none serialize_seq serialize_some \
    serialize_str serialize_struct serialize_struct_variant serialize_tuple serialize_tuple_struct \
    serialize_tuple_variant serialize_u128 serialize_u16 serialize_u32 serialize_u64 serialize_u8 serialize_unit \
    serialize_unit_struct serialize_unit_variant ";
const COMPOUND: &str = " end serialize_element serialize_entry serialize_field serialize_key serialize_value skip_field ";

/// Returns true if a list contains a name.
fn listed(names: &str, name: &str) -> bool {
    // Most lists lack the substring, which is cheaper to check.
    names.contains(name) && names.split_ascii_whitespace().any(|known| known == name)
}

/// Returns true if a value's own type has a method of that name.
pub(super) fn is_own(value: &Value, name: &str) -> bool {
    use crate::eval::values::kinds::SeqKind;
    let any = |lists: &[&str]| lists.iter().any(|names| listed(names, name));
    match value {
        Value::Str(_) => any(&[STR]),
        Value::String(_) => any(&[STR, STRING]),
        Value::Int(_) => any(&[INT]),
        Value::Float(_) => any(&[FLOAT]),
        Value::Bool(_) => any(&[BOOL]),
        Value::Char(_) => any(&[CHAR]),
        Value::Seq(seq) => match seq.kind {
            SeqKind::Vec => any(&[SLICE, VEC]),
            SeqKind::Array => any(&[SLICE, ARRAY]),
            SeqKind::Slice => any(&[SLICE]),
            SeqKind::Deque | SeqKind::Linked => any(&[DEQUE]),
            SeqKind::Heap => any(&[HEAP]),
            SeqKind::Sorted | SeqKind::Hashed | SeqKind::Indexed => any(&[SET]),
        },
        Value::Map(_) => any(&[MAP]),
        Value::Option(_) => any(&[OPTION]),
        Value::Result(_) => any(&[RESULT]),
        Value::Iter(_) => any(&[ITERATOR]),
        Value::Range(..) => any(&[ITERATOR, RANGE]),
        Value::Duration(_) => any(&[DURATION]),
        Value::Ip(..) | Value::Socket(_) => any(&[ADDRESS]),
        Value::Json(_) => any(&[JSON]),
        Value::Schema(_) => any(&[SCHEMA]),
        Value::Record(record) if record.name() == "Rule" => any(&[RULE]),
        Value::Record(record) if record.name() == "SchemaSettings" => any(&[SETTINGS]),
        Value::Record(_) => any(&[SCHEMA_OBJECT]),
        Value::Pending(pending) => match &**pending {
            Pending::Generator => any(&[GENERATOR]),
            Pending::Schema(_) => any(&[MAP, SCHEMA_OBJECT]),
            Pending::Keyword(..) => any(&[JSON, SLICE, VEC]),
            Pending::Item(_) => any(&[JSON]),
            Pending::Items(..) => any(&[ITERATOR]),
            Pending::Perhaps(_) => any(&[OPTION]),
            Pending::Index(..) | Pending::Test(_) => false,
        },
        Value::Named(path, _) => path.starts_with("serde_json") && any(&[JSON]),
        Value::Wrapped(wrapper, _) => match wrapper {
            Wrapper::Box | Wrapper::Rc | Wrapper::Arc => matches!(name, "as_mut" | "as_ref"),
            Wrapper::Cow => matches!(name, "into_owned" | "to_mut" | "is_owned" | "is_borrowed"),
            Wrapper::Reverse | Wrapper::Lazy => false,
            Wrapper::NonZero => matches!(name, "get") || any(&[INT]),
            Wrapper::Wrapping => any(&[INT]),
            _ => any(&[WRAPPED]),
        },
        Value::Ordering(_) => any(&[ORDERING]),
        Value::Entry(..) => any(&[ENTRY]),
        Value::Formatter(..) => any(&[FORMATTER]),
        Value::Serializer => any(&[SERIALIZER]),
        Value::Compound(_) => any(&[COMPOUND]),
        // Methods that `Iterator` provides to types of the source.
        Value::Adt(_) => false,
        _ => false,
    }
}

/// Returns true if a value has a method of that name: its type's own, or one of a std trait.
pub(crate) fn has_method(reader: &Reader<'_>, value: &Value, name: &str) -> bool {
    if is_own(value, name) {
        return true;
    }
    let derived = |of: Derive| match value {
        Value::Adt(adt) => derives(reader, &adt.of, of),
        _ => true,
    };
    // A lazy value has almost no methods of its own: calls go to its content.
    if matches!(value, Value::Wrapped(Wrapper::Lazy, _)) {
        return matches!(name, "fmt" | "type_id");
    }
    match name {
        "clone" => derived(Derive::Clone),
        "to_owned" => derived(Derive::Clone),
        "eq" | "ne" => derived(Derive::PartialEq),
        "partial_cmp" | "lt" | "le" | "gt" | "ge" => derived(Derive::PartialOrd),
        "cmp" => derived(Derive::Ord),
        "max" | "min" | "clamp" => true,
        "into" | "try_into" | "to_string" | "serialize" => true,
        "fmt" => derived(Derive::Debug),
        "borrow" | "as_ref" | "borrow_mut" | "as_mut" => !matches!(value, Value::Adt(_)),
        "hash" | "type_id" => true,
        name => matches!(value, Value::Adt(_)) && listed(ITERATOR, name),
    }
}
