-- Text that is typed while an answer is under way stays, and the answer finds its place; even
-- when the typing crosses the answer on its way.
return function(desk, result)
  desk.client()
  result.asked = 0
  vim.api.nvim_create_autocmd('LspRequest', {
    callback = function(event)
      local request = event.data.request
      if request.method == 'sqlscribe/answer' and request.type == 'pending' then
        result.asked = result.asked + 1
      end
    end,
  })
  vim.api.nvim_create_autocmd('LspProgress', {
    pattern = 'end',
    once = true,
    -- The answer is made, and stands in the pipe behind this very message.
    callback = function()
      vim.api.nvim_buf_set_lines(0, 0, 1, false, { '-- typed again', '-- and again' })
    end,
  })
  vim.cmd.SQLScribe('ask')
  desk.wait('the model to be asked', function() return vim.uv.fs_stat(vim.env.ASKED) end)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '-- typed meanwhile', '' })
  vim.fn.writefile({}, vim.env.GO)
  desk.wait('the SQL', function() return desk.text():find('SELECT full_name', 1, true) end)
  result.lines = desk.lines()
end
