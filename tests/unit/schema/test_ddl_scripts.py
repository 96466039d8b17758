"""Whole scripts as the tools of each engine write them."""

from ddl_reading import comments, lines, schema, script


def check(dialect: str, text: str, *expected: str) -> None:
    assert script(text, dialect).findings == ()
    assert lines(schema(dialect, text)) == list(expected)


def test_management_studio() -> None:
    check(
        "tsql",
        """USE [Shop]
GO
/****** Object:  Table [dbo].[Invoice]    Script Date: 2024-01-01 ******/
SET ANSI_NULLS ON
GO
IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[dbo].[Invoice]'))
BEGIN
CREATE TABLE [dbo].[Invoice](
	[Invoice ID] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Memo] [nvarchar](max) NULL,
 CONSTRAINT [PK_Invoice] PRIMARY KEY CLUSTERED (
	[Invoice ID] ASC
)WITH (PAD_INDEX = OFF, IGNORE_DUP_KEY = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
END
GO
ALTER TABLE [dbo].[Invoice] ADD  CONSTRAINT [DF] DEFAULT ((0)) FOR [Memo]
GO
ALTER TABLE [dbo].[Invoice]  WITH CHECK ADD  CONSTRAINT [FK] FOREIGN KEY([Invoice ID])
REFERENCES [dbo].[Batch] ([ID])
GO
ALTER TABLE [dbo].[Invoice] CHECK CONSTRAINT [FK]
GO
IF OBJECT_ID('dbo.Old') IS NOT NULL DROP TABLE dbo.Old
CREATE PROCEDURE tidy AS
BEGIN
CREATE TABLE #work (x int)
END
GO
""",
        "dbo.Invoice(Invoice ID int!, Memo nvarchar(max))",
    )


def test_pg_dump() -> None:
    check(
        "postgres",
        """--
-- PostgreSQL database dump
--
\\restrict kJ2x
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.city (
    id integer NOT NULL,
    name character varying(40)
);
ALTER TABLE public.city OWNER TO bob;
COPY public.city (id, name) FROM stdin;
1	Paris; la capitale
2	L'Aquila
\\.
ALTER TABLE ONLY public.city
    ADD CONSTRAINT city_pkey PRIMARY KEY (id);
CREATE TABLE public.country (code text);
\\unrestrict kJ2x
""",
        "public.city(id integer!, name character varying(40))",
        "public.country(code text)",
    )


def test_mysqldump() -> None:
    check(
        "mysql",
        """/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS `actor`;
/*!40101 SET character_set_client = utf8 */;
CREATE TABLE `actor` (
  `id` smallint(5) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(45) NOT NULL DEFAULT '',
  PRIMARY KEY (`id`),
  KEY `idx` (`name`)
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8 /*!50100 PARTITION BY HASH (id) */;
INSERT INTO `actor` VALUES (1,'O\\'Neil; CREATE TABLE x (a int)');
/*!50001 CREATE VIEW `v` AS SELECT 1 AS `id` */;
/*!50001 DROP VIEW IF EXISTS `v` */;
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON actor FOR EACH ROW BEGIN SET NEW.name = 'x'; END ;;
DELIMITER ;
/*!50001 CREATE ALGORITHM=UNDEFINED DEFINER=`r`@`%` SQL SECURITY DEFINER
VIEW `v` AS select `actor`.`id` AS `id` from `actor` */;
""",
        "actor(id smallint(5) unsigned!, name varchar(45)!)",
        "v(id smallint(5) unsigned)",
    )


def test_oracle_metadata_export() -> None:
    text = """CREATE TABLE "HR"."EMP" (
 "EMP_ID" NUMBER(10,0) NOT NULL ENABLE,
 "NAME" VARCHAR2(255 BYTE) DEFAULT 'x' NOT NULL ENABLE,
 CONSTRAINT "PK" PRIMARY KEY ("EMP_ID") USING INDEX PCTFREE 10 TABLESPACE "USERS" ENABLE
) SEGMENT CREATION IMMEDIATE PCTFREE 10 STORAGE(INITIAL 65536 NEXT 1048576) TABLESPACE "USERS"
/
COMMENT ON COLUMN "HR"."EMP"."NAME" IS 'legal name'
/
BEGIN EXECUTE IMMEDIATE 'CREATE TABLE LOG (LINE CLOB)'; EXCEPTION WHEN OTHERS THEN NULL; END;
/
"""
    check(
        "oracle",
        text,
        "HR.EMP(EMP_ID NUMBER(10,0)!, NAME VARCHAR2(255 BYTE)!)",
        "LOG(LINE CLOB)",
    )
    assert comments(schema("oracle", text).tables[0]) == {"NAME": "legal name"}


