-- SQLScribe in Neovim: `require('sqlscribe').setup({…})`, and the command `:SQLScribe`.
-- Everything is optional: the server works with lsp/sqlscribe.lua alone.
local M = {}

--- Turns SQLScribe on. See |sqlscribe-setup| for the options; an unknown one is an error.
---@param options sqlscribe.Options?
function M.setup(options)
  if vim.fn.has('nvim-0.11') == 0 then
    vim.notify('SQLScribe needs Neovim 0.11 or newer', vim.log.levels.ERROR)
    return
  end
  local chosen = require('sqlscribe.config').choose(options)
  vim.lsp.config('sqlscribe', require('sqlscribe.client').config(chosen))
  require('sqlscribe.commands').define()
  require('sqlscribe.attach').start(chosen)
  if chosen.enable then
    vim.lsp.enable('sqlscribe')
  end
end

--- What an own status line may show: a stage while something is answered, else ''.
---@return string
function M.status()
  return require('sqlscribe.running').stage()
end

return M
