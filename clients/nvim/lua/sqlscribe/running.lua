-- Requests that wait for a model: sent without blocking, told how they went, and stopped.
local M = {}

--- What may take as long as a model does.
local SLOW = { ['sqlscribe/answer'] = true, ['codeAction/resolve'] = true }
local CANCELLED = -32800

local tokens = 0
--- The stages of what is under way, by the token of their progress.
local stages = {}

---@param sentence string
---@param level integer?
function M.say(sentence, level)
  vim.notify('SQLScribe: ' .. sentence, level or vim.log.levels.INFO)
end

--- A token under which the server reports the progress of one request.
---@return string
function M.token()
  tokens = tokens + 1
  return 'sqlscribe.nvim-' .. tokens
end

--- Sends a request; `done` gets its result, which may be nil. What goes wrong is said.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param buffer integer
---@param done fun(result: any)
function M.request(client, method, params, buffer, done)
  local sent = client:request(method, params, function(err, result)
    if not err then
      done(result)
    elseif err.code ~= CANCELLED then
      M.say(err.message, vim.log.levels.ERROR)
    end
  end, buffer)
  if not sent then
    M.say('the server has stopped; see :checkhealth sqlscribe', vim.log.levels.ERROR)
  end
end

--- Starts one of the server's commands; what comes of it is an edit that the server sends.
---@param client vim.lsp.Client
---@param command string
---@param target table?
function M.execute(client, command, target)
  local params = { command = command, arguments = { target } }
  -- The buffer by its number: for 0 Neovim 0.11 does not send first what was typed just now.
  local buffer = vim.api.nvim_get_current_buf()
  M.request(client, 'workspace/executeCommand', params, buffer, function() end)
end

--- Stops everything that waits for a model, in all buffers.
function M.stop()
  local clients = vim.lsp.get_clients({ name = 'sqlscribe' })
  local stopped = 0
  for _, client in ipairs(clients) do
    local requests = 0
    for id, request in pairs(client.requests) do
      if request.type == 'pending' and SLOW[request.method] then
        requests = requests + 1
        client:cancel_request(id)
      end
    end
    -- More progress than requests: commands are under way as well.
    if vim.tbl_count(client.progress.pending) > requests then
      stopped = stopped + 1
      M.execute(client, 'sqlscribe.cancel')
    end
    stopped = stopped + requests
  end
  M.say(stopped == 0 and 'nothing is being answered' or 'stopped')
end

--- The stage of what is being answered, '' where nothing is.
---@return string
function M.stage()
  local _, stage = next(stages)
  if not stage then
    return ''
  end
  return stage == '' and 'answering' or 'answering: ' .. stage
end

--- Follows the progress that the server reports.
---@param group integer
function M.watch(group)
  vim.api.nvim_create_autocmd({ 'LspProgress', 'LspDetach' }, {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'sqlscribe' then
        return
      end
      if event.event == 'LspDetach' then
        stages = {}
        return
      end
      local token, value = event.data.params.token, event.data.params.value
      stages[token] = value.kind ~= 'end' and (value.message or '') or nil
    end,
  })
end

return M
