/**
 * Every system program that a test, a proof, an attack or a benchmark runs, and its Debian package. Programs of a minimal
 * Debian (sh, bash, coreutils, setpriv) are not listed. The tests themselves declare what they need: `needs('haproxy')`.
 */
const LIST = {
  'aardvark-dns': { debian: 'aardvark-dns' },
  caddy: { debian: 'caddy' },
  chromium: {
    // Has no code for windows and menus, and uses half the CPU time.
    debian: 'chromium-headless-shell',
    names: [
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
    ],
  },
  curl: { debian: 'curl' },
  eatmydata: { debian: 'eatmydata' },
  etcd: { debian: 'etcd-server' },
  faketime: { debian: 'faketime' },
  fish: { debian: 'fish' },
  gcc: { debian: 'gcc' },
  git: { debian: 'git' },
  go: { debian: 'golang-go' },
  'go-sqlite3': {
    debian: 'golang-github-mattn-go-sqlite3-dev',
    file: '/usr/share/gocode/src/github.com/mattn/go-sqlite3/sqlite3.go',
  },
  haproxy: { debian: 'haproxy' },
  ip: { debian: 'iproute2' },
  iptables: { debian: 'iptables' },
  java: { debian: 'default-jdk-headless' },
  mmdebstrap: { debian: 'mmdebstrap' },
  mount: { debian: 'mount' },
  netavark: { debian: 'netavark' },
  nginx: { debian: 'nginx-light' },
  openssl: { debian: 'openssl' },
  patroni: { debian: 'patroni' },
  // Part of the server package; the server's own programs are in a folder per version.
  pg_createcluster: { debian: 'postgresql' },
  pgbouncer: { debian: 'pgbouncer' },
  podman: { debian: 'podman' },
  'podman-compose': { debian: 'podman-compose' },
  prlimit: { debian: 'util-linux' },
  prometheus: { debian: 'prometheus' },
  promtool: { debian: 'prometheus' },
  python3: { debian: 'python3' },
  'python3-httpx': { debian: 'python3-httpx', file: '/usr/lib/python3/dist-packages/httpx/__init__.py' },
  'python3-requests': {
    debian: 'python3-requests',
    file: '/usr/lib/python3/dist-packages/requests/__init__.py',
  },
  runc: { debian: 'runc' },
  slowhttptest: { debian: 'slowhttptest' },
  sqlmap: { debian: 'sqlmap' },
  strace: { debian: 'strace' },
  'systemd-analyze': { debian: 'systemd' },
  wapiti: { debian: 'wapiti' },
  wrk: { debian: 'wrk' },
  zsh: { debian: 'zsh' },
} satisfies Record<string, Listed>

interface Listed {
  readonly debian: string
  /** Its names, if different; the preferred one first. */
  readonly names?: readonly string[]
  /** For a package without a program: one of its files. */
  readonly file?: string
}

export type Program = keyof typeof LIST
export const PROGRAMS: Readonly<Record<Program, Listed>> = LIST

/** Needs that no package provides, and how to meet them. */
export const PERMISSIONS = {
  root: 'sudo npm test',
  mounting: 'sudo npm test, where root may mount file systems',
} as const

export type Permission = keyof typeof PERMISSIONS
export type Need = Program | Permission

export const isProgram = (need: Need): need is Program => need in PROGRAMS
export const isNeed = (text: string): text is Need => text in PROGRAMS || text in PERMISSIONS
