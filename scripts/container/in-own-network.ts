import { Workplace } from '../debian-root/workplace.ts'
import { useCompose } from './compose.ts'
import { Engine } from './engine.ts'

/** Started by main.ts in its own network namespace: bridges, ports and firewall rules end with it. */
const [engineFolder = ''] = process.argv.slice(2)
const isDone = await Workplace.use('compose', async place => {
  await place.run('ip', 'link', 'set', 'lo', 'up')
  await useCompose(place, await Engine.at(place, engineFolder))
})
process.exit(isDone ? 0 : 1)
