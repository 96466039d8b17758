-- MySQL dump 10.13
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!50503 SET NAMES utf8mb4 */;
CREATE DATABASE /*!32312 IF NOT EXISTS*/ `shop db` /*!40100 DEFAULT CHARACTER SET utf8mb4 */;
USE `shop db`;
CREATE TABLE users0 (id INT PRIMARY KEY);
DROP TABLE IF EXISTS `orders`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE `orders` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT COMMENT 'the id; (really)',
  `from` varchar(20) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT NULL,
  `weird``name` enum('a','b''c','d\'e',"f") NOT NULL DEFAULT 'a',
  `set_col` set('x','z') CHARACTER SET utf8mb4 DEFAULT NULL,
  `json_col` json DEFAULT (json_object('a', 1)),
  `gen` int(11) GENERATED ALWAYS AS (`id` + 1) VIRTUAL,
  `gen2` varchar(30) AS (concat(`from`, ';')) STORED,
  `ts` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `dt` datetime(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
  `geo` point NOT NULL,
  `inv` int DEFAULT 3,
  `b` bit(1) DEFAULT b'0', `t` tinyint unsigned zerofill, d double(10,2), dp double precision, nc national varchar(10), nc2 nvarchar(5), cv character varying(7), c char byte, lv long varchar, bl blob(100), y year(4),
  `uid` int NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`) USING BTREE COMMENT 'x',
  UNIQUE KEY `uk` (`from`(10),`t` DESC),
  KEY `k;1` (`dt`), INDEX (`t`), FULLTEXT KEY `ft` (`from`) , SPATIAL INDEX `sp` (`geo`),
  CONSTRAINT `chk` CHECK (`t` > 0) ,
  CHECK (`t` in (1,2))
) ENGINE=InnoDB AUTO_INCREMENT=12 DEFAULT CHARSET=utf8mb4 COMMENT='Orders; all (of) them' ROW_FORMAT=DYNAMIC
;
CREATE TABLE users (id INT PRIMARY KEY, name TEXT, `key` INT, `index` INT, value INT, type INT, status INT, comment TEXT, date DATE, time TIME, timestamp TIMESTAMP, text TEXT, action INT, bit INT, enum INT, no INT, year YEAR, position INT, user INT, `unique` INT, `check` INT, `constraint` int, `fulltext` int, `primary` int, columns int, `column` int, engine int, data int, charset int, `character` int, signed int, serial int) ENGINE MyISAM COMMENT 'bla';
LOCK TABLES `orders` WRITE, `users` WRITE;
/*!40000 ALTER TABLE `orders` DISABLE KEYS */;
INSERT INTO `users` (id, name) VALUES (1,'CREATE TABLE evil (a int);\'),('),(2,'x');
/*!40000 ALTER TABLE `orders` ENABLE KEYS */;
UNLOCK TABLES;
/*!50001 DROP VIEW IF EXISTS `v_all`*/;
/*!50001 CREATE VIEW `v_all` AS SELECT 
 1 AS `id`,
 1 AS `name`*/;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`localhost`*/ /*!50003 TRIGGER `trg` BEFORE INSERT ON `users` FOR EACH ROW BEGIN SET NEW.name = 'x'; SET NEW.value = 2; END */;;
CREATE PROCEDURE pp() BEGIN CREATE TEMPORARY TABLE tmp_in (a int); SELECT 1; END ;;
DELIMITER ;
DELIMITER $$
CREATE FUNCTION ff(a INT) RETURNS INT DETERMINISTIC BEGIN DECLARE x INT; SET x = 1; RETURN x; END$$
CREATE TABLE in_delim (a INT)$$
delimiter ;
/*!50001 DROP VIEW IF EXISTS `v_all`*/;
/*!50001 SET @saved_col_connection = @@collation_connection */;
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=`root`@`localhost` SQL SECURITY DEFINER */
/*!50001 VIEW `v_all` AS select `u`.`id` AS `id`,`u`.`name` AS `name`,count(`o`.`id`) AS `n`,`u`.`key` from (`users` `u` left join `orders` `o` on((`o`.`uid` = `u`.`id`))) group by `u`.`id` */;
CREATE TABLE lk LIKE orders;
CREATE TABLE lk2 (LIKE users);
CREATE TABLE ctas (extra INT, name VARCHAR(3)) SELECT id, name FROM users;
CREATE TABLE ctas2 ENGINE=InnoDB AS SELECT * FROM users;
CREATE TABLE ctas3 (PRIMARY KEY (id)) IGNORE SELECT id, `key` AS k2, 1+1, count(*) FROM users GROUP BY id;
CREATE OR REPLACE VIEW v2 AS SELECT *, 'x', 1+ 2, upper(name) FROM users;
CREATE VIEW v3 (a,b) AS SELECT id, name FROM users UNION SELECT 1, 2;
CREATE VIEW v4 AS SELECT u.name, o.* FROM users u JOIN orders o ON o.uid=u.id;
CREATE VIEW v5 AS SELECT * FROM orders JOIN (SELECT id, 3 AS three FROM lk) l USING (id);
CREATE VIEW `shop db`.v6 AS WITH c AS (SELECT id FROM users) SELECT * FROM c;
# hash comment; with semicolon
CREATE TABLE t# comment
(a int, -- x, y int
 b int /* z int, */ , c int)
;
CREATE TABLE IF NOT EXISTS t (wrong int);
CREATE TEMPORARY TABLE tmp (a int);
CREATE TABLE `dot.ted` (`a.b` int);
CREATE TABLE sv (a INT) WITH SYSTEM VERSIONING;
CREATE TABLE sv2 (x INT, start_ts TIMESTAMP(6) GENERATED ALWAYS AS ROW START, end_ts TIMESTAMP(6) GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME(start_ts, end_ts)) WITH SYSTEM VERSIONING;
CREATE TABLE pd (a int, d1 date, d2 date, PERIOD FOR app(d1, d2));
CREATE SEQUENCE sq START WITH 1;
CREATE TABLE uu (u UUID DEFAULT UUID(), i INET6, CONSTRAINT PRIMARY KEY (u), CONSTRAINT UNIQUE (i));
CREATE TABLE cc (a int check (a > 0), b int check (b in (1,2)) , c int unique key, d int key comment 'k');
