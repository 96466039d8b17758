-- The command alone; nothing is started or drawn before setup() is called.
if vim.g.loaded_sqlscribe then
  return
end
vim.g.loaded_sqlscribe = true
if vim.fn.has('nvim-0.11') == 1 then
  require('sqlscribe.commands').define()
end
