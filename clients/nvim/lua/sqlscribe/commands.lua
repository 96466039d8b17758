-- `:SQLScribe WORD`: everything that a person can start from the command line.
local M = {}

--- What most people convert to; the server takes every dialect of sqlglot.
local DIALECTS = {
  'bigquery', 'clickhouse', 'databricks', 'duckdb', 'mysql', 'oracle', 'postgres',
  'redshift', 'snowflake', 'spark', 'sqlite', 'trino', 'tsql',
}

local function actions()
  return require('sqlscribe.actions')
end

local function command(name)
  return function()
    actions().execute(name)
  end
end

local function convert(to)
  if to then
    return actions().execute('sqlscribe.convert', { to = to })
  end
  vim.ui.select(DIALECTS, { prompt = 'Convert to' }, function(chosen)
    if chosen then
      convert(chosen)
    end
  end)
end

local function status()
  local running = require('sqlscribe.running')
  local clients = vim.lsp.get_clients({ name = 'sqlscribe' })
  if #clients == 0 then
    return running.say('no server is running; see :checkhealth sqlscribe')
  end
  for _, client in ipairs(clients) do
    local version = client.server_info and client.server_info.version or ''
    local stage = running.stage()
    running.say(('server %s for %s, %s'):format(
      version, client.root_dir or 'files without a folder', stage ~= '' and stage or 'idle'))
  end
end

---@class sqlscribe.Word
---@field run fun(argument: string?)
---@field values? string[] what its argument may be

---@type table<string, sqlscribe.Word>
M.words = {
  ask = { run = function() actions().answer() end },
  regenerate = { run = function() actions().answer(true) end },
  refine = { run = function() actions().refine() end },
  preview = { run = command('sqlscribe.preview') },
  save = {
    run = function(how)
      actions().execute('sqlscribe.saveExample', { replace = how == 'replace' })
    end,
    values = { 'replace' },
  },
  accept = { run = command('sqlscribe.acceptAnswer') },
  explain = { run = command('sqlscribe.explain') },
  question = { run = command('sqlscribe.writeQuestion') },
  format = { run = command('sqlscribe.format') },
  convert = { run = convert, values = DIALECTS },
  stop = { run = function() require('sqlscribe.running').stop() end },
  status = { run = status },
  health = { run = function() vim.cmd.checkhealth('sqlscribe') end },
}

local function starting_with(words, typed)
  return vim.tbl_filter(function(word) return vim.startswith(word, typed) end, words)
end

--- What may stand next on the command line.
---@param typed string
---@param line string
---@return string[]
function M.complete(typed, line)
  local before = vim.split(vim.trim(line:sub(1, #line - #typed)), '%s+')
  if #before == 1 then
    local words = vim.tbl_keys(M.words)
    table.sort(words)
    return starting_with(words, typed)
  end
  local word = M.words[before[2]]
  return #before == 2 and word and starting_with(word.values or {}, typed) or {}
end

local function run(call)
  local name, argument = call.fargs[1], call.fargs[2]
  if not name then
    return actions().menu()
  end
  local word = M.words[name]
  if not word then
    return require('sqlscribe.running').say(
      ('there is no "%s"; see :help :SQLScribe'):format(name), vim.log.levels.ERROR)
  end
  if #call.fargs > (word.values and 2 or 1) then
    return require('sqlscribe.running').say(
      ('"%s" takes %s'):format(name, word.values and 'one word' or 'nothing more'),
      vim.log.levels.ERROR)
  end
  word.run(argument)
end

--- Defines the command; again does no harm.
function M.define()
  vim.api.nvim_create_user_command('SQLScribe', run, {
    nargs = '*',
    -- From a visual selection the cursor is what counts.
    range = true,
    complete = M.complete,
    desc = 'Ask, check, save and change SQL with SQLScribe',
  })
end

return M
