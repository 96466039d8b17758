-- A person at a real Neovim: presses keys, runs commands, looks at what is drawn.
-- Run as `nvim … FILE -S desk.lua`; the environment names the scenario and where its result goes.
local desk = { said = {}, choices = {} }

function desk.wait(what, condition)
  local found
  local done = vim.wait(30000, function()
    found = condition()
    return found
  end, 20)
  if not done then
    error('waited in vain for ' .. what .. '; was told: ' .. vim.inspect(desk.said))
  end
  return found
end

function desk.lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)
end

function desk.text()
  return table.concat(desk.lines(), '\n')
end

function desk.client()
  return desk.wait('the server', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'sqlscribe' })[1]
    return client and client.initialized and client
  end)
end

--- Puts the cursor on the first line that holds some words; at them with `on`.
function desk.go(words, on)
  for number, line in ipairs(desk.lines()) do
    local at = line:find(on or words, 1, true)
    if line:find(words, 1, true) then
      vim.api.nvim_win_set_cursor(0, { number, (on and at or 1) - 1 })
      return number
    end
  end
  error('no line says ' .. words .. ':\n' .. desk.text())
end

--- Presses keys as they are mapped.
function desk.press(keys)
  vim.cmd.normal(vim.keycode(keys))
end

--- Takes the entry of that title in the next menu; the menu's titles are in `desk.menu`.
function desk.take(title)
  vim.ui.select = function(items, how, chosen)
    local name = how.format_item or tostring
    desk.menu = vim.tbl_map(name, items)
    for _, item in ipairs(items) do
      if vim.startswith(name(item), title) then
        return chosen(item)
      end
    end
    error(title .. ' is not among ' .. vim.inspect(desk.menu))
  end
end

function desk.has_said(words)
  return desk.wait('being told ' .. words, function()
    for _, sentence in ipairs(desk.said) do
      if sentence:find(words, 1, true) then
        return sentence
      end
    end
  end)
end

function desk.floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(desk.lines(vim.api.nvim_win_get_buf(window)), '\n')
    end
  end
end

--- What stands behind the lines of this buffer, by line from 0.
function desk.states()
  local space = vim.api.nvim_get_namespaces()['sqlscribe.state']
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
    local chunk = mark[4].virt_text[1]
    found[#found + 1] = { line = mark[2], text = vim.trim(chunk[1]), group = chunk[2] }
  end
  return found
end

function desk.state(words)
  return desk.wait('the state ' .. words, function()
    for _, each in ipairs(desk.states()) do
      if each.text:find(words, 1, true) then
        return each
      end
    end
  end)
end

function desk.diagnostic(code)
  return desk.wait('a diagnostic ' .. code, function()
    for _, found in ipairs(vim.diagnostic.get(0)) do
      if found.code == code then
        return { lnum = found.lnum, col = found.col, message = found.message }
      end
    end
  end)
end

vim.notify = function(sentence)
  table.insert(desk.said, sentence)
end
local show = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, params, context)
  table.insert(desk.said, params.message)
  return show(err, params, context)
end

local result = {}
local ok, err = xpcall(function()
  dofile(vim.env.SCENARIO)(desk, result)
end, debug.traceback)
result.error = not ok and tostring(err) or nil
result.said = desk.said
local out = assert(io.open(vim.env.RESULT, 'w'))
out:write(vim.json.encode(result))
out:close()
vim.cmd.cquit({ count = ok and 0 or 1, bang = true })
