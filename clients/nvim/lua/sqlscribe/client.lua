-- What Neovim's own client is told about the server, and how an edit of it is made.
local M = {}

--- The configuration that goes over lsp/sqlscribe.lua.
---@param chosen sqlscribe.Options
---@return vim.lsp.Config
function M.config(chosen)
  local preview = require('sqlscribe.preview')
  local settings = vim.tbl_isempty(chosen.settings) and vim.empty_dict() or chosen.settings
  return {
    cmd = chosen.cmd,
    filetypes = chosen.filetypes,
    root_markers = chosen.root_markers,
    -- Both: the first is there from the start, the second wherever the server asks.
    init_options = settings,
    settings = { sqlscribe = settings },
    capabilities = {
      workspace = {
        -- Neovim 0.11 can do neither by itself; preview.lua and state.lua do it.
        textDocumentContent = { dynamicRegistration = false },
        codeLens = { refreshSupport = true },
      },
    },
    handlers = {
      ['window/showDocument'] = preview.show_document,
      ['workspace/textDocumentContent/refresh'] = preview.refresh,
      ['workspace/codeLens/refresh'] = require('sqlscribe.state').refresh_request,
      ['workspace/applyEdit'] = M.apply_request,
    },
  }
end

--- The server of a buffer, nil where none is attached.
---@param buffer integer?
---@return vim.lsp.Client?
function M.of(buffer)
  local found = vim.lsp.get_clients({ name = 'sqlscribe', bufnr = buffer or 0 })
  return found[1]
end

--- Whether a text has been changed since an edit of it was worked out.
---@param edit lsp.WorkspaceEdit
---@return boolean
function M.is_late(edit)
  for _, change in ipairs(edit.documentChanges or {}) do
    local document = change.textDocument
    local version = document and document.version
    if type(version) == 'number' then
      local buffer = vim.uri_to_bufnr(document.uri)
      local now = vim.lsp.util.buf_versions[buffer]
      if now and now > version then
        return true
      end
    end
  end
  return false
end

--- Makes an edit whole, or not at all. Neovim leaves a late edit out without saying so.
---@param edit lsp.WorkspaceEdit
---@param client vim.lsp.Client
---@return boolean made
function M.apply(edit, client)
  if M.is_late(edit) then
    return false
  end
  vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
  return true
end

--- Answers `workspace/applyEdit`, so that the server keeps what could not be made.
function M.apply_request(err, params, context)
  if M.is_late(params.edit) then
    return { applied = false, failureReason = 'the text has changed' }
  end
  return vim.lsp.handlers['workspace/applyEdit'](err, params, context)
end

return M
