import { capture } from '../command.ts'

interface Component {
  'bom-ref': string
  name: string
  version: string
  purl: string
  properties?: readonly { readonly name: string }[]
  [field: string]: unknown
}

/** The parts of a CycloneDX bill of materials that matter here. */
export interface Bom {
  metadata: { component: Component }
  components: readonly Component[]
  dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const DEVELOPMENT = 'cdx:npm:package:development'
const PRINT = [
  'sbom',
  '--offline',
  '--package-lock-only',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
]

/** Every third-party package that a release contains, from the lock file: nothing is fetched. */
export async function sbomOf(version: string): Promise<Bom> {
  const { code, text } = await capture('npm', ...PRINT)
  if (code !== 0) throw new Error(`npm sbom ended with ${code}. It needs npm 10 or newer.`)
  const bom = JSON.parse(text) as Bom
  // npm's own --omit=dev also omits packages that development tools use.
  const components = bom.components.filter(each => !each.properties?.some(({ name }) => name === DEVELOPMENT))
  return withRoot(bom, version, components.map(withoutPlaces))
}

/** npm names the project after its folder and its present version. */
function withRoot(bom: Bom, version: string, components: readonly Component[]): Bom {
  const old = bom.metadata.component['bom-ref']
  const ref = `petstore@${version}`
  const root = {
    ...bom.metadata.component,
    'bom-ref': ref,
    name: 'petstore',
    version,
    purl: `pkg:npm/${ref}`,
  }
  const known = new Set([ref, ...components.map(each => each['bom-ref'])])
  const dependencies = bom.dependencies.map(each => ({ ...each, ref: each.ref === old ? ref : each.ref }))
  return {
    ...bom,
    metadata: { ...bom.metadata, component: root },
    components,
    dependencies: dependencies
      .filter(each => known.has(each.ref))
      .map(each => ({
        ref: each.ref,
        dependsOn: each.dependsOn.filter(name => known.has(name)),
      })),
  }
}

/** Where a package was fetched from depends on the machine, so it is left out. */
const withoutPlaces = (component: Component): Component => ({ ...component, externalReferences: [] })
