import { listenerFor, type ToListener } from './listener.ts'

declare const self: Worker

const receive = listenerFor(message => self.postMessage(message))

self.onmessage = ({ data }: MessageEvent<ToListener>) => receive(data)
