-- An answer that the person has edited becomes a verified example.
return function(desk, result)
  desk.client()
  desk.wait('the folder to be read', function()
    return #vim.diagnostic.get(0) > 0
  end)
  desk.take('Save as verified example')
  desk.press('gra')
  result.training = desk.wait('the example', function()
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      local name = vim.api.nvim_buf_get_name(buffer)
      local text = table.concat(desk.lines(buffer), '\n')
      if name:find('/training/', 1, true) and text:find('everybody', 1, true) then
        return text
      end
    end
  end)
end
