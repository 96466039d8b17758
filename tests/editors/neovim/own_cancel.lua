-- A slow answer, asked for with Neovim's own key, ends with the line of the plain recipe.
return function(desk, result)
  local client = desk.client()
  desk.take('Generate SQL')
  desk.press('gra')
  local function pending()
    for id, request in pairs(client.requests) do
      if request.method == 'codeAction/resolve' and request.type == 'pending' then
        return id
      end
    end
  end
  desk.wait('the request', pending)
  desk.wait('the model to be asked', function() return vim.uv.fs_stat(vim.env.ASKED) end)
  result.before = desk.text()
  client:exec_cmd({ title = 'stop', command = 'sqlscribe.cancel' })
  desk.wait('the request to end', function() return next(client.requests) == nil end)
  result.after = desk.text()
end
