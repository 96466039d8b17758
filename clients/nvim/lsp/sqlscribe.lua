-- SQLScribe for Neovim 0.11 and newer, also without the plugin beside it:
-- copy this file to ~/.config/nvim/lsp/sqlscribe.lua and call vim.lsp.enable('sqlscribe').
local markers = { 'sqlscribe.toml', '.git' }

--- The workspace: the nearest folder with a marker, else the folder of the file. Not a whole
--- home directory, in which there is too much to read.
local function root_dir(buffer, done)
  local configured = vim.lsp.config.sqlscribe
  local marked = vim.fs.root(buffer, configured and configured.root_markers or markers)
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(buffer))
  local is_wide = folder == vim.fs.normalize('~') or folder == vim.fs.dirname(folder)
  local fits = vim.fn.isdirectory(folder) == 1 and not is_wide
  done(marked or (fits and folder or nil))
end

return {
  cmd = { 'sqlscribe', 'serve' },
  filetypes = { 'sql', 'mysql', 'plsql' },
  root_markers = markers,
  root_dir = root_dir,
  -- The settings of sqlscribe.toml may stand here too; these come before the file's.
  settings = { sqlscribe = vim.empty_dict() },
}
