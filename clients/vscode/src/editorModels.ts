import * as vscode from "vscode";
import { ResponseError, type LanguageClient } from "vscode-languageclient/node";
import {
  complete,
  CompleteError,
  preferred,
  type CompleteParams,
  type CompleteResult,
  type Models,
  type OfferedModel,
} from "./editorModel";

/** The code of the error where there is no reply; its `data.reason` tells why. */
const REQUEST_FAILED = -32803;

const MODELS: Models = {
  select: () => vscode.lm.selectChatModels(),
  user: (text) => vscode.LanguageModelChatMessage.User(text),
  assistant: (text) => vscode.LanguageModelChatMessage.Assistant(text),
  codeOf: (error) => (error instanceof vscode.LanguageModelError ? error.code : undefined),
};

/**
 * Answers the server's `sqlscribe/models` and `sqlscribe/complete` with the editor's own models,
 * and says `sqlscribe/modelsChanged` when there are others: providers often start late.
 */
export function serveModels(client: LanguageClient): vscode.Disposable {
  client.onRequest("sqlscribe/models", async (): Promise<{ models: OfferedModel[] }> => {
    const models = preferred(await MODELS.select(), chosenModel());
    return {
      models: models.map(({ id, name, vendor, family, maxInputTokens }) => {
        return { id, name, vendor, family, maxInputTokens };
      }),
    };
  });
  client.onRequest(
    "sqlscribe/complete",
    async (params: CompleteParams, token: vscode.CancellationToken): Promise<CompleteResult> => {
      const piece = (text: string): void => {
        if (params.partialResultToken !== undefined) {
          const progress = { token: params.partialResultToken, value: { text } };
          void client.sendNotification("$/progress", progress);
        }
      };
      try {
        return await complete(MODELS, chosenModel(), params, token, piece);
      } catch (error) {
        if (error instanceof CompleteError) {
          throw new ResponseError(REQUEST_FAILED, error.message, { reason: error.reason });
        }
        throw error;
      }
    },
  );
  return vscode.lm.onDidChangeChatModels(() => {
    if (client.isRunning()) {
      void client.sendNotification("sqlscribe/modelsChanged");
    }
  });
}

function chosenModel(): string {
  return vscode.workspace.getConfiguration("sqlscribe").get("editor.model", "");
}
