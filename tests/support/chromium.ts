import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Without these, Chromium talks to hosts of its maker at every start, and refuses to start as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The system's Chromium, headless; installed first where that can be done. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: find() ?? (await install()), args: FLAGS })
}

function find(): string | undefined {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  for (const name of NAMES) {
    const path = Bun.which(name)
    if (path !== null) return path
  }
  return undefined
}

async function install(): Promise<string> {
  if (process.getuid?.() === 0 && Bun.which('apt-get') !== null) {
    // Several test files may get here at once; they share the lock, and the later ones find it done.
    const lock = ['-o', 'DPkg::Lock::Timeout=600']
    await run('apt-get', 'update', '-q')
    await run('apt-get', 'install', '-y', '-q', '--no-install-recommends', ...lock, 'chromium')
  }
  const path = find()
  if (path !== undefined) return path
  throw new Error(
    'The browser tests need Chromium: install the package "chromium", or set CHROMIUM_PATH to its executable.',
  )
}

const run = (...command: string[]): Promise<number> =>
  Bun.spawn(command, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
  }).exited
