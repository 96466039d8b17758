-- While a model is slow, Neovim is not; and the answer can be stopped.
return function(desk, result)
  desk.client()
  vim.cmd.SQLScribe('stop')
  desk.has_said('nothing is being answered')

  vim.cmd.SQLScribe(vim.env.WORD)
  desk.wait('the model to be asked', function() return vim.uv.fs_stat(vim.env.ASKED) end)
  desk.wait('a stage', function() return require('sqlscribe').status():find('^answering') end)
  if vim.env.WORD == 'ask' then
    result.state = desk.state('answering')
  end
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '-- typed meanwhile' })
  result.before = desk.lines()
  vim.cmd.SQLScribe('stop')
  desk.wait('the end', function() return require('sqlscribe').status() == '' end)
  desk.wait('the state to go', function()
    for _, each in ipairs(desk.states()) do
      if each.text:find('answering', 1, true) then
        return false
      end
    end
    return true
  end)
  result.after = desk.lines()
end
