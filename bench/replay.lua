-- Replays the requests of a plan in turn, one request per line: METHOD <tab> PATH <tab> BODY.
-- wrk -s replay.lua URL -- PLAN_FILE API_KEY

function init(args)
  local file, key = args[1], args[2]
  local plan = {}
  for line in io.lines(file) do
    local method, path, body = line:match('^([^\t]*)\t([^\t]*)\t(.*)$')
    local headers = { ['Authorization'] = 'Bearer ' .. key }
    if body ~= '' then headers['Content-Type'] = 'application/json' end
    plan[#plan + 1] = { method = method, path = path, headers = headers, body = body ~= '' and body or nil }
  end

  if #plan == 1 then
    -- Without a request function, wrk sends one prepared request at the lowest cost.
    local only = plan[1]
    wrk.method, wrk.path, wrk.body = only.method, only.path, only.body
    for name, value in pairs(only.headers) do wrk.headers[name] = value end
    return
  end

  local prepared = {}
  for i, each in ipairs(plan) do
    prepared[i] = wrk.format(each.method, each.path, each.headers, each.body)
  end
  local last, count = 0, #prepared
  function request()
    last = last % count + 1
    return prepared[last]
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nRESULT {"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failures":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
