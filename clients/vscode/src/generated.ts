// Made by scripts/generate.py from the server's own settings; not to be edited.

/** Every setting of the server, as in sqlscribe.toml. */
export const SERVER_SETTINGS: readonly string[] = [
  "dialect",
  "schema",
  "training",
  "rules",
  "docs",
  "profiles",
  "instructions",
  "stamp",
  "inline",
  "encoding",
  "model.name",
  "model.api_base",
  "model.api_key_env",
  "model.timeout_seconds",
  "model.max_repairs",
  "model.candidates",
  "model.reply",
  "model.context_tokens",
  "model.max_tokens",
  "model.temperature",
  "models",
  "embedding.name",
  "embedding.api_base",
  "embedding.api_key_env",
  "privacy.values",
  "privacy.mask",
  "database.url",
  "database.checks",
  "database.run_queries",
  "checks.ignore",
  "prompts.folder",
  "prompts.variables",
  "limits.prompt_tokens",
  "limits.whole_schema_characters",
  "limits.examples",
  "limits.example_tokens",
  "limits.schema_file_megabytes",
  "limits.cost_per_day",
  "log.level"
];

/** Settings that an untrusted workspace may not set. */
export const RESTRICTED: readonly string[] = [
  "server.command",
  "server.package",
  "model.name",
  "model.api_base",
  "model.api_key_env",
  "model.timeout_seconds",
  "model.max_repairs",
  "model.candidates",
  "model.reply",
  "model.context_tokens",
  "model.max_tokens",
  "model.temperature",
  "models",
  "embedding.name",
  "embedding.api_base",
  "embedding.api_key_env",
  "privacy.values",
  "privacy.mask",
  "database.url",
  "database.checks",
  "database.run_queries",
  "prompts.folder",
  "prompts.variables"
];

/** The providers whose API keys the server knows. */
export const PROVIDERS: readonly { provider: string; variable: string }[] = [
  {
    "provider": "openai",
    "variable": "OPENAI_API_KEY"
  },
  {
    "provider": "anthropic",
    "variable": "ANTHROPIC_API_KEY"
  },
  {
    "provider": "gemini",
    "variable": "GEMINI_API_KEY"
  },
  {
    "provider": "deepseek",
    "variable": "DEEPSEEK_API_KEY"
  },
  {
    "provider": "mistral",
    "variable": "MISTRAL_API_KEY"
  },
  {
    "provider": "groq",
    "variable": "GROQ_API_KEY"
  },
  {
    "provider": "openrouter",
    "variable": "OPENROUTER_API_KEY"
  },
  {
    "provider": "dashscope",
    "variable": "DASHSCOPE_API_KEY"
  },
  {
    "provider": "moonshot",
    "variable": "MOONSHOT_API_KEY"
  },
  {
    "provider": "azure",
    "variable": "AZURE_API_KEY"
  },
  {
    "provider": "cohere",
    "variable": "COHERE_API_KEY"
  },
  {
    "provider": "fireworks_ai",
    "variable": "FIREWORKS_AI_API_KEY"
  },
  {
    "provider": "perplexity",
    "variable": "PERPLEXITYAI_API_KEY"
  },
  {
    "provider": "together_ai",
    "variable": "TOGETHERAI_API_KEY"
  },
  {
    "provider": "xai",
    "variable": "XAI_API_KEY"
  },
  {
    "provider": "zai",
    "variable": "ZAI_API_KEY"
  }
];
