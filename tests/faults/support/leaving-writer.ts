import '../../../src/store/sqlite/writer/writer-thread.ts'

declare const self: Worker

/** The real writer, with a way out: it leaves without a word when it is told to. */
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'leave') process.exit(0)
})
