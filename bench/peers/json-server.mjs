import { writeFileSync } from 'node:fs'
import jsonServer from 'json-server'
import { INVALID_KEY } from './shared/errors.mjs'
import { keyCheck } from './shared/key.mjs'
import { readSettings } from './shared/settings.mjs'

const { port, key, file } = readSettings()
const hasKey = keyCheck(key)
writeFileSync(file, '{"pets":[]}')

const server = jsonServer.create()
server.use(jsonServer.defaults({ logger: false }))
server.use((request, response, next) => {
  if (hasKey(request.headers.authorization)) return next()
  response.status(401).set('WWW-Authenticate', 'Bearer realm="petstore"').json(INVALID_KEY)
})
server.use('/v1', jsonServer.router(file))
server.listen(port, '127.0.0.1')
