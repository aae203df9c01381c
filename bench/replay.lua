-- Replays the requests of a plan in turn, one request per line: METHOD <tab> PATH <tab> BODY.
-- wrk -s replay.lua URL -- PLAN_FILE API_KEY

function init(args)
  local file, key = args[1], args[2]
  local prepared = {}
  for line in io.lines(file) do
    local method, path, body = line:match('^([^\t]*)\t([^\t]*)\t(.*)$')
    wrk.method, wrk.path, wrk.body = method, path, body ~= '' and body or nil
    wrk.headers['Authorization'] = 'Bearer ' .. key
    wrk.headers['Content-Type'] = body ~= '' and 'application/json' or nil
    prepared[#prepared + 1] = wrk.format()
  end
  -- Without a request function, wrk sends the one prepared request at the lowest cost.
  if #prepared == 1 then return end

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
