-- The options of setup(), with their defaults.
local M = {}

---@class sqlscribe.Options
---@field cmd? string[] how the server is started
---@field settings? table the keys of sqlscribe.toml; they come before the file's
---@field filetypes? string[]
---@field root_markers? string[]
---@field enable? boolean start the server for SQL files
---@field state? boolean show the state of answers behind their questions
---@field inline_completion? boolean ghost text, where Neovim has it (0.12)
---@field preview? { split?: 'left'|'right'|'above'|'below' }
---@field keymaps? boolean|table<string, string> words of :SQLScribe and their keys

local defaults = {
  cmd = { 'sqlscribe', 'serve' },
  settings = {},
  enable = true,
  state = true,
  inline_completion = true,
  preview = { split = 'right' },
  keymaps = false,
}

local types = {
  cmd = 'table',
  settings = 'table',
  filetypes = 'table',
  root_markers = 'table',
  enable = 'boolean',
  state = 'boolean',
  inline_completion = 'boolean',
  preview = 'table',
  keymaps = { 'boolean', 'table' },
}

--- The keys of `keymaps = true`.
local keys = {
  ask = '<leader>qa',
  regenerate = '<leader>qr',
  preview = '<leader>qp',
  save = '<leader>qs',
  explain = '<leader>qe',
  format = '<leader>qf',
  stop = '<leader>qq',
}

---@type sqlscribe.Options
M.chosen = vim.deepcopy(defaults)

--- The options with the defaults under them. An error where one is unknown or of a wrong type.
---@param options sqlscribe.Options?
---@return sqlscribe.Options
function M.choose(options)
  vim.validate('options', options, 'table', true)
  for name, value in pairs(options or {}) do
    if not types[name] then
      error(('sqlscribe: there is no option "%s"; see :help sqlscribe-setup'):format(name), 0)
    end
    vim.validate('sqlscribe: ' .. name, value, types[name])
  end
  M.chosen = vim.tbl_deep_extend('force', vim.deepcopy(defaults), options or {})
  -- A list is one value, and is not mixed with the default one.
  M.chosen.cmd = (options or {}).cmd or defaults.cmd
  if M.chosen.keymaps == true then
    M.chosen.keymaps = keys
  end
  return M.chosen
end

return M
