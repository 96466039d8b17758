"""The functions of PostgreSQL 15 with its contrib modules.

From ``pg_proc``, without those that only operators and types use, with those of versions 16 to
18, of the grammar, and of pgvector, PostGIS and TimescaleDB. Names that start with ``pg_`` are
left to a rule.
"""

from __future__ import annotations

NAMES = frozenset(
    """
    abbrev abs aclcontains acldefault aclexplode aclinsert aclitemin aclremove acos acosd acosh
    addgeometrycolumn age akeys all amvalidate any any_value anytextcat approximate_row_count
    area armor array array_agg array_append array_cat array_dims array_fill array_length
    array_lower array_ndims array_position array_positions array_prepend array_remove
    array_replace array_reverse array_sample array_shuffle array_sort array_to_json
    array_to_string array_to_tsvector array_upper arraycontained arraycontains arrayoverlap ascii
    asin asind asinh atan atan2 atan2d atand atanh autoprewarm_dump_now autoprewarm_start_worker
    avals avg binary_upgrade_create_empty_extension binary_upgrade_set_missing_value
    binary_upgrade_set_next_array_pg_type_oid binary_upgrade_set_next_heap_pg_class_oid
    binary_upgrade_set_next_heap_relfilenode binary_upgrade_set_next_index_pg_class_oid
    binary_upgrade_set_next_index_relfilenode
    binary_upgrade_set_next_multirange_array_pg_type_oid
    binary_upgrade_set_next_multirange_pg_type_oid binary_upgrade_set_next_pg_authid_oid
    binary_upgrade_set_next_pg_enum_oid binary_upgrade_set_next_pg_tablespace_oid
    binary_upgrade_set_next_pg_type_oid binary_upgrade_set_next_toast_pg_class_oid
    binary_upgrade_set_next_toast_relfilenode binary_upgrade_set_record_init_privs bit bit_and
    bit_count bit_length bit_or bit_xor bool bool_and bool_or booland_statefunc boolin boolop
    boolor_statefunc boolsend bound_box box box2d box3d bpchar broadcast btrim byteacat byteain
    bytealike byteanlike byteasend cardinality casefold cast cbrt ceil ceiling center char_length
    character_length charin charsend chr cidin cidr cidsend circle citext citext_hash
    citext_hash_extended citextin citextsend clock_timestamp coalesce col_description collation
    concat concat_ws connectby convert convert_from convert_to corr cos cosd cosh cosine_distance
    cot cotd count covar_pop covar_samp crc32 crc32c create_hypertable crosstab crosstab2
    crosstab3 crosstab4 crypt cube cume_dist current_database current_query current_schema
    current_schemas current_setting current_time current_timestamp current_user currtid2 currval
    cursor_to_xml cursor_to_xmlschema database_to_xml database_to_xml_and_xmlschema
    database_to_xmlschema date date_add date_bin date_dist date_mi date_mii date_part date_pli
    date_subtract date_trunc datemultirange daterange daterange_canonical daterange_subdiff
    datetime_pl datetimetz_pl dblink dblink_exec dcbrt dearmor decode decrypt decrypt_iv defined
    degrees delete dense_rank dexp diagonal diameter difference digest distance_chebyshev
    distance_taxicab div dlog1 dlog10 dmetaphone dmetaphone_alt dpow dround dsqrt dtrunc each
    earth earth_box earth_distance encode encrypt encrypt_iv enum_first enum_last enum_range erf
    erfc every exist exists exists_all exists_any exp extract factorial family fetchval
    file_fdw_validator first first_value float4 float8 floor flt4_mul_cash flt8_mul_cash
    fmgr_c_validator fmgr_internal_validator fmgr_sql_validator format format_type
    fsm_page_contents gamma gc_to_sec gcd gen_random_bytes gen_random_uuid gen_salt
    generate_series generate_subscripts geo_distance geography geometry get_bit get_byte
    get_current_ts_config get_raw_page getdatabaseencoding getpgusername greatest grouping
    gtsvectorin has_any_column_privilege has_column_privilege has_database_privilege
    has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege
    has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege
    has_table_privilege has_tablespace_privilege has_type_privilege hash_aclitem
    hash_aclitem_extended hash_array hash_array_extended hash_bitmap_info hash_metapage_info
    hash_multirange hash_multirange_extended hash_numeric hash_numeric_extended hash_page_items
    hash_page_stats hash_page_type hash_range hash_range_extended hash_record
    hash_record_extended hashbpchar hashbpcharextended hashchar hashcharextended hashean13
    hashenum hashenumextended hashfloat4 hashfloat4extended hashfloat8 hashfloat8extended
    hashinet hashinetextended hashint2 hashint2extended hashint4 hashint4extended hashint8
    hashint8extended hashisbn hashisbn13 hashismn hashismn13 hashissn hashissn13 hashmacaddr
    hashmacaddr8 hashmacaddr8extended hashmacaddrextended hashname hashnameextended hashoid
    hashoidextended hashoidvector hashoidvectorextended hashtext hashtextextended hashtid
    hashtidextended hashupc heap_force_freeze heap_force_kill heap_page_item_attrs
    heap_page_items heap_tuple_infomask_flags height histogram hmac host hostmask hstore
    hstore_hash hstore_hash_extended hstore_to_array hstore_to_json hstore_to_json_loose
    hstore_to_jsonb hstore_to_jsonb_loose hstore_to_matrix hstore_version_diag hypertable_size
    icount idx in_range index inet_client_addr inet_client_port inet_merge inet_same_family
    inet_server_addr inet_server_port initcap inner_product int2 int24div int24mi int24mul
    int24pl int28div int28mi int28mul int28pl int2_avg_accum_inv int2_dist int2_mul_cash int2_sum
    int4 int42div int42mi int42mul int42pl int48div int48mi int48mul int48pl int4_avg_accum_inv
    int4_dist int4_mul_cash int4_sum int4multirange int4range int8 int82div int82mi int82mul
    int82pl int84div int84mi int84mul int84pl int8_avg int8_dist int8_mul_cash int8_sum
    int8multirange int8range int_array_aggregate int_array_enum intarray_del_elem
    intarray_push_array intarray_push_elem integer_pl_date interpolate interval interval_hash
    intset intset_subtract intset_union_elem is_normalized is_valid isbn isbn13 isclosed
    isdefined isempty isexists isfinite ishorizontal ismn ismn13 isn_weak isopen isparallel
    isperp issn issn13 isvertical json_agg json_array json_array_element json_array_element_text
    json_array_elements json_array_elements_text json_array_length json_arrayagg json_build_array
    json_build_object json_each json_each_text json_exists json_extract_path
    json_extract_path_text json_object json_object_agg json_object_field json_object_field_text
    json_object_keys json_objectagg json_populate_record json_populate_recordset json_query
    json_scalar json_serialize json_strip_nulls json_table json_to_record json_to_recordset
    json_to_tsvector json_typeof json_value jsonb_agg jsonb_array_element
    jsonb_array_element_text jsonb_array_elements jsonb_array_elements_text jsonb_array_length
    jsonb_build_array jsonb_build_object jsonb_concat jsonb_contained jsonb_contains jsonb_delete
    jsonb_delete_path jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any
    jsonb_extract_path jsonb_extract_path_text jsonb_hash jsonb_hash_extended jsonb_insert
    jsonb_object jsonb_object_agg jsonb_object_field jsonb_object_field_text jsonb_object_keys
    jsonb_path_exists jsonb_path_exists_opr jsonb_path_exists_tz jsonb_path_match
    jsonb_path_match_opr jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
    jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz
    jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_pretty jsonb_set
    jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_to_tsvector
    jsonb_typeof justify_days justify_hours justify_interval l1_distance l2_distance l2_normalize
    lag last last_value lastval latitude lca lcm lead least left length levenshtein
    levenshtein_less_equal lgamma like like_escape line ll_to_earth ln lo_close lo_creat
    lo_create lo_export lo_from_bytea lo_get lo_import lo_lseek lo_open lo_put lo_tell
    lo_truncate lo_unlink localtime localtimestamp locf log log10 longitude loread lower
    lower_inc lower_inf lowrite lpad lseg ltree2text ltrim macaddr macaddr8 macaddr8_set7bit
    make_date make_interval make_time make_timestamp make_timestamptz make_valid makeaclitem
    masklen max md5 merge_action metaphone min min_scale mod mode money mul_d_interval multirange
    mxid_age name netmask network nextval nlevel normal_rand normalize notlike now npoints
    nth_value ntile nullif num_nonnulls num_nulls numeric nummultirange numnode numrange
    numrange_subdiff obj_description octet_length overlaps overlay page_checksum page_header
    parse_ident path pclose percent_rank percentile_cont percentile_disc pgp_armor_headers
    pgp_key_id pgp_pub_decrypt pgp_pub_decrypt_bytea pgp_pub_encrypt pgp_pub_encrypt_bytea
    pgp_sym_decrypt pgp_sym_decrypt_bytea pgp_sym_encrypt pgp_sym_encrypt_bytea pgrowlocks
    pgstatginindex pgstathashindex pgstatindex pgstattuple pgstattuple_approx phraseto_tsquery pi
    plainto_tsquery plpgsql_validator point polygon popen populate_record position
    postgis_full_version postgis_version postgres_fdw_disconnect postgres_fdw_disconnect_all
    postgres_fdw_get_connections postgres_fdw_validator postgresql_fdw_validator pow power
    pt_contained_poly query_to_xml query_to_xml_and_xmlschema query_to_xmlschema querytree
    quote_ident quote_literal quote_nullable radians radius random random_normal range_agg
    range_intersect_agg range_merge rank rboolop regcollationsend regconfigsend regdictionarysend
    regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
    regexp_split_to_array regexp_split_to_table regexp_substr regnamespacesend regoperatorsend
    regopersend regproceduresend regprocsend regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy regrolesend regtypesend repeat replace reverse
    right rollup round row row_number row_security_active row_to_json rows rpad rtrim
    satisfies_hash_partition scale schema_to_xml schema_to_xml_and_xmlschema schema_to_xmlschema
    sec_to_gc session_user set_bit set_byte set_config set_limit set_masklen sets setseed setval
    setweight sha224 sha256 sha384 sha512 shobj_description show_limit show_trgm sign
    similar_escape similar_to_escape similarity similarity_dist similarity_op sin sind sinh skeys
    slice slice_array slope some sort sort_asc sort_desc soundex split_part sqrt ssl_cipher
    ssl_client_cert_present ssl_client_dn ssl_client_dn_field ssl_client_serial
    ssl_extension_info ssl_is_used ssl_issuer_dn ssl_issuer_field ssl_version starts_with
    statement_timestamp stddev stddev_pop stddev_samp strict_word_similarity
    strict_word_similarity_commutator_op strict_word_similarity_dist_commutator_op
    strict_word_similarity_dist_op strict_word_similarity_op string_agg string_to_array
    string_to_table strip strpos subarray subltree subpath substr substring sum svals
    table_to_xml table_to_xml_and_xmlschema table_to_xmlschema tan tand tanh tconvert text
    text2ltree textanycat textcat texteqname textgename textgtname texticlike texticnlike textin
    textlen textlename textlike textltname textnename textnlike textsend tidin tidsend
    time_bucket time_bucket_gapfill time_dist time_hash timedate_pl timeofday timestamp
    timestamptz timetz timetz_hash timetzdate_pl timezone to_ascii to_bin to_char to_date to_hex
    to_json to_jsonb to_number to_oct to_regclass to_regcollation to_regnamespace to_regoper
    to_regoperator to_regproc to_regprocedure to_regrole to_regtype to_timestamp to_tsquery
    to_tsvector transaction_timestamp translate treat trim trim_array trim_scale trunc ts_debug
    ts_delete ts_dist ts_filter ts_headline ts_lexize ts_match_qv ts_match_tq ts_match_tt
    ts_match_vq ts_parse ts_rank ts_rank_cd ts_rewrite ts_stat ts_token_type tsmultirange
    tsq_mcontained tsq_mcontains tsquery_and tsquery_not tsquery_or tsquery_phrase tsqueryin
    tsquerysend tsrange tsrange_subdiff tstz_dist tstzmultirange tstzrange tstzrange_subdiff
    tsvector_concat tsvector_to_array tsvectorin tsvectorsend tuple_data_split txid_current
    txid_current_if_assigned txid_current_snapshot txid_snapshot_xip txid_snapshot_xmax
    txid_snapshot_xmin txid_status txid_visible_in_snapshot unaccent uniq unistr unknownin
    unknownsend unnest upc upper upper_inc upper_inf uuid_extract_timestamp uuid_extract_version
    uuid_generate_v1 uuid_generate_v1mc uuid_generate_v3 uuid_generate_v4 uuid_generate_v5
    uuid_hash uuid_hash_extended uuid_nil uuid_ns_dns uuid_ns_oid uuid_ns_url uuid_ns_x500 uuidv4
    uuidv7 values var_pop var_samp varbit varchar varcharin varcharsend variance vector_dims
    vector_norm verify_heapam version websearch_to_tsquery width width_bucket word_similarity
    word_similarity_commutator_op word_similarity_dist_commutator_op word_similarity_dist_op
    word_similarity_op xid xid8in xid8send xideqint4 xidin xidneqint4 xidsend xml
    xml_encode_special_chars xml_is_well_formed xml_is_well_formed_content
    xml_is_well_formed_document xml_valid xmlagg xmlattributes xmlcomment xmlconcat xmlconcat2
    xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable
    xmltext xmlvalidate xpath xpath_bool xpath_exists xpath_list xpath_nodeset xpath_number
    xpath_string xpath_table xslt_process
    """.split()
)
