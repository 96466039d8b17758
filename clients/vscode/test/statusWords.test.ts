import assert from "node:assert/strict";
import { test } from "node:test";
import {
  detailsOf,
  folderOf,
  limitsOf,
  lineOf,
  spoken,
  type Answered,
  type FolderState,
  type Known,
} from "../src/statusWords";

const folder = (more: Partial<FolderState> = {}): FolderState => ({
  uri: "file:///work/shop",
  model: "verified",
  why: "nothing else was found",
  dialect: "sqlite",
  tables: 1234,
  examples: 9,
  index: "20 entries",
  database: "",
  remarks: [],
  ...more,
});
const answer = (more: Partial<Answered> = {}): Answered => ({
  outcome: "sql",
  source: "model",
  model: "openai/gpt-5-mini",
  usage: { prompt_tokens: 1234, completion_tokens: 56, cost: 0.00214 },
  ...more,
});
const known = (more: Partial<Known> = {}): Known => ({
  state: "running",
  server: "/usr/bin/sqlscribe (version 0.1.0)",
  folder: folder(),
  answer: null,
  limits: [],
  ...more,
});

for (const [what, given, line] of [
  ["the model", {}, "$(database) verified"],
  ["the price", { answer: answer() }, "$(database) openai/gpt-5-mini · $0.0021"],
  [
    "the tokens where no price is known",
    { answer: answer({ usage: { prompt_tokens: 1234, completion_tokens: 56, cost: null } }) },
    "$(database) openai/gpt-5-mini · 1,290 tokens",
  ],
  [
    "nothing for what cost nothing",
    { answer: answer({ model: null, usage: {} }) },
    "$(database) verified",
  ],
  ["only the name before a folder is known", { folder: undefined }, "$(database) SQLScribe"],
  ["only the name while it starts", { state: "starting" }, "$(loading~spin) SQLScribe"],
  [
    "only the name once it has stopped",
    { state: "stopped", answer: answer() },
    "$(error) SQLScribe",
  ],
] as [string, Partial<Known>, string][]) {
  test(`the line shows ${what}`, () => assert.equal(lineOf(known(given)), line));
}

test("the details hold all that is known, and no markup from outside", () => {
  const remark = "the database was not read: *no* [link](command:x)";
  const details = detailsOf(
    known({
      folder: folder({ database: "queries may be run", remarks: [remark] }),
      answer: answer(),
      limits: ["This folder is not trusted."],
    }),
  );
  assert.deepEqual(details, [
    "**SQLScribe**: The server is running.",
    "/usr/bin/sqlscribe \\(version 0\\.1\\.0\\)",
    "Model: verified \\(nothing else was found\\)",
    "Schema: 1,234 tables",
    "Examples: 9",
    "Index: 20 entries",
    "Database: queries may be run",
    "Last answer: openai/gpt\\-5\\-mini, 1,234 tokens in, 56 out, \\$0\\.0021",
    "$(warning) This folder is not trusted\\.",
    "$(info) the database was not read: \\*no\\* \\[link\\]\\(command:x\\)",
  ]);
});

test("before a folder is read nothing is claimed about it", () => {
  const unread = folder({
    model: "",
    tables: null,
    examples: null,
    index: "the folder is being read",
  });
  assert.deepEqual(detailsOf(known({ server: "", folder: unread })), [
    "**SQLScribe**: The server is running.",
    "Index: the folder is being read",
  ]);
});

test("an answer that is none is called by its outcome", () => {
  const said = detailsOf(known({ answer: answer({ outcome: "needs_choice", usage: {} }) }));
  assert.ok(said.includes("Last answer: openai/gpt\\-5\\-mini, needs choice"));
});

test("a screen reader hears no icons", () => {
  assert.equal(spoken(known()), "SQLScribe: verified. The server is running.");
});

test("a document has the state of the innermost folder around it", () => {
  const folders = [folder(), folder({ uri: "file:///work/shop/inner" }), folder({ uri: null })];
  const uriOf = (document: string | undefined) => folderOf(folders, document)?.uri;
  assert.equal(uriOf("file:///work/shop/a.sql"), "file:///work/shop");
  assert.equal(uriOf("file:///work/shop/inner/a.sql"), "file:///work/shop/inner");
  assert.equal(uriOf("file:///work/shopping/a.sql"), undefined);
  assert.equal(uriOf(undefined), undefined);
  assert.equal(folderOf([folder()], "untitled:Untitled-1")?.model, "verified");
});

test("what does not work in a workspace is said", () => {
  assert.deepEqual(limitsOf(["file"], true), []);
  assert.match(limitsOf(["file"], false).join(), /not trusted.*no database/);
  assert.match(limitsOf(["vscode-vfs"], true).join(), /open documents only/);
  assert.equal(limitsOf(["vscode-vfs", "file"], false).length, 2);
});
