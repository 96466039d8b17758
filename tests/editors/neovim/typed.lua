-- SQL that is written under a question in the moment its answer comes stays as it is.
return function(desk, result)
  desk.client()
  vim.cmd.SQLScribe('ask')
  desk.wait('the model to be asked', function() return vim.uv.fs_stat(vim.env.ASKED) end)
  vim.fn.writefile({}, vim.env.GO)
  -- The answer is on its way, and Neovim does not look at it while somebody types.
  vim.uv.sleep(2000)
  vim.api.nvim_buf_set_lines(0, 1, 1, false, { 'SELECT 1;' })
  desk.has_said('the question changed meanwhile, or its SQL')
  result.lines = desk.lines()
end
