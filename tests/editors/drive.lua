-- Drives a real Neovim as a person would: open, hover, code action, diagnostics.
-- Arguments: file to open, file to write the result to. Ends with os.exit.
local file, result_file = arg[1], arg[2]
local result = {}

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

local function finish(ok, err)
  result.error = not ok and tostring(err) or nil
  local out = assert(io.open(result_file, 'w'))
  out:write(vim.json.encode(result))
  out:close()
  os.exit(ok and 0 or 1)
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local buffer = vim.api.nvim_win_get_buf(window)
      return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    end
  end
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

finish(pcall(function()
  vim.cmd.edit(file)
  vim.bo.filetype = 'sql'
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.config('sqlscribe', dofile(vim.env.SQLSCRIBE_LUA))
  vim.lsp.enable('sqlscribe')
  wait('the server', function()
    return #vim.lsp.get_clients({ bufnr = buffer, name = 'sqlscribe' }) > 0
  end)

  vim.api.nvim_win_set_cursor(0, { 1, 6 })
  vim.lsp.buf.hover()
  wait('the hover', floating_text)
  result.hover = floating_text()

  local client = vim.lsp.get_clients({ bufnr = buffer, name = 'sqlscribe' })[1]
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {} }
  local offered = client:request_sync('textDocument/codeAction', params, 10000, buffer)
  result.actions = vim.tbl_map(function(action) return action.title end, offered.result)

  local before = #lines(buffer)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.title == 'Generate SQL' end,
  })
  wait('the SQL', function() return #lines(buffer) > before end)
  result.lines = lines(buffer)

  wait('the diagnostics of the new text', function()
    local found = vim.diagnostic.get(buffer)[1]
    return found and lines(buffer)[found.lnum + 1]:find('nme', 1, true)
  end)
  result.diagnostics = vim.tbl_map(function(found)
    return { code = found.code, lnum = found.lnum, col = found.col, message = found.message }
  end, vim.diagnostic.get(buffer))
end))
