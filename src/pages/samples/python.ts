import { PETS_PATH } from '../../contract/servers.ts'
import { ALL, BASE, FIRST, KEY, LIST, type Samples, WRONG } from './topics.ts'

/** The standard library is enough. Its integers have any size, so every int64 is exact. */
const program = (imports: string, code: string): string =>
  `${imports}

base = "${BASE}"
api_key = ${KEY}
headers = {"Authorization": "Bearer " + api_key}

${code}`

const IMPORTS = `import json
import os
from urllib.request import Request, urlopen`

const REX = `headers["Content-Type"] = "application/json"
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()`

export const python: Samples = {
  listPets: program(
    IMPORTS,
    `request = Request(
    base + "${LIST}",
    headers=headers,
)
with urlopen(request, timeout=10) as response:
    for pet in json.load(response):
        print(pet["id"], pet["name"])`,
  ),
  createPet: program(
    IMPORTS,
    `${REX}
request = Request(base + "${PETS_PATH}", body, headers)
with urlopen(request, timeout=10) as response:
    pet = json.load(response)
print(pet["id"], pet["status"])`,
  ),
  getPet: program(
    IMPORTS,
    `request = Request(base + "${FIRST}", headers=headers)
with urlopen(request, timeout=10) as response:
    pet = json.load(response)
print(pet["name"], pet["categoryId"])`,
  ),
  pages: program(
    `import json
import os
import re
from urllib.parse import urljoin
from urllib.request import Request, urlopen`,
    `url = base + "${ALL}"
while url:
    request = Request(url, headers=headers)
    with urlopen(request, timeout=10) as response:
        for pet in json.load(response):
            print(pet["id"], pet["name"])
        links = response.headers.get("Link", "")
    link = re.search('<([^>]*)>; rel="next"', links)
    # A service without a configured base URL links by path.
    url = link and urljoin(url, link[1])`,
  ),
  repeats: program(
    `import json
import os
import uuid
from urllib.request import Request, urlopen`,
    `${REX}
headers["Idempotency-Key"] = str(uuid.uuid4())
# The second response has the same id, and was replayed.
for attempt in range(2):
    request = Request(base + "${PETS_PATH}", body, headers)
    with urlopen(request, timeout=10) as response:
        replayed = response.headers["Idempotent-Replayed"]
        print(json.load(response)["id"], replayed)`,
  ),
  errors: program(
    `import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen`,
    `request = Request(base + "${WRONG}", headers=headers)
try:
    with urlopen(request, timeout=10) as response:
        print(json.load(response))
except HTTPError as error:
    problem = json.load(error)
    print(problem["code"], problem["message"])`,
  ),
}
