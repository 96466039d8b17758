-- A question that can be read in two ways: the person says which, and the text keeps it.
return function(desk, result)
  desk.client()
  desk.take('by payment date')
  vim.cmd.SQLScribe('ask')
  desk.wait('the SQL', function() return desk.text():find('SELECT', 1, true) end)
  result.menu = desk.menu
  result.lines = desk.lines()
end
