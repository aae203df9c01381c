import { expect, test } from 'bun:test'
import { BASE } from '../document.ts'
import { LANGUAGES } from './samples.ts'

test.each(Object.values(LANGUAGES))(
  '$name has a sample of each topic, without blank lines around it',
  ({ samples }) => {
    expect(Object.keys(samples)).toEqual(['listPets', 'createPet', 'getPet', 'pages', 'repeats', 'errors'])
    for (const sample of Object.values(samples)) expect(sample).toMatch(/^\S(.|\n)*[^\s-]$/)
  },
)

test.each(['Link: <https://store/v1/pets?cursor=b>; rel="next"\r', 'link: </v1/pets?cursor=b>; rel="next"'])(
  'the curl sample for all pages goes on where the header %j leads, and ends without one',
  async header => {
    const sample = LANGUAGES.curl.samples.pages.replaceAll(BASE, 'https://store/v1')
    const curl = 'curl() { echo "$2"; echo "$header" > "$4"; header=; }'
    const child = Bun.spawn(['sh', '-c', `${curl}\n${sample}`], { env: { ...process.env, header } })
    const asked = (await new Response(child.stdout).text()).trim().split(/\n+/)
    expect(asked).toEqual(['https://store/v1/pets?limit=100', 'https://store/v1/pets?cursor=b'])
  },
)
