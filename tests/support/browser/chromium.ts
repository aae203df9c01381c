import { type Browser, chromium } from 'playwright-core'
import { program } from '../programs.ts'

/** Without these, Chromium contacts hosts of its vendor at every start, and refuses to start as root. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The system's Chromium, headless. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: program('chromium'), args: FLAGS })
}
