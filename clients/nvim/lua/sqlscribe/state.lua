-- The state of answers behind their questions: checked, stale, what is being asked.
-- The server tells it in its code lenses; what those offer besides is in the menu.
local client_of = require('sqlscribe.client').of

local M = {}

local SPACE = vim.api.nvim_create_namespace('sqlscribe.state')
local QUIET_MS = 200

--- Lenses that say something of their own, or that a running answer is at.
local TELLING = { state = true, generate = true, refine = true, repair = true }

---@type table<integer, integer> the last refresh that was asked for, by buffer
local asked = {}

local GROUPS = {
  { '^answering', 'SQLScribeRunning', 'DiagnosticInfo' },
  { '^stale', 'SQLScribeStale', 'DiagnosticHint' },
  { '^%d+ finding', 'SQLScribeFindings', 'DiagnosticWarn' },
  { '^not checked', 'SQLScribeUnchecked', 'Comment' },
  { '^checked', 'SQLScribeChecked', 'DiagnosticOk' },
}

local function group_of(title)
  for _, each in ipairs(GROUPS) do
    if title:find(each[1]) then
      return each[2]
    end
  end
  return 'SQLScribeUnchecked'
end

--- The lines of a buffer that somebody sees, from 0, or nil.
local function seen(buffer)
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    return nil
  end
  return vim.fn.line('w0', window) - 1, vim.fn.line('w$', window) - 1
end

local function draw(buffer, states)
  vim.api.nvim_buf_clear_namespace(buffer, SPACE, 0, -1)
  for line, title in pairs(states) do
    if line < vim.api.nvim_buf_line_count(buffer) then
      vim.api.nvim_buf_set_extmark(buffer, SPACE, line, 0, {
        virt_text = { { '  ' .. title, group_of(title) } },
        hl_mode = 'combine',
      })
    end
  end
end

--- Works out the lenses that are seen, and draws them once all are there.
local function resolve(client, buffer, lenses, version)
  local states, left = {}, #lenses
  local function one_less()
    left = left - 1
    if left <= 0 and vim.api.nvim_buf_is_valid(buffer) then
      if vim.api.nvim_buf_get_changedtick(buffer) == version then
        draw(buffer, states)
      end
    end
  end
  if left == 0 then
    return one_less()
  end
  for _, lens in ipairs(lenses) do
    local what = lens.data:match('[^/]*$')
    client:request('codeLens/resolve', lens, function(_, whole)
      local command = whole and whole.command
      -- A lens that would do something is an offer; only the state's own may do so.
      if command and command.title ~= '' and (command.command == '' or what == 'state') then
        states[lens.range.start.line] = command.title
      end
      one_less()
    end, buffer)
  end
end

local function refresh(buffer)
  local client = vim.api.nvim_buf_is_valid(buffer) and client_of(buffer)
  local first, last = seen(buffer)
  if not client or not first then
    return
  end
  local version = vim.api.nvim_buf_get_changedtick(buffer)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  client:request('textDocument/codeLens', params, function(err, lenses)
    if err then
      return
    end
    local telling = vim.tbl_filter(function(lens)
      local line = lens.range.start.line
      local what = type(lens.data) == 'string' and lens.data:match('[^/]*$')
      return TELLING[what] and line >= first and line <= last
    end, lenses or {})
    resolve(client, buffer, telling, version)
  end, buffer)
end

--- Draws the states of a buffer anew, once nobody has typed for a moment.
---@param buffer integer
function M.refresh_soon(buffer)
  local number = (asked[buffer] or 0) + 1
  asked[buffer] = number
  vim.defer_fn(function()
    if asked[buffer] == number then
      refresh(buffer)
    end
  end, QUIET_MS)
end

local function refresh_all(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if client and client.name == 'sqlscribe' then
    for buffer in pairs(client.attached_buffers) do
      M.refresh_soon(buffer)
    end
  end
end

--- Answers `workspace/codeLens/refresh`.
function M.refresh_request(err, params, context)
  refresh_all(context.client_id)
  -- Neovim 0.12 draws lenses of its own where the person wants them.
  local own = vim.lsp.handlers['workspace/codeLens/refresh']
  return own and own(err, params, context) or vim.NIL
end

--- Follows the texts and the server. Called once.
---@param group integer
function M.start(group)
  for _, each in ipairs(GROUPS) do
    vim.api.nvim_set_hl(0, each[2], { link = each[3], default = true })
  end
  vim.api.nvim_create_autocmd('LspProgress', {
    group = group,
    callback = function(event)
      refresh_all(event.data.client_id)
    end,
  })
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'sqlscribe' and vim.api.nvim_buf_is_valid(event.buf) then
        vim.api.nvim_buf_clear_namespace(event.buf, SPACE, 0, -1)
      end
    end,
  })
end

--- Follows one buffer.
---@param buffer integer
function M.attach(buffer)
  local group = vim.api.nvim_create_augroup('sqlscribe.state.' .. buffer, { clear = true })
  local events = { 'TextChanged', 'TextChangedI', 'DiagnosticChanged', 'BufWinEnter', 'WinScrolled' }
  vim.api.nvim_create_autocmd(events, {
    group = group,
    buffer = buffer,
    callback = function()
      if client_of(buffer) then
        M.refresh_soon(buffer)
      end
    end,
  })
  M.refresh_soon(buffer)
end

return M
