import { BASE, KEY, type Samples } from './topics.ts'

const AUTHORIZED = `headers = {"Authorization": "Bearer " + ${KEY}}`

export const python: Samples = {
  listPets: `import json, os, urllib.request

${AUTHORIZED}
request = urllib.request.Request("${BASE}/pets?limit=20&status=available", headers=headers)
with urllib.request.urlopen(request) as response:
    for pet in json.load(response):
        print(pet["id"], pet["name"])`,

  createPet: `import json, os, urllib.request

${AUTHORIZED}
headers["Content-Type"] = "application/json"
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()
request = urllib.request.Request("${BASE}/pets", data=body, headers=headers)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,

  getPet: `import json, os, urllib.request

${AUTHORIZED}
request = urllib.request.Request("${BASE}/pets/1", headers=headers)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,

  pages: `import json, os, re, urllib.parse, urllib.request

${AUTHORIZED}
url = "${BASE}/pets?limit=100"
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet["id"], pet["name"])
        link = re.search(r'<([^>]*)>; rel="next"', response.headers.get("Link", ""))
    url = link and urllib.parse.urljoin(url, link[1])`,

  repeats: `import json, os, urllib.request, uuid

${AUTHORIZED}
headers["Content-Type"] = "application/json"
headers["Idempotency-Key"] = str(uuid.uuid4())
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()
for attempt in range(2):
    request = urllib.request.Request("${BASE}/pets", data=body, headers=headers)
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["id"], response.headers.get("Idempotent-Replayed"))`,

  errors: `import json, os, urllib.error, urllib.request

${AUTHORIZED}
request = urllib.request.Request("${BASE}/pets?limit=0", headers=headers)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as failure:
    error = json.load(failure)
    print(error["status"], error["code"], error["message"])`,
}
