// A printing process that never answers: for tests of the one that waits for it.
process.on('message', ({ order }: { order: { data: { dies?: boolean } } }) => {
  if (order.data.dies) process.exit(3)
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
