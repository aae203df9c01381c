#!/bin/sh
# The requests of every client (see clients.ts), by curl, which is $1. Its bodies lie in $2.
curl=$1
folder=$2
key="Authorization: Bearer $PETSTORE_API_KEY"
json='Content-Type: application/json'
animal='{"name":"Rex","categoryId":9007199254740993}'
large=$folder/large

show() {
  what=$1
  shift
  "$curl" -sS -m 30 -o /dev/null -D "$folder/head" -w "$what %{http_code}" "$@" 2>&1
  if [ "$what" = repeat ]; then printf ' %s' "$(header idempotent-replayed)"; fi
  echo
}
header() { sed -n "s/^$1: *\\([^[:cntrl:]]*\\).*/\\1/Ip" "$folder/head"; }

echo "version $("$curl" --version | sed -n '1s/^curl \([^ ]*\).*/\1/p')"
head -c 2600000 /dev/zero | tr '\0' ' ' > "$large"
once="Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
show create -H "$key" -H "$json" -H "$once" -d "$animal" "$PETSTORE_BASE_URL/pets"
location=$(header location)
show repeat -H "$key" -H "$json" -H "$once" -d "$animal" "$PETSTORE_BASE_URL/pets"
show list -H "$key" "$PETSTORE_BASE_URL/pets?limit=1"
show get -H "$key" "$PETSTORE_BASE_URL${location#/v1}"
show refused -H "$key" "$PETSTORE_BASE_URL/pets?limit=0"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
  show chunked -H 'Transfer-Encoding: chunked' -H "$json" --data-binary "@$large" "$PETSTORE_BASE_URL/pets"
  show declared -H "$key" -H "$json" --data-binary "@$large" "$PETSTORE_BASE_URL/pets"
  show after -H "$key" "$PETSTORE_BASE_URL/pets"
done
show expect -H 'Expect: 100-continue' -H "$key" -H "$json" -d "$animal" "$PETSTORE_BASE_URL/pets"
show expect-401 -H 'Expect: 100-continue' -H "$json" -d "$animal" "$PETSTORE_BASE_URL/pets"
