import type * as vscode from "vscode";

/** `sqlscribe/complete`, from the server to the editor: ask one of the editor's own models. */
export interface CompleteParams {
  messages: { role: "system" | "user" | "assistant"; content: string }[];
  /** The longest reply, in tokens, where the provider takes such a limit. */
  maxTokens?: number;
  temperature?: number;
  /** Pieces of the reply go out as `$/progress` under this token: `{ text }`. */
  partialResultToken?: string | number;
}

export interface CompleteResult {
  text: string;
  /** `vendor/family`, such as `copilot/gpt-5-mini`. */
  model: string;
}

/** `sqlscribe/models`: what the editor offers, without asking anybody for consent. */
export interface OfferedModel {
  id: string;
  name: string;
  vendor: string;
  family: string;
  maxInputTokens: number;
}

/** Why there is no reply; goes to the server as `data.reason` of the error. */
export type Reason = "no-model" | "no-permission" | "blocked" | "failed";

export class CompleteError extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message);
  }
}

/** The parts of `vscode.lm` and its classes that are used; tests bring their own. */
export interface Models {
  select(): PromiseLike<readonly vscode.LanguageModelChat[]>;
  user(text: string): vscode.LanguageModelChatMessage;
  assistant(text: string): vscode.LanguageModelChatMessage;
  /** The code of a LanguageModelError, such as `NoPermissions`; undefined for other errors. */
  codeOf(error: unknown): string | undefined;
}

const JUSTIFICATION = "to write SQL for the question in your file";

/** Asks the chosen model. Throws CompleteError, or what the cancellation throws. */
export async function complete(
  models: Models,
  chosen: string,
  params: CompleteParams,
  token: vscode.CancellationToken,
  piece: (text: string) => void,
): Promise<CompleteResult> {
  const model = pick(await models.select(), chosen);
  if (!model) {
    const which = chosen ? `no chat model "${chosen}"` : "no chat model";
    throw new CompleteError("no-model", `The editor offers ${which}.`);
  }
  const modelOptions: Record<string, unknown> = {};
  if (params.temperature !== undefined) {
    modelOptions["temperature"] = params.temperature;
  }
  if (params.maxTokens !== undefined) {
    modelOptions["max_tokens"] = params.maxTokens;
  }
  try {
    const options = { justification: JUSTIFICATION, modelOptions };
    const response = await model.sendRequest(chat(models, params), options, token);
    let text = "";
    for await (const part of response.text) {
      text += part;
      piece(part);
    }
    return { text, model: `${model.vendor}/${model.family}` };
  } catch (error) {
    if (token.isCancellationRequested) {
      throw error;
    }
    throw new CompleteError(reasonOf(models.codeOf(error)), wordsOf(error));
  }
}

/** The model of that id, family or `vendor/family`; without a choice the first one. */
export function pick<Model extends Pick<OfferedModel, "id" | "vendor" | "family">>(
  offered: readonly Model[],
  chosen: string,
): Model | undefined {
  const names = (model: Model): string[] => [
    model.id,
    model.family,
    `${model.vendor}/${model.family}`,
    `${model.vendor}/${model.id}`,
  ];
  return chosen ? offered.find((model) => names(model).includes(chosen)) : offered[0];
}

/** The offered models with the chosen one first; none where the chosen one is not offered. */
export function preferred<Model extends Pick<OfferedModel, "id" | "vendor" | "family">>(
  offered: readonly Model[],
  chosen: string,
): Model[] {
  const first = pick(offered, chosen);
  return first ? [first, ...offered.filter((model) => model !== first)] : [];
}

/** The messages as the editor takes them: it knows no system role, so those words come first. */
function chat(models: Models, params: CompleteParams): vscode.LanguageModelChatMessage[] {
  const system = params.messages.filter((message) => message.role === "system");
  const rest = params.messages.filter((message) => message.role !== "system");
  const first = system.map((message) => message.content).join("\n\n");
  return [
    ...(first ? [models.user(first)] : []),
    ...rest.map((message) =>
      message.role === "assistant"
        ? models.assistant(message.content)
        : models.user(message.content),
    ),
  ];
}

function reasonOf(code: string | undefined): Reason {
  switch (code) {
    case "NoPermissions":
      return "no-permission";
    case "Blocked":
      return "blocked";
    case "NotFound":
      return "no-model";
    default:
      return "failed";
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : String(error);
}
