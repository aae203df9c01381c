const up = (from, ...to) => ({
  name: `${from.replaceAll(/\W+/g, '-')}-stays-below`,
  severity: 'error',
  from: { path: `^src/${from}` },
  to: { path: to.map(room => `^src/${room}`) },
})

const ABOVE_STORE = ['main', 'cli/', 'service/', 'api/', 'pages/', 'http/']

/** The import rule of ARCHITECTURE.md: one road, no way back, no cycle; type-only imports count. */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '^src/main\\.ts$'],
      },
      to: {},
    },
    // main → cli → service → api, pages → http, store; what stands beside the road knows only what it needs.
    up('contract/', '(?!contract/)'),
    up('observability/', '(?!observability/|deadlines\\.ts)'),
    up('store/', ...ABOVE_STORE, 'keys/', 'transfer/', 'observability/(?!events\\.ts)', 'config/'),
    up('store/sqlite/', 'store/postgres/', 'store/engines\\.ts'),
    up('store/postgres/', 'store/sqlite/', 'store/engines\\.ts'),
    up('keys/', ...ABOVE_STORE, 'transfer/', 'config/', 'store/(?!store\\.ts)'),
    up('transfer/', ...ABOVE_STORE, 'config/', 'store/(?!store\\.ts)'),
    up('api/', 'main', 'cli/', 'service/', 'pages/', 'transfer/', 'store/(?!store\\.ts|errors\\.ts)'),
    up('pages/', 'main', 'cli/', 'service/', 'api/', 'transfer/', 'keys/', 'store/', 'config/'),
    up('http/', 'main', 'cli/', 'service/', 'api/', 'pages/', 'transfer/', 'keys/', 'store/', 'config/'),
    up('service/', 'main', 'cli/'),
    up('cli/', 'main', 'api/', 'pages/', 'store/(?!\\w[\\w-]*\\.ts)'),
    {
      name: 'one-place-names-engines',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/store/engines\\.ts$', '^src/store/sqlite/', '^src/store/postgres/'],
      },
      to: { path: ['^src/store/sqlite/', '^src/store/postgres/', '^bun:sqlite$'] },
    },
    {
      name: 'traces-are-loaded-only-where-wanted',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/observability/traces\\.ts$' },
      to: { path: '^src/observability/traces\\.ts$', dynamic: false },
    },
    {
      name: 'web-knows-only-the-client-the-contract-and-files-of-animals',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!contract/|transfer/)' },
    },
    {
      name: 'browsers-load-little-of-the-contract',
      comment: 'Only what needs no other file of the service; most of it is messages for clients.',
      severity: 'error',
      from: { path: '^web/(console|reference/browser)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/contract/(?!(limits|int64|raw-json)\\.ts$)' },
    },
    {
      name: 'web-needs-no-runtime',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'web-is-built-not-imported',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'client-knows-only-the-contract',
      comment: 'The published client takes nothing from the service but types of the contract.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^src/(?!contract/)' },
    },
    {
      name: 'client-takes-only-types',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^src/contract/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-has-no-dependency',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { pathNot: '^client/src/' },
    },
    {
      name: 'only-cli-uses-the-client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^client/' },
    },
    {
      name: 'no-production-import-of-tests',
      severity: 'error',
      from: { path: '^(src|web|client)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(tests|scripts|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^client/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json', '.sql'] },
  },
}
