import { WriteQueue, type WriterOptions } from './writer.ts'

declare const self: Worker

let queue: WriteQueue | undefined

/** The main thread sends the options, then a port for each thread that writes, and finally `close`. */
self.onmessage = ({ data }: MessageEvent<WriterOptions | MessagePort | 'close'>) => {
  if (data instanceof MessagePort) queue?.connect(data)
  else if (data !== 'close') queue = new WriteQueue(data)
  else {
    queue?.close()
    self.postMessage('closed')
  }
}
