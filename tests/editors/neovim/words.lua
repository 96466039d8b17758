-- What needs no model: options, completion, keys, the menu, health, help, ghost text.
return function(desk, result)
  desk.client()
  local commands = require('sqlscribe.commands')
  result.words = vim.fn.getcompletion('SQLScribe ', 'cmdline')
  result.some = vim.fn.getcompletion('SQLScribe pre', 'cmdline')
  result.dialects = vim.fn.getcompletion('SQLScribe convert s', 'cmdline')
  result.too_far = commands.complete('', 'SQLScribe convert snowflake ')

  local setup = require('sqlscribe').setup
  result.unknown = select(2, pcall(setup, { keymap = true }))
  result.wrong = select(2, pcall(setup, { state = 'yes' }))

  result.keys = vim.tbl_map(function(map) return map.desc end, vim.api.nvim_buf_get_keymap(0, 'n'))
  desk.take('Preview prompt')
  vim.cmd.SQLScribe()
  desk.wait('the menu', function() return desk.menu end)
  result.menu = desk.menu

  -- Neovim 0.12 has this module; what matters here is that it is asked once the server is.
  vim.lsp.inline_completion = {
    enable = function(on, filter) result.ghost = { on, filter.client_id } end,
  }
  local client = desk.client()
  client.server_capabilities.inlineCompletionProvider = true
  require('sqlscribe.attach').start(require('sqlscribe.config').chosen)
  result.client = client.id

  vim.cmd.checkhealth('sqlscribe')
  result.health = desk.wait('the report', function()
    local text = desk.text()
    return text:find('model: ', 1, true) and text
  end)
  vim.cmd.helptags(vim.env.PLUGIN .. '/doc')
  vim.cmd.help('sqlscribe-setup')
  result.help = vim.fn.expand('%:t')
end
