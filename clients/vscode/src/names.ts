/** The languages whose documents may hold questions. */
export const LANGUAGES = [
  "sql",
  "jinja-sql",
  "mysql",
  "pgsql",
  "plsql",
  "postgres",
  "snowflake-sql",
  "spark-sql",
  "sqlite",
];

/** Languages of texts that may hold blocks of SQL. */
export const HOSTS = ["markdown", "quarto", "rmd"];

/** The server's command that shows a prompt. */
export const PREVIEW = "sqlscribe.preview";
