-- dialect: tsql

CREATE TABLE dbo.Customers (CustomerId int PRIMARY KEY, FullName nvarchar(50), City
    nvarchar(50));
CREATE TABLE dbo.Orders (OrderId int PRIMARY KEY, CustomerId int, Total money, PlacedAt
    datetime2, Status varchar(10), Doc nvarchar(max));
CREATE TABLE dbo.[Order Details] ([Order Id] int, Sku varchar(10), Qty int);
CREATE TABLE dbo.Staff (Id int, ManagerId int, Name nvarchar(50));
CREATE TABLE dbo.Notes (Id int, [order] int, [user] int, [key] int);

-- Right, one to a paragraph:

SELECT TOP (5) WITH TIES o.OrderId, d.[Order Id] FROM dbo.Orders o WITH (NOLOCK) JOIN [Order Details] d ON d.[Order Id] = o.OrderId ORDER BY o.Total DESC

UPDATE o SET Total = 0 FROM Orders AS o INNER JOIN Customers c ON c.CustomerId =
    o.CustomerId WHERE c.City = 'x'

DELETE o FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId WHERE c.City = 'x'

DELETE FROM o FROM Orders o WHERE o.Total = 0

INSERT INTO Orders (OrderId, Total) OUTPUT inserted.OrderId, inserted.Total VALUES (1, 2)

UPDATE Orders SET Total = 1 OUTPUT deleted.Total, inserted.Total WHERE OrderId = 1

MERGE Orders AS t USING (SELECT CustomerId, City FROM Customers) AS s ON t.CustomerId =
    s.CustomerId WHEN MATCHED THEN UPDATE SET t.Status = s.City WHEN NOT MATCHED BY TARGET
    THEN INSERT (CustomerId, Status) VALUES (s.CustomerId, s.City) WHEN NOT MATCHED BY
    SOURCE THEN DELETE OUTPUT $action, inserted.OrderId, deleted.Status

SELECT o.OrderId, j.[key], j.value, j.type FROM Orders o CROSS APPLY OPENJSON(o.Doc) j

SELECT o.OrderId, j.sku FROM Orders o CROSS APPLY OPENJSON(o.Doc, '$.items') WITH (sku
    varchar(10) '$.sku', qty int) AS j WHERE j.qty > 1

SELECT Status, [1], [2] FROM (SELECT Status, CustomerId, Total FROM Orders) s PIVOT
    (SUM(Total) FOR CustomerId IN ([1], [2])) p

SELECT Id, Field, Val FROM (SELECT Id, CAST(ManagerId AS nvarchar(50)) AS m, Name FROM
    Staff) s UNPIVOT (Val FOR Field IN (m, Name)) u

SELECT name, object_id FROM sys.tables

WITH c AS (SELECT Id, ManagerId, 0 AS lvl FROM Staff WHERE ManagerId IS NULL UNION ALL
    SELECT s.Id, s.ManagerId, c.lvl + 1 FROM Staff s JOIN c ON s.ManagerId = c.Id) SELECT
    Id, lvl FROM c OPTION (MAXRECURSION 100)

SELECT STRING_AGG(FullName, ',') WITHIN GROUP (ORDER BY FullName) AS n, GETDATE() FROM
    Customers

CREATE PROCEDURE dbo.p @City nvarchar(50), @N int OUTPUT AS BEGIN SET NOCOUNT ON; DECLARE @t
    TABLE (Id int, Nm nvarchar(50)); INSERT INTO @t (Id, Nm) SELECT CustomerId, FullName
    FROM Customers WHERE City = @City
    SELECT @N = COUNT(*) FROM @t t WHERE t.Id > 1
    IF @N > 0 BEGIN UPDATE o SET Total = 1 FROM Orders o JOIN @t t ON t.Id = o.CustomerId
    END
    SELECT a.x INTO #tmp FROM (SELECT 1 AS x) a
    SELECT x FROM #tmp END

CREATE TRIGGER dbo.trg ON dbo.Orders AFTER INSERT, UPDATE AS BEGIN UPDATE o SET Status = 'x'
    FROM Orders o JOIN inserted i ON i.OrderId = o.OrderId LEFT JOIN deleted d ON d.OrderId
    = i.OrderId WHERE i.Total <> d.Total END

CREATE FUNCTION dbo.f (@id int) RETURNS TABLE AS RETURN (SELECT OrderId, Total FROM
    dbo.Orders WHERE CustomerId = @id)

