-- SQLScribe for Neovim 0.11 and newer. Copy to ~/.config/nvim/lsp/sqlscribe.lua
-- and call vim.lsp.enable('sqlscribe').
return {
  cmd = { 'sqlscribe', 'serve' },
  filetypes = { 'sql', 'mysql', 'plsql' },
  root_markers = { 'sqlscribe.toml', '.git' },
  -- The settings of sqlscribe.toml may stand here too; these come before the file's.
  settings = { sqlscribe = vim.empty_dict() },
}
