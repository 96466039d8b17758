-- :checkhealth sqlscribe
local M = {}

local PATIENCE_MS = 20000

--- The command that starts the server, as it is configured now.
local function command()
  local configured = (vim.lsp.config.sqlscribe or {}).cmd
  return type(configured) == 'table' and configured or { 'sqlscribe', 'serve' }
end

--- What a command of the server's program says, or nil and why not.
local function output(arguments, folder)
  local ok, done = pcall(function()
    return vim.system(arguments, { text = true, cwd = folder }):wait(PATIENCE_MS)
  end)
  if not ok then
    return nil, tostring(done)
  end
  -- Findings in the workspace are no failure.
  if done.code ~= 0 and done.stdout == '' then
    return nil, vim.trim(done.stderr ~= '' and done.stderr or ('it ended with ' .. done.code))
  end
  return vim.trim(done.stdout)
end

local function neovim()
  vim.health.start('Neovim')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('SQLScribe needs Neovim 0.11 or newer')
    return false
  end
  vim.health.ok(tostring(vim.version()))
  if vim.lsp.inline_completion then
    vim.health.ok('ghost text can be shown')
  else
    vim.health.info('ghost text needs Neovim 0.12; all else works')
  end
  return true
end

local function program(cmd)
  vim.health.start('The server')
  if vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(('`%s` is not found'):format(cmd[1]), {
      'install it: pip install sqlscribe (or pipx install, uv tool install)',
      "or name it: require('sqlscribe').setup({ cmd = { '/path/to/sqlscribe', 'serve' } })",
    })
    return false
  end
  local version, why = output({ cmd[1], '--version' })
  if not version then
    vim.health.error(('`%s --version` says nothing: %s'):format(cmd[1], why))
    return false
  end
  vim.health.ok(('%s, at %s'):format(version, vim.fn.exepath(cmd[1])))
  return true
end

local function clients()
  vim.health.start('Buffers')
  local found = vim.lsp.get_clients({ name = 'sqlscribe' })
  if #found == 0 then
    local hint = "open a SQL file; vim.lsp.enable('sqlscribe') or setup() must have been called"
    vim.health.info('no server is running: ' .. hint)
  end
  for _, client in ipairs(found) do
    local count = vim.tbl_count(client.attached_buffers)
    local root = client.root_dir
    if root then
      vim.health.ok(('%d buffer(s) of %s'):format(count, root))
    else
      vim.health.warn(('%d buffer(s) without a folder: schema, examples and rules are not found'):format(count), {
        'make a sqlscribe.toml (it may be empty), or a git repository, in the folder of your SQL',
      })
    end
  end
  return found[1] and found[1].root_dir
end

local SHOWN = { 'configuration', 'dialect', 'schema', 'examples', 'findings', 'model', 'keys', 'database' }

--- What `sqlscribe doctor` finds, which an editor's user would not think to run.
local function doctor(cmd, folder)
  vim.health.start('The workspace')
  local said, why = output({ cmd[1], 'doctor', '--json' }, folder or vim.fn.getcwd())
  if not said then
    return vim.health.warn('`sqlscribe doctor` failed: ' .. why)
  end
  local ok, found = pcall(vim.json.decode, said)
  if not ok then
    return vim.health.warn('`sqlscribe doctor` says what is no JSON')
  end
  for _, name in ipairs(SHOWN) do
    if found.facts[name] then
      vim.health.info(name .. ': ' .. found.facts[name])
    end
  end
end

function M.check()
  if not neovim() then
    return
  end
  local cmd = command()
  local works = program(cmd)
  local folder = clients()
  -- Another command than our own program, such as a container's, has no doctor that is known.
  if works and cmd[2] == 'serve' then
    doctor(cmd, folder)
  end
end

return M
