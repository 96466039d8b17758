-- The whole prompt of a question, read-only in a window of its own; it follows the question.
local config = require('sqlscribe.config')

local M = {}

local SCHEME = 'sqlscribe-prompt:'
local METHOD = 'workspace/textDocumentContent'

--- The prompts that are shown: buffers by their address. Servers and editors quote differently.
---@type table<string, integer>
local shown = {}

local function fill(buffer, uri, client)
  client:request(METHOD, { uri = uri }, function(err, result)
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    local text = err and ('There is no prompt: ' .. err.message) or result.text
    vim.bo[buffer].modifiable = true
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n'))
    vim.bo[buffer].modifiable = false
  end, buffer)
end

local function new(uri)
  local buffer = vim.api.nvim_create_buf(false, true)
  -- The name alone; the rest of the address would fill the status line.
  vim.api.nvim_buf_set_name(buffer, SCHEME .. '//' .. (uri:match(':/([^?]*)') or uri))
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].filetype = 'markdown'
  vim.bo[buffer].modifiable = false
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'Close the prompt' })
  return buffer
end

--- Answers `window/showDocument`: prompts stand beside their question, where the cursor stays.
function M.show_document(err, params, context)
  if not vim.startswith(params.uri, SCHEME) then
    return vim.lsp.handlers['window/showDocument'](err, params, context)
  end
  local key = vim.uri_decode(params.uri)
  local buffer = shown[key]
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then
    buffer = new(params.uri)
    shown[key] = buffer
  end
  if vim.fn.bufwinid(buffer) == -1 then
    local split = config.chosen.preview.split or 'right'
    local window = vim.api.nvim_open_win(buffer, false, { split = split, win = 0 })
    vim.wo[window].wrap = true
  end
  fill(buffer, params.uri, assert(vim.lsp.get_client_by_id(context.client_id)))
  return { success = true }
end

--- Answers `workspace/textDocumentContent/refresh`: the prompt has become another one.
function M.refresh(_, params, context)
  local buffer = shown[vim.uri_decode(params.uri)]
  if buffer and vim.api.nvim_buf_is_valid(buffer) then
    fill(buffer, params.uri, assert(vim.lsp.get_client_by_id(context.client_id)))
  end
  return vim.NIL
end

return M
