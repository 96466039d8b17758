//! Tells Zed how the server of SQLScribe is started. Everything else is in the server.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct SqlScribe;

impl zed::Extension for SqlScribe {
    fn new() -> Self {
        SqlScribe
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let command = worktree
            .which("sqlscribe")
            .ok_or("sqlscribe is not found: install it with pipx, and start Zed anew")?;
        Ok(Command {
            command,
            args: vec!["serve".to_string()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(SqlScribe);
