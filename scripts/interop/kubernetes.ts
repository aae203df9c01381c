import { join } from 'node:path'
import { ROOT } from '../command.ts'
import type { Project } from './tools.ts'

/** Checks deploy/kubernetes.yaml: the validators know formats and required fields, and the compiler refuses unknown fields. */
export async function checkManifest({ folder, run }: Project): Promise<void> {
  const text = await Bun.file(join(ROOT, 'deploy/kubernetes.yaml')).text()
  const objects = Bun.YAML.parse(text) as { readonly kind: string }[]
  const checks = objects.map(
    (each, n) =>
      `const object${n}: I${each.kind} = ${JSON.stringify(each)}\nnew ${each.kind}(object${n}).validate()\n`,
  )
  const imports = `import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1'
import { type ISecret, type IService, Secret, Service } from 'kubernetes-models/v1'\n`
  await Bun.write(join(folder, 'manifest.ts'), imports + checks.join(''))
  await run('tsc', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'manifest.ts')
  await run(process.execPath, 'manifest.ts')
}
