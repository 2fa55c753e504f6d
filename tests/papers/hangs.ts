// A printing process that never responds, for tests of the process that waits for it.
process.on('message', ({ order }: { order: { data: { dies?: boolean } } }) => {
  if (order.data.dies) process.exit(3)
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
