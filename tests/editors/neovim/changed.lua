-- A question that becomes another one while it is answered gets no answer to the old one.
return function(desk, result)
  desk.client()
  vim.cmd.SQLScribe('ask')
  desk.wait('the model to be asked', function() return vim.uv.fs_stat(vim.env.ASKED) end)
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { '-- ask: something else' })
  -- Any request tells the server of the typing first.
  desk.client():request_sync('textDocument/documentSymbol', {
    textDocument = vim.lsp.util.make_text_document_params(0),
  }, 10000, 0)
  vim.fn.writefile({}, vim.env.GO)
  desk.has_said('the question changed meanwhile')
  result.changed = desk.lines()
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { '-- ask: all names' })
  desk.take('Use stored answer')
  vim.cmd.SQLScribe()
  desk.wait('the SQL', function() return desk.text():find('SELECT full_name', 1, true) end)
end
