import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import {
  complete,
  CompleteError,
  pick,
  preferred,
  type CompleteParams,
  type Models,
} from "../src/editorModel";

interface Sent {
  messages: { role: string; text: string }[];
  options: vscode.LanguageModelChatRequestOptions;
}

/** An editor with one model that says `parts`, or throws. */
function editor(parts: string[], error?: Error & { code?: string }) {
  const sent: Sent[] = [];
  const model = {
    id: "m-1",
    vendor: "copilot",
    family: "small",
    sendRequest: async (messages: Sent["messages"], options: Sent["options"]) => {
      sent.push({ messages, options });
      async function* text() {
        yield* parts;
        if (error) {
          throw error;
        }
      }
      return { text: text() };
    },
  };
  const models = {
    select: async () => [model],
    user: (text: string) => ({ role: "user", text }),
    assistant: (text: string) => ({ role: "assistant", text }),
    codeOf: (thrown: unknown) => (thrown as { code?: string }).code,
  } as unknown as Models;
  return { models, sent };
}

const token = (isCancellationRequested = false) =>
  ({ isCancellationRequested }) as vscode.CancellationToken;
const PARAMS: CompleteParams = {
  messages: [
    { role: "system", content: "You write SQL." },
    { role: "user", content: "customers?" },
    { role: "assistant", content: "SELECT 1" },
    { role: "user", content: "again" },
  ],
  maxTokens: 100,
  temperature: 0,
};

test("the reply comes whole and in pieces, with the model's name", async () => {
  const { models, sent } = editor(["SEL", "ECT 1"]);
  const pieces: string[] = [];
  const result = await complete(models, "", PARAMS, token(), (text) => pieces.push(text));
  assert.deepEqual(result, { text: "SELECT 1", model: "copilot/small" });
  assert.deepEqual(pieces, ["SEL", "ECT 1"]);
  assert.deepEqual(
    sent[0]?.messages.map(({ role, text }) => `${role}: ${text}`),
    ["user: You write SQL.", "user: customers?", "assistant: SELECT 1", "user: again"],
  );
  assert.deepEqual(sent[0]?.options.modelOptions, { temperature: 0, max_tokens: 100 });
});

for (const [code, reason] of [
  ["NoPermissions", "no-permission"],
  ["Blocked", "blocked"],
  ["NotFound", "no-model"],
  [undefined, "failed"],
] as const) {
  test(`the error ${code} reaches the server as ${reason}`, async () => {
    const { models } = editor([], Object.assign(new Error("no"), code && { code }));
    const asked = complete(models, "", PARAMS, token(), () => undefined);
    await assert.rejects(asked, (error: CompleteError) => error.reason === reason);
  });
}

test("a cancelled request stays a cancellation", async () => {
  const cancelled = new Error("Canceled");
  const { models } = editor(["SEL"], cancelled);
  await assert.rejects(
    complete(models, "", PARAMS, token(true), () => undefined),
    cancelled,
  );
});

test("a model that is not offered is no model", async () => {
  const { models, sent } = editor(["SELECT 1"]);
  const asked = complete(models, "huge", PARAMS, token(), () => undefined);
  await assert.rejects(asked, (error: CompleteError) => error.reason === "no-model");
  assert.equal(sent.length, 0);
});

test("a model is chosen by id, family, or vendor and family", () => {
  const one = { id: "1", vendor: "a", family: "x" };
  const two = { id: "2", vendor: "b", family: "x" };
  for (const [chosen, model] of [
    ["", one],
    ["x", one],
    ["2", two],
    ["b/x", two],
    ["b/2", two],
    ["y", undefined],
  ] as const) {
    assert.equal(pick([one, two], chosen), model);
  }
});

test("the chosen model is named first, and nothing where it is not offered", () => {
  const one = { id: "1", vendor: "a", family: "x" };
  const two = { id: "2", vendor: "b", family: "y" };
  assert.deepEqual(preferred([one, two], ""), [one, two]);
  assert.deepEqual(preferred([one, two], "y"), [two, one]);
  assert.deepEqual(preferred([one, two], "z"), []);
  assert.deepEqual(preferred([], ""), []);
});
