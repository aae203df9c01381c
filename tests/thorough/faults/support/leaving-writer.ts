import '../../../../src/store/sqlite/writer/writer-thread.ts'

declare const self: Worker

/** The real writer, which can also be told to exit without notice. */
self.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === 'leave') process.exit(0)
})
