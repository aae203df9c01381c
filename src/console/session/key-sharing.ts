const CHANNEL = 'petstore-key'

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'offer'; readonly key: string }
  | { readonly kind: 'end' }

export interface SharingEvents {
  /** The key of this tab, if its owner lets other tabs have it. */
  readonly offered: () => string | undefined
  readonly onKey: (key: string) => void
  readonly onEnd: () => void
}

/**
 * Hands the key from tab to tab of this origin. It is written nowhere: it is gone with the last of the tabs, and a sign-out in
 * one of them is one in all.
 */
export class KeySharing {
  readonly #channel = new BroadcastChannel(CHANNEL)

  follow({ offered, onKey, onEnd }: SharingEvents): () => void {
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => {
      const key = offered()
      if (data.kind === 'ask' && key !== undefined) this.#send({ kind: 'offer', key })
      if (data.kind === 'offer') onKey(data.key)
      if (data.kind === 'end') onEnd()
    }
    this.#send({ kind: 'ask' })
    return () => {
      this.#channel.onmessage = null
    }
  }

  end(): void {
    this.#send({ kind: 'end' })
  }

  #send(message: Message): void {
    this.#channel.postMessage(message)
  }
}
