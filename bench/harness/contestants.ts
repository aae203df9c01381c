import { join } from 'node:path'
import type { Contestant } from './contestant.ts'
import { goBuild, nginxLaunch } from './outside.ts'

export const ROOT = join(import.meta.dir, '..', '..')
export const PEERS = join(ROOT, 'bench', 'peers')

const COLLECTION = '/v1/pets'

export const CONTESTANTS: Contestant[] = [
  floor('floor', 'bare Bun.serve', 'plain'),
  floor('ready-floor', 'bare Bun.serve, answers ready', 'ready'),
  {
    name: 'service',
    title: 'petstore',
    kind: 'service',
    launch: ({ port, key, directory }) => ({
      command: [process.execPath, join(ROOT, 'src', 'main.ts'), 'serve'],
      env: {
        HOST: '127.0.0.1',
        PORT: String(port),
        DATABASE_URL: `sqlite:${join(directory, 'bench.db')}`,
        PETSTORE_API_KEY: key,
        PETSTORE_METRICS_PORT: '0',
      },
    }),
    readyPath: '/readyz',
    collection: COLLECTION,
    firstPage: firstPageOf(COLLECTION),
  },
  sqlitePeer('elysia', 'Elysia', [process.execPath, 'elysia.ts']),
  sqlitePeer('fastify', 'Fastify', ['node', 'fastify.mjs']),
  sqlitePeer('express', 'Express', ['node', 'express.mjs']),
  {
    ...sqlitePeer('json-server', 'json-server', ['node', 'json-server.mjs']),
    // json-server pages by number, and sends Link only if the request names a page.
    firstPage: (limit, status) => `/v1/pets?${statusQuery(status)}_page=1&_limit=${limit}`,
  },
  prismPeer(),
  goPeer(),
  nginxPeer(),
]

function floor(name: string, title: string, kind: 'plain' | 'ready'): Contestant {
  return {
    name,
    title,
    kind: 'floor',
    launch: ({ port, answersFile }) => ({
      command: [process.execPath, join(ROOT, 'bench', 'floor.ts'), answersFile, kind],
      env: { PORT: String(port) },
    }),
    collection: COLLECTION,
    firstPage: firstPageOf(COLLECTION),
  }
}

function sqlitePeer(name: string, title: string, [program = '', ...files]: string[]): Contestant {
  return {
    name,
    title,
    kind: 'peer',
    launch: ({ port, key, directory }) => ({
      command: [program, ...files.map(file => join(PEERS, file))],
      env: {
        NODE_ENV: 'production',
        PORT: String(port),
        DATABASE_FILE: join(directory, 'bench.db'),
        PETSTORE_API_KEY: key,
      },
    }),
    readyPath: COLLECTION,
    collection: COLLECTION,
    firstPage: firstPageOf(COLLECTION),
  }
}

function prismPeer(): Contestant {
  const cli = join(PEERS, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js')
  // Prism omits the server's base path from its routes.
  const collection = '/pets'
  const firstPage = firstPageOf(collection)
  const filters = [undefined, 'available', 'pending', 'sold']
  return {
    name: 'prism',
    title: 'Prism',
    kind: 'peer',
    launch: ({ port }) => ({
      command: ['node', cli, 'mock', '--port', String(port), join(ROOT, 'openapi.json')],
      env: {},
    }),
    readyPath: collection,
    collection,
    firstPage,
    fixedStock: {
      collection,
      list: firstPage(20),
      animals: Array.from({ length: 1000 }, (_, index) => `${collection}/${index + 1}`),
      pages: filters.map(status => firstPage(20, status)),
    },
  }
}

function goPeer(): Contestant {
  const folder = join(PEERS, 'go')
  return {
    ...sqlitePeer('go', 'Go net/http', [join(folder, 'server')]),
    needs: ['go', 'go-sqlite3', 'gcc'],
    build: () => goBuild(folder),
  }
}

function nginxPeer(): Contestant {
  const firstPage = firstPageOf(COLLECTION)
  return {
    name: 'nginx',
    title: 'nginx, a static page',
    kind: 'peer',
    launch: nginxLaunch,
    readyPath: COLLECTION,
    collection: COLLECTION,
    firstPage,
    fixedStock: { collection: COLLECTION, list: firstPage(20), animals: [], pages: [] },
    needs: ['nginx'],
    workloads: ['list20'],
  }
}

function firstPageOf(collection: string): Contestant['firstPage'] {
  return (limit, status) => `${collection}?${statusQuery(status)}limit=${limit}`
}

function statusQuery(status: string | undefined): string {
  return status === undefined ? '' : `status=${status}&`
}
