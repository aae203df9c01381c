import { join } from 'node:path'
import { HERE, runTool } from './tool.ts'

export interface Generator {
  readonly name: string
  /** The program that uses the generated client: it is type-checked, then run. */
  readonly use: string
  generate(description: string, baseUrl: string): Promise<void>
}

const into = (...path: string[]): string => join(HERE, 'generated', ...path)

/** Each generates its own kind of client, in `generated/`. */
export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript and openapi-fetch',
    use: 'openapi-fetch.ts',
    generate: description =>
      runTool('openapi-typescript', description, '--output', into('openapi-typescript/schema.ts')),
  },
  {
    name: '@hey-api/openapi-ts',
    use: 'hey-api.ts',
    generate: description => runTool('openapi-ts', '--input', description, '--output', into('hey-api')),
  },
  {
    name: 'orval',
    use: 'orval.ts',
    generate: async (description, baseUrl) => {
      const config = into('orval.config.json')
      const output = { target: into('orval/petstore.ts'), client: 'fetch', baseUrl }
      await Bun.write(config, JSON.stringify({ petstore: { input: description, output } }))
      await runTool('orval', '--config', config)
    },
  },
  {
    name: 'swagger-typescript-api',
    use: 'swagger-typescript-api.ts',
    generate: description =>
      runTool(
        ...['swagger-typescript-api', 'generate', '--path', description],
        ...['--output', into('swagger-typescript-api'), '--name', 'petstore.ts'],
      ),
  },
]
