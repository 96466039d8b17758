// A chat model that says the same SQL to everything, in two pieces.
const vscode = require("vscode");

const MODEL = {
  id: "parrot",
  name: "Parrot",
  family: "parrot",
  version: "1",
  maxInputTokens: 100_000,
  maxOutputTokens: 1_000,
  capabilities: {},
};
const REPLY = ["```sql\nSELECT COUNT(*) AS parrots ", "FROM customers\n```"];

exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: async () => [MODEL],
    provideTokenCount: async (_model, text) => String(text).length,
    provideLanguageModelChatResponse: async (_model, _messages, _options, progress) => {
      for (const piece of REPLY) {
        progress.report(new vscode.LanguageModelTextPart(piece));
      }
    },
  };
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("tester", provider));
};
