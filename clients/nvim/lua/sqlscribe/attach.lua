-- What a buffer gets when the server is attached to it.
local M = {}

local function keymaps(buffer, keys)
  for word, key in pairs(keys) do
    local command = '<Cmd>SQLScribe ' .. word .. '<CR>'
    vim.keymap.set('n', key, command, { buffer = buffer, desc = 'SQLScribe: ' .. word })
  end
end

--- Draws ghost text where this Neovim and this server both can.
local function inline_completion(client)
  local inline = vim.lsp.inline_completion
  if inline and client:supports_method('textDocument/inlineCompletion') then
    inline.enable(true, { client_id = client.id })
  end
end

--- Waits for the server in every buffer, those that have it already included.
---@param chosen sqlscribe.Options
function M.start(chosen)
  local group = vim.api.nvim_create_augroup('sqlscribe', { clear = true })
  local function attached(client, buffer)
    if type(chosen.keymaps) == 'table' then
      keymaps(buffer, chosen.keymaps)
    end
    if chosen.inline_completion then
      inline_completion(client)
    end
    if chosen.state then
      require('sqlscribe.state').attach(buffer)
    end
  end
  vim.api.nvim_create_autocmd('LspAttach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'sqlscribe' then
        attached(client, event.buf)
      end
    end,
  })
  require('sqlscribe.running').watch(group)
  if chosen.state then
    require('sqlscribe.state').start(group)
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = 'sqlscribe' })) do
    for buffer in pairs(client.attached_buffers) do
      attached(client, buffer)
    end
  end
end

return M
