const up = (from, ...to) => ({
  name: `${from.replaceAll(/\W+/g, '-')}-stays-below`,
  severity: 'error',
  from: { path: `^src/${from}` },
  to: { path: to.map(room => `^src/${room}`) },
})

/** The import rule of ARCHITECTURE.md: one road, no way back, no cycle; type-only imports count. */
module.exports = {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphan',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.d\\.ts$', '^src/main\\.ts$', '-thread\\.ts$'],
      },
      to: {},
    },
    up('contract/', '(?!contract/)'),
    up('files/', '(?!files/|c-library\\.ts|operator-error\\.ts)'),
    up(
      'operations/',
      'main',
      'cli/',
      'http/',
      'store/(?!store\\.ts|idempotency\\.ts)',
      'observability/',
      'config/',
    ),
    up('store/', 'main', 'cli/', 'http/', 'operations/', 'keys/', 'observability/(?!events\\.ts)', 'config/'),
    up('store/sqlite/', 'store/postgres/', 'store/engines\\.ts'),
    up('store/postgres/', 'store/sqlite/', 'store/engines\\.ts'),
    up('keys/', 'main', 'cli/', 'http/', 'operations/', 'store/(?!store\\.ts)'),
    up('observability/', '(?!observability/)'),
    up('transfer/', 'main', 'cli/', 'http/', 'config/', 'store/(?!store\\.ts|transfer\\.ts)'),
    up('http/', 'main', 'cli/', 'service/', 'store/(?!store\\.ts)'),
    up('service/', 'main', 'cli/'),
    up('cli/', 'main', 'store/(?!\\w[\\w-]*\\.ts)'),
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
      name: 'pages-know-only-the-client',
      comment: 'They run in browsers. What they need to know of the service is written into the page.',
      severity: 'error',
      from: { path: '^src/console/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(?!console/)' },
    },
    {
      name: 'pages-are-bundled-not-imported',
      severity: 'error',
      from: { path: '^src/(?!console/)' },
      to: { path: '^src/console/(?!facts\\.ts$)' },
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
      name: 'only-cli-and-console-use-the-client',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|console)/' },
      to: { path: '^client/' },
    },
    {
      name: 'no-production-import-of-tests',
      severity: 'error',
      from: { path: '^(src|client)/', pathNot: '\\.test\\.ts$' },
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
