-- What can be done at the cursor. Nothing here blocks, and nothing but an edit of the server's
-- ever changes the text.
local client_of = require('sqlscribe.client').of
local apply = require('sqlscribe.client').apply
local running = require('sqlscribe.running')

local M = {}

--- The words above an answer may be typed on while it is made; then it is asked for again, and
--- the server has it already.
local MOST_TRIES = 3
local MOST_LINES = 500

local CHANGED =
  'the question changed meanwhile, or its SQL: run it again, or use the stored answer'

local SPACE = vim.api.nvim_create_namespace('sqlscribe.actions')

---@param done fun(client: vim.lsp.Client, buffer: integer)
local function with_client(done)
  local client = client_of()
  if client then
    return done(client, vim.api.nvim_get_current_buf())
  end
  running.say('no server is attached to this buffer; see :checkhealth sqlscribe', vim.log.levels.WARN)
end

--- The place of the cursor as requests of the server take it.
---@param client vim.lsp.Client
---@return { textDocument: table, position: table }
local function here(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

--- The code actions of the server at a place.
local function offered(client, buffer, place, done)
  local at = place.position
  local diagnostics = vim.diagnostic.get(buffer, { lnum = at.line })
  local params = {
    textDocument = place.textDocument,
    range = { start = at, ['end'] = at },
    context = { diagnostics = vim.lsp.diagnostic.from(diagnostics), triggerKind = 1 },
  }
  running.request(client, 'textDocument/codeAction', params, buffer, function(actions)
    done(actions or {})
  end)
end

--- Carries out a code action, as the menu would.
local function carry_out(client, buffer, action, after)
  local function finish(whole)
    if whole.edit and not apply(whole.edit, client) then
      return running.say('the text has changed: run it again', vim.log.levels.WARN)
    end
    if whole.command then
      client:exec_cmd(whole.command, { bufnr = buffer })
    end
    if after then
      after(whole)
    end
  end
  if action.edit or action.command or not action.data then
    return finish(action)
  end
  running.request(client, 'codeAction/resolve', action, buffer, finish)
end

--- Carries out the first action at a place that `fits`.
local function first(client, buffer, place, fits, nothing, after)
  offered(client, buffer, place, function(actions)
    for _, action in ipairs(actions) do
      if fits(action, action.data or {}) then
        return carry_out(client, buffer, action, after)
      end
    end
    running.say(nothing)
  end)
end

--- Lets the person choose among the readings that the model saw in a question.
local function choose(client, buffer, place, readings)
  vim.ui.select(readings, { prompt = 'What is meant?' }, function(reading)
    if reading then
      first(client, buffer, place, function(_, data)
        return data.reading == reading
      end, CHANGED)
    end
  end)
end

--- What the person should read about an answer; '' where the SQL says it all.
local function said(answer)
  return table.concat(vim.list_extend({ answer.message }, answer.warnings or {}), '; ')
end

--- Keeps a place while the text around it is typed on.
---@return fun(): table place where it is now
---@return fun() forget
local function follow(client, buffer)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local mark = vim.api.nvim_buf_set_extmark(buffer, SPACE, row - 1, column, {})
  return function()
    local at = vim.api.nvim_buf_get_extmark_by_id(buffer, SPACE, mark, {})
    local line = vim.api.nvim_buf_get_lines(buffer, at[1], at[1] + 1, false)[1] or ''
    local character = vim.str_utfindex(line, client.offset_encoding, at[2], false)
    return {
      textDocument = vim.lsp.util.make_text_document_params(buffer),
      position = { line = at[1], character = character },
    }
  end, function()
    vim.api.nvim_buf_del_extmark(buffer, SPACE, mark)
  end
end

--- What stands under a question, up to the next blank line: its SQL, if it has some.
local function under(buffer, place)
  local lines = {}
  local row = place.position.line + 1
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, row, row + MOST_LINES, false)) do
    if not line:find('%S') then
      break
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, '\n')
end

local function answer_at(client, buffer, place, regenerate, done, tries)
  local before = under(buffer, place())
  local more = { regenerate = regenerate, workDoneToken = running.token() }
  local params = vim.tbl_extend('error', place(), more)
  running.request(client, 'sqlscribe/answer', params, buffer, function(answer)
    if not vim.api.nvim_buf_is_valid(buffer) then
      return
    end
    if not answer then
      return done('there is no question here')
    end
    if answer.outcome == 'sql' and not answer.edit then
      return done(CHANGED)
    end
    if answer.edit and not apply(answer.edit, client) then
      -- Asked for again where SQL was written meanwhile, the answer would take its place.
      if tries < MOST_TRIES and under(buffer, place()) == before then
        return answer_at(client, buffer, place, false, done, tries + 1)
      end
      return done(CHANGED)
    end
    if answer.outcome == 'needs_choice' then
      choose(client, buffer, place(), answer.choices)
    end
    done(said(answer), answer.outcome == 'sql')
  end)
end

--- Answers the question at the cursor, whatever kind it is of.
---@param regenerate boolean? ask the model though there is an answer already
function M.answer(regenerate)
  with_client(function(client, buffer)
    local place, forget = follow(client, buffer)
    answer_at(client, buffer, place, regenerate or false, function(sentence, ok)
      forget()
      if sentence ~= '' then
        running.say(sentence, ok and vim.log.levels.INFO or vim.log.levels.WARN)
      end
    end, 1)
  end)
end

--- Refines the answer here: writes the comment for it, or carries out the one at the cursor.
function M.refine()
  local function fits(action, data)
    return data.kind == 'refine' and data['do'] == 'answer'
      or action.title == 'Write a refinement'
  end
  local nothing = 'put the cursor on an answer, or on the refinement under it'
  with_client(function(client, buffer)
    first(client, buffer, here(client), fits, nothing, function(action)
      if action.title == 'Write a refinement' then
        M.to_end_of(action.edit)
      end
    end)
  end)
end

--- Puts the cursor behind what an edit has inserted, ready to type.
---@param edit lsp.WorkspaceEdit
function M.to_end_of(edit)
  local change = edit.documentChanges[1].edits[1]
  local added = select(2, change.newText:gsub('\n', ''))
  vim.api.nvim_win_set_cursor(0, { change.range.start.line + 1 + added, 0 })
  vim.cmd.startinsert({ bang = true })
end

--- Starts one of the server's commands for the question or statement at the cursor.
---@param command string
---@param more table?
function M.execute(command, more)
  with_client(function(client)
    local target = vim.tbl_extend('error', here(client), more or {})
    running.execute(client, command, target)
  end)
end

--- The menu of everything that can be done here.
function M.menu()
  with_client(function(client, buffer)
    offered(client, buffer, here(client), function(actions)
      if #actions == 0 then
        return running.say('there is nothing to do here: put the cursor on a question or a statement')
      end
      local how = {
        prompt = 'SQLScribe',
        format_item = function(action)
          return action.title
        end,
      }
      vim.ui.select(actions, how, function(action)
        if action then
          carry_out(client, buffer, action)
        end
      end)
    end)
  end)
end

return M
