"""The functions of SQLite 3.54.

From ``pragma_function_list`` and ``pragma_module_list`` of a full build, with those of the
extensions that its shell brings.
"""

from __future__ import annotations

NAMES = frozenset(
    """
    abs acos acosh asin asinh atan atan2 atanh avg bm25 carray cast ceil ceiling changes char
    coalesce completion concat concat_ws cos cosh count csv cume_dist current_date current_time
    current_timestamp date datetime dbstat decimal decimal_add decimal_mul decimal_sub degrees
    dense_rank edit editdist3 exists exp first_value floor format fsdir fts3 fts3_tokenizer
    fts3tokenize fts4 fts4aux fts5 fts5_get_locale fts5_insttoken fts5_locale fts5_source_id
    fts5vocab generate_series geopoly geopoly_area geopoly_bbox geopoly_blob geopoly_ccw
    geopoly_contains_point geopoly_debug geopoly_group_bbox geopoly_json geopoly_overlap
    geopoly_regular geopoly_svg geopoly_within geopoly_xform glob group_concat hex highlight
    ieee754 if ifnull iif instr json json_array json_array_insert json_array_length json_each
    json_error_position json_extract json_group_array json_group_object json_insert json_object
    json_patch json_pretty json_quote json_remove json_replace json_set json_tree json_type
    json_valid jsonb jsonb_array jsonb_array_insert jsonb_each jsonb_extract jsonb_group_array
    jsonb_group_object jsonb_insert jsonb_object jsonb_patch jsonb_remove jsonb_replace
    jsonb_set jsonb_tree julianday lag last_insert_rowid last_value lead length like likelihood
    likely ln load_extension log log10 log2 lower ltrim match matchinfo max median min mod
    nth_value ntile nullif octet_length offsets optimize percent_rank percentile percentile_cont
    percentile_disc pi pow power pragma_function_list pragma_module_list printf quote radians
    raise random randomblob rank readfile regexp replace round row_number rtree rtree_i32
    rtreecheck rtreedepth rtreenode rtrim sha1 sha3 sign sin sinh snippet soundex spellfix1
    sqlite_compileoption_get sqlite_compileoption_used sqlite_log sqlite_offset sqlite_source_id
    sqlite_version sqrt strftime string_agg substr substring subtype sum tan tanh time timediff
    total total_changes trim trunc typeof uint unhex unicode unistr unistr_quote unixepoch
    unlikely upper writefile zeroblob zipfile
    """.split()
)
