-- The plugin's commands: ask, see the state, look at the prompt, ask again, save.
return function(desk, result)
  local client = desk.client()
  vim.cmd.SQLScribe('preview')
  local window = desk.wait('the preview', function()
    for _, each in ipairs(vim.api.nvim_list_wins()) do
      local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(each))
      if vim.startswith(name, 'sqlscribe-prompt:') then
        return each
      end
    end
  end)
  local prompt = vim.api.nvim_win_get_buf(window)
  local function prompted(words)
    return desk.wait('a prompt with ' .. words, function()
      local text = table.concat(desk.lines(prompt), '\n')
      return text:find(words, 1, true) and text
    end)
  end
  prompted('names of customers')
  result.preview = {
    modifiable = vim.bo[prompt].modifiable,
    buftype = vim.bo[prompt].buftype,
    filetype = vim.bo[prompt].filetype,
    focused = vim.api.nvim_get_current_win() == window,
  }
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { '-- ask: names of customers in Rome' })
  prompted('names of customers in Rome')
  vim.api.nvim_win_close(window, true)

  vim.cmd.SQLScribe('ask')
  desk.wait('the SQL', function() return desk.text():find('SELECT full_name', 1, true) end)
  result.first = desk.lines()
  result.checked = desk.state('checked')

  -- From within the answer as well, and past the stored one.
  desk.go('SELECT full_name')
  -- Keys would begin a new step of undo here; a script has to say so.
  vim.cmd('let &undolevels = &undolevels')
  vim.cmd.SQLScribe('regenerate')
  desk.wait('other SQL', function() return desk.text():find('SELECT city', 1, true) end)
  result.second = desk.lines()
  vim.cmd.undo()
  result.undone = desk.lines()
  vim.cmd.redo()

  desk.go('names of customers')
  vim.cmd.SQLScribe('refine')
  desk.wait('the comment', function() return desk.text():find('-- refine: ', 1, true) end)
  result.refining = desk.lines()
  result.cursor = vim.api.nvim_win_get_cursor(0)
  vim.cmd.stopinsert()
  vim.api.nvim_buf_set_lines(0, 2, 3, false, { '-- refine: sorted' })
  desk.go('-- refine: sorted')
  vim.cmd.SQLScribe('refine')
  desk.wait('the refined SQL', function() return desk.text():find('ORDER BY 1', 1, true) end)
  result.refined = desk.lines()

  vim.cmd.SQLScribe('explain')
  desk.wait('the explanation', function() return desk.text():find('every name', 1, true) end)

  vim.cmd.SQLScribe('format')
  desk.wait('the layout', function() return desk.text():find('SELECT\n', 1, true) end)

  vim.cmd.SQLScribe('nonsense')
  vim.cmd.SQLScribe('status')
  result.version = client.server_info.version
end
