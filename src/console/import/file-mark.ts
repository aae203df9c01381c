/** Names a file by its content, so that its animals have the same idempotency keys whenever it is chosen again. */
export function markOf(text: string): string {
  return [1, 2, 3, 4].map(seed => hash(text, seed).toString(36)).join('')
}

/** FNV-1a with a last mix, 32 bits. Not for secrets: crypto.subtle is missing on pages without TLS. */
function hash(text: string, seed: number): number {
  let mixed = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return (mixed ^ (mixed >>> 13)) >>> 0
}
