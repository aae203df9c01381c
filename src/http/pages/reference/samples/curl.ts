import { BASE, KEY, type Samples } from './topics.ts'

const AUTHORIZED = `-H "Authorization: Bearer ${KEY}"`
const JSON_BODY = `-H 'Content-Type: application/json' \\
  -d '{"name":"Rex","categoryId":7}'`

export const curl: Samples = {
  listPets: `curl -i '${BASE}/pets?limit=20&status=available' \\
  ${AUTHORIZED}`,

  createPet: `curl -i '${BASE}/pets' \\
  ${AUTHORIZED} \\
  ${JSON_BODY}`,

  getPet: `curl -i '${BASE}/pets/1' \\
  ${AUTHORIZED}`,

  pages: `base='${BASE}'
head=$(mktemp)
next="$base/pets?limit=100"
while [ -n "$next" ]; do
  curl -sS -D "$head" "$next" \\
    ${AUTHORIZED}
  echo
  next=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' "$head")
  # A service that has no address configured links by path.
  case $next in /*) next="\${base%/v1}$next" ;; esac
done
rm "$head"`,

  repeats: `key="add-rex-$(date +%s)-$$"
for attempt in 1 2; do
  # The second answer has Idempotent-Replayed: true and the same id.
  curl -i '${BASE}/pets' \\
    ${AUTHORIZED} \\
    -H "Idempotency-Key: $key" \\
    ${JSON_BODY.replaceAll('\n', '\n  ')}
done`,

  errors: `curl -sS -w '\\n%{http_code}\\n' '${BASE}/pets?limit=0' \\
  ${AUTHORIZED}`,
}
