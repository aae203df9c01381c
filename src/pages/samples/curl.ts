import { PETS_PATH, VERSION_PREFIX } from '../../contract/servers.ts'
import { ALL, BASE, FIRST, KEY, LIST, type Samples, SITE, WRONG } from './topics.ts'

const AUTHORIZATION = `-H "Authorization: Bearer ${KEY}"`
const BODY = ["-H 'Content-Type: application/json'", `-d '{"name":"Rex","categoryId":7}'`]

/** A command with each option on its own line. */
const lines = (...parts: readonly string[]): string => parts.join(' \\\n  ')

export const FIRST_REQUEST = lines(`curl '${BASE}${PETS_PATH}'`, AUTHORIZATION)
export const INSTALL = `npm install ${SITE}/client.tgz`

export const curl: Samples = {
  listPets: lines(`curl -i '${BASE}${LIST}'`, AUTHORIZATION),
  createPet: lines(`curl -i '${BASE}${PETS_PATH}'`, AUTHORIZATION, ...BODY),
  getPet: lines(`curl -i '${BASE}${FIRST}'`, AUTHORIZATION),
  errors: lines(`curl -i '${BASE}${WRONG}'`, AUTHORIZATION),
  pages: `base='${BASE}'
head=$(mktemp)
next="$base${ALL}"
while [ -n "$next" ]; do
  curl -sS "$next" \\
    -D "$head" \\
    ${AUTHORIZATION}
  echo
  next=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' "$head")
  # A service without a configured base URL links by path.
  case $next in /*) next="\${base%${VERSION_PREFIX}}$next" ;; esac
done
rm "$head"`,
  repeats: `key="add-rex-$(date +%s)-$$"
# The second has Idempotent-Replayed: true and the same id.
for attempt in 1 2; do
  ${lines(`curl -i '${BASE}${PETS_PATH}'`, AUTHORIZATION, '-H "Idempotency-Key: $key"', ...BODY).replaceAll('\n', '\n  ')}
  echo
done`,
}