def test_snowflake_get_ddl() -> None:
    check(
        "snowflake",
        """create or replace TRANSIENT TABLE RAW.PUBLIC.EVENTS cluster by (to_date(TS)) (
	ID NUMBER(38,0) NOT NULL autoincrement start 1 increment 1 noorder,
	MAIL VARCHAR(16777216) WITH MASKING POLICY MASK_MAIL COMMENT 'work, not private',
	TS TIMESTAMP_NTZ(9) WITH TAG (KIND='time'),
	primary key (ID)
)COMMENT='clicks' WITH ROW ACCESS POLICY P ON (ID);
create or replace HYBRID TABLE CARTS (ID INT PRIMARY KEY, QTY INT);
""",
        "RAW.PUBLIC.EVENTS(ID NUMBER(38,0)!, MAIL VARCHAR(16777216), TS TIMESTAMP_NTZ(9))",
        "CARTS(ID INT!, QTY INT)",
    )


def test_hive_and_its_partition_columns() -> None:
    check(
        "hive",
        """CREATE EXTERNAL TABLE IF NOT EXISTS db.t (a string, s struct<x:int,y:array<string>>)
        PARTITIONED BY (day string COMMENT 'ISO', hour int)
        ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS ORC LOCATION 's3://b/t';""",
        "db.t(a string, s struct<x:int,y:array<string>>, day string, hour int)",
    )


def test_bigquery_and_the_partition_columns_of_files() -> None:
    check(
        "bigquery",
        """CREATE EXTERNAL TABLE d.t (x INT64) WITH PARTITION COLUMNS (day DATE)
        OPTIONS (format = 'CSV');
        CREATE EXTERNAL TABLE d.u (x INT64) WITH PARTITION COLUMNS OPTIONS (format = 'CSV');""",
        "d.t(x INT64, day DATE)",
        "d.u(x INT64) ?",
    )


def test_teradata_and_its_options_before_the_list() -> None:
    check(
        "teradata",
        """CREATE MULTISET TABLE db.t ,NO FALLBACK , CHECKSUM = DEFAULT
        ( id INTEGER NOT NULL TITLE 'x', d DATE FORMAT 'YYYY-MM-DD') PRIMARY INDEX (id);""",
        "db.t(id INTEGER!, d DATE)",
    )


def test_sqlite_dumps_virtual_tables_as_rows_of_its_schema() -> None:
    check(
        "sqlite",
        """PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','notes','notes',0,
'CREATE VIRTUAL TABLE notes USING fts5(title, body)');
INSERT INTO t VALUES ('table', 'CREATE TABLE no (x)');
PRAGMA writable_schema=OFF;""",
        "notes(title, body) ?",
    )


def test_spark_replaces_tables() -> None:
    check("spark", "CREATE TABLE t (a int); REPLACE TABLE t (b int) USING delta", "t(b int)")


def test_mariadb_versions_are_no_query() -> None:
    check("mysql", "CREATE TABLE t (a int) ENGINE=InnoDB WITH SYSTEM VERSIONING", "t(a int)")


def test_what_a_transaction_takes_back_is_not_there() -> None:
    text = """CREATE TABLE a (x int); BEGIN; CREATE TABLE b (x int); SAVEPOINT s;
    CREATE TABLE c (x int); ROLLBACK TO SAVEPOINT s; DROP TABLE a; ROLLBACK;
    START TRANSACTION; CREATE TABLE d (x int); COMMIT; ROLLBACK;"""
    check("postgres", text, "a(x int)", "d(x int)")
    check("sqlite", text.replace("START TRANSACTION", "BEGIN IMMEDIATE"), "a(x int)", "d(x int)")
    # MySQL keeps what DDL has done.
    check("mysql", text, "b(x int)", "c(x int)", "d(x int)")