SELECT f.Total FROM dbo.f(1) f CROSS APPLY (VALUES (f.Total), (1)) v(x) WHERE v.x > 1

SELECT Doc.value('(/a)[1]', 'int') FROM Orders

SELECT x.n.value('.', 'int') FROM Orders o CROSS APPLY o.Doc.nodes('/a/b') AS x(n)

IF EXISTS (SELECT 1 FROM Orders WHERE Total > 1) SELECT Total FROM Orders ELSE SELECT City
    FROM Customers

SELECT number FROM master.dbo.spt_values WHERE type = 'P'

SELECT Total + $5.00 FROM Orders

SELECT [order], "user" FROM Notes ORDER BY Id DESC

SELECT Id FROM OtherDb.dbo.Things

SELECT NEXT VALUE FOR dbo.Numbers AS n, NEXT VALUE FOR Numbers OVER (ORDER BY Total) FROM
    dbo.Orders

SELECT number FROM master..spt_values WHERE type = 'P'

SELECT p.[new], p.CustomerId, c.City FROM (SELECT CustomerId, Status, Total FROM Orders) AS s PIVOT (SUM(Total) FOR Status IN
    ([new], [paid])) AS p JOIN Customers c ON c.CustomerId = p.CustomerId

SELECT u.OrderId, u.k, v FROM Orders UNPIVOT (v FOR k IN (Total)) AS u

TRUNCATE TABLE Orders WITH (PARTITIONS (1 TO 3))

SELECT Total AS t, Status AS Total FROM Orders ORDER BY t DESC, Total

-- Wrong, in the names behind the arrow:

UPDATE o SET Totl = 0 FROM Orders AS o INNER JOIN Customers c ON c.CustomerId = o.CustomerId
-- -> Totl

DELETE x FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId
-- -> x

MERGE Orders AS t USING Customers AS s ON t.CustomerId = s.CustomerId WHEN MATCHED THEN
    UPDATE SET t.Stat = s.City
-- -> Stat

INSERT INTO Orders (OrderId, Totl) OUTPUT inserted.OrdrId VALUES (1, 2)
-- -> Totl OrdrId

SELECT j.valu FROM Orders o CROSS APPLY OPENJSON(o.Doc) j
-- -> valu

SELECT j.sk FROM Orders o CROSS APPLY OPENJSON(o.Doc) WITH (sku varchar(10)) AS j
-- -> sk

SELECT s.valu FROM Orders o CROSS APPLY STRING_SPLIT(o.Status, ',') s
-- -> valu

SELECT p.[1] FROM (SELECT Status, CustomerId, Total FROM Orders) s PIVOT (SUM(Totl) FOR
    CustomerId IN ([1])) p
-- -> Totl

CREATE TRIGGER dbo.trg ON dbo.Orders AFTER INSERT AS BEGIN UPDATE o SET Status = 'x' FROM
    Orders o JOIN inserted i ON i.OrdrId = o.OrderId END
-- -> OrdrId

CREATE PROCEDURE dbo.p AS BEGIN DECLARE @t TABLE (Id int); INSERT INTO @t (Idd) SELECT
    CustomerId FROM Customers
    SELECT t.Idx FROM @t t END
-- -> Idd Idx

CREATE FUNCTION dbo.f (@id int) RETURNS TABLE AS RETURN (SELECT OrderId, Totl FROM
    dbo.Orders WHERE CustomerId = @id)
-- -> Totl

IF EXISTS (SELECT 1 FROM Orders WHERE Totl > 1) SELECT Total FROM Orders ELSE SELECT Citty
    FROM Customers
-- -> Totl Citty

SELECT order, key FROM Notes
-- -> order key

SELECT Id FROM OtherDb.dbo.Ordrs
-- -> Ordrs

SELECT NEXT VALUE FOR dbo.Numbers OVER (ORDER BY Totl) FROM dbo.Orders
-- -> Totl

SELECT p.shipped FROM (SELECT CustomerId, Status, Total FROM Orders) AS s PIVOT (SUM(Total) FOR Status IN
    ([new], [paid])) AS p
-- -> shipped

SELECT p.Status FROM (SELECT CustomerId, Status, Total FROM Orders) AS s PIVOT (SUM(Total) FOR Status IN
    ([new], [paid])) AS p
-- -> Status

SELECT u.Total FROM Orders UNPIVOT (v FOR k IN (Total)) AS u
-- -> Total

SELECT Total AS t FROM Orders ORDER BY t + 1, CASE WHEN t > 1 THEN 0 ELSE 1 END
-- -> t t
