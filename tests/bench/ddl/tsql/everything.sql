USE [master]
GO
SET ANSI_NULLS ON
GO
IF NOT EXISTS (SELECT * FROM sys.schemas WHERE name = 'sales') EXEC('CREATE SCHEMA [sales]')
GO
USE [Shop]
GO
CREATE TABLE [sales].[Orders](
	[Id] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Odd ]] name] [nvarchar](max) COLLATE Latin1_General_CI_AS NULL,
	[from.where] [sql_variant] SPARSE NULL,
	[Total]  AS ([Qty]*[Price]) PERSISTED NOT NULL,
	Calc AS ISNULL(Qty, 0) + 1,
	[Qty] [decimal](18, 2) NOT NULL CONSTRAINT [DF_Qty] DEFAULT ((0)),
	[Price] money MASKED WITH (FUNCTION = 'partial(1,"x",1)') NULL,
	rg uniqueidentifier ROWGUIDCOL DEFAULT NEWSEQUENTIALID(),
	cs xml COLUMN_SET FOR ALL_SPARSE_COLUMNS, x xml(CONTENT dbo.sc), geo geography, hid hierarchyid, tv dbo.MyType, 
	enc nvarchar(11) ENCRYPTED WITH (COLUMN_ENCRYPTION_KEY = k, ENCRYPTION_TYPE = RANDOMIZED, ALGORITHM = 'AEAD_AES_256_CBC_HMAC_SHA_256') NOT NULL,
	[ValidFrom] [datetime2](7) GENERATED ALWAYS AS ROW START HIDDEN NOT NULL,
	[ValidTo] datetime2 GENERATED ALWAYS AS ROW END NOT NULL,
	PERIOD FOR SYSTEM_TIME ([ValidFrom], [ValidTo]),
	ts timestamp, rowversion,
	INDEX IX1 NONCLUSTERED (Qty) WHERE Qty > 3, INDEX [IX2] UNIQUE CLUSTERED COLUMNSTORE,
 CONSTRAINT [PK_Orders] PRIMARY KEY CLUSTERED 
(
	[Id] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF) ON [PRIMARY],
 CONSTRAINT uq UNIQUE NONCLUSTERED ([Qty]) WHERE ([Qty] > 0)
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
WITH (SYSTEM_VERSIONING = ON ( HISTORY_TABLE = [sales].[OrdersHistory] ))
GO
CREATE TABLE dbo.nosemi1 (a int)
CREATE TABLE dbo.nosemi2 (b int, c AS a + 1)
ALTER TABLE dbo.nosemi2 ADD d int, e varchar(3) NULL CONSTRAINT df DEFAULT 'x', CONSTRAINT ck CHECK (d > 0)
ALTER TABLE dbo.nosemi2 ALTER COLUMN e nvarchar(10) NOT NULL
ALTER TABLE dbo.nosemi2 DROP CONSTRAINT ck, COLUMN d
EXEC sp_rename 'dbo.nosemi1.a', 'aa', 'COLUMN'; EXEC sys.sp_rename N'[dbo].[nosemi1]', N'renamed_t'
ALTER SCHEMA sales TRANSFER dbo.renamed_t
GO
CREATE TABLE g.Person (ID INTEGER PRIMARY KEY, name VARCHAR(100)) AS NODE;
CREATE TABLE friends (since DATE, CONSTRAINT EC CONNECTION (g.Person TO g.Person) ON DELETE CASCADE) AS EDGE;
CREATE TABLE likes AS EDGE;
CREATE TABLE mo (id int NOT NULL PRIMARY KEY NONCLUSTERED HASH WITH (BUCKET_COUNT=100), a int INDEX ix NONCLUSTERED, b int UNIQUE) WITH (MEMORY_OPTIMIZED=ON, DURABILITY=SCHEMA_AND_DATA);
CREATE TYPE dbo.tt AS TABLE (a int, b int);
CREATE TYPE dbo.SSN FROM varchar(11) NOT NULL;
SELECT a.Id, a.Qty q, x = a.Price, 1 AS one INTO dbo.copied FROM sales.Orders a WHERE 1=0
SELECT * INTO #temp FROM sales.Orders
;WITH c AS (SELECT Id FROM sales.Orders) SELECT c.Id INTO [dbo].[fromcte] FROM c
GO
CREATE OR ALTER VIEW [dbo].[v1] WITH SCHEMABINDING AS SELECT o.[Id], Price AS [P r], cnt = COUNT_BIG(*), 'lit' = 3, [x y] = o.Qty FROM sales.Orders o WITH (NOLOCK) GROUP BY o.Id
GO
CREATE VIEW v2 (a, b) AS SELECT TOP (10) PERCENT Id, Qty FROM sales.Orders ORDER BY Id
GO
CREATE VIEW v3 AS SELECT p.*, q.Id AS qid FROM sales.Orders p CROSS APPLY (SELECT TOP 1 * FROM dbo.copied) q OUTER APPLY OPENJSON(p.x) WITH (k int '$.k') j
GO
CREATE VIEW v4 AS SELECT [2020], [2021] FROM (SELECT 1 y, 2 v) s PIVOT (SUM(v) FOR y IN ([2020],[2021])) pv
GO
CREATE PROCEDURE dbo.pr @a int = 1 AS
BEGIN
  CREATE TABLE #t (a int)
  CREATE TABLE dbo.inproc (a int)
END
GO
CREATE FUNCTION dbo.fn (@a int) RETURNS @r TABLE (x int, y int) AS BEGIN RETURN END
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'It''s the total' , @level0type=N'SCHEMA',@level0name=N'sales', @level1type=N'TABLE',@level1name=N'Orders', @level2type=N'COLUMN',@level2name=N'Total'
EXECUTE sp_addextendedproperty 'MS_Description', 'All orders', 'SCHEMA', 'sales', 'TABLE', 'Orders', NULL, NULL;
IF OBJECT_ID('dbo.cond', 'U') IS NOT NULL DROP TABLE dbo.cond;
IF OBJECT_ID('dbo.cond') IS NULL
BEGIN
  CREATE TABLE dbo.cond (a int)
  ALTER TABLE dbo.cond ADD b int
END
DROP TABLE IF EXISTS dbo.copied, dbo.x
CREATE TABLE [my db].[dbo].[three part] ([a b] int)
CREATE EXTERNAL TABLE ext.t (a int, b varchar(3)) WITH (LOCATION='/x', DATA_SOURCE=ds)
CREATE TABLE dw WITH (DISTRIBUTION = HASH(a), CLUSTERED COLUMNSTORE INDEX) AS SELECT a, b FROM dbo.cond
CREATE TABLE $(schema).[sqlcmd] (a int)
:setvar schema dbo
:r other.sql
CREATE SYNONYM dbo.syn FOR sales.Orders
ALTER TABLE sales.Orders SET (SYSTEM_VERSIONING = OFF)
ALTER TABLE sales.Orders WITH NOCHECK ADD CONSTRAINT fk FOREIGN KEY(Qty) REFERENCES dbo.cond (a) ON DELETE CASCADE
ALTER TABLE sales.Orders CHECK CONSTRAINT fk
ALTER TABLE sales.Orders DROP COLUMN IF EXISTS geo, hid
TRUNCATE TABLE dbo.cond
