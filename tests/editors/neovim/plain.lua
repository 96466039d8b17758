-- With the configuration file alone and Neovim's own keys.
return function(desk, result)
  desk.client()
  desk.press('K')
  result.hover = desk.wait('the hover', desk.floating)
  vim.cmd.fclose({ bang = true })

  local before = #desk.lines()
  desk.take('Generate SQL')
  desk.press('gra')
  desk.wait('the SQL', function() return #desk.lines() > before end)
  result.menu = desk.menu
  result.lines = desk.lines()

  result.wrong = desk.diagnostic('name/unknown-column')
  -- The finding is on the text as it was; the fix has to be one for the text as it is.
  desk.wait('the diagnostic of the new text', function()
    return desk.diagnostic('name/unknown-column').lnum == 3
  end)
  result.wrong = desk.diagnostic('name/unknown-column')
  desk.go('nme', 'nme')
  desk.take('Change to full_name')
  desk.press('gra')
  desk.wait('the quick fix', function() return not desk.text():find('nme', 1, true) end)
  result.fixed = desk.lines()[4]

  vim.lsp.codelens.refresh({ bufnr = 0 })
  result.lenses = desk.wait('the lenses', function()
    local titles = {}
    for _, lens in ipairs(vim.lsp.codelens.get(0)) do
      titles[#titles + 1] = lens.command and lens.command.title
    end
    return #titles >= 3 and titles
  end)
end
