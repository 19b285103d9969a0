-- Waits for a diagnostic of the server, prints it with its related places, and ends.
local left = 600

local function show()
  left = left - 1
  if #vim.diagnostic.get(0) == 0 and left > 0 then
    -- Nothing may block meanwhile: newer releases start servers only once they have started themselves.
    return vim.defer_fn(show, 100)
  end
  for _, found in ipairs(vim.diagnostic.get(0)) do
    local lsp = (found.user_data or {}).lsp or {}
    local line, code = found.lnum + 1, lsp.code or found.code
    io.stdout:write(("%s:%d: %s[%s]: %s\n"):format(vim.fn.expand("%:t"), line, found.source, code, found.message))
    for _, place in ipairs(lsp.relatedInformation or {}) do
      local file = vim.fn.fnamemodify(vim.uri_to_fname(place.location.uri), ":t")
      io.stdout:write(("%s:%d: %s\n"):format(file, place.location.range.start.line + 1, place.message))
    end
  end
  vim.cmd("qall!")
end

vim.defer_fn(show, 100)
