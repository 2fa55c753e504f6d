// How TIFF files pack their values. Pure.

const [CLEAR, END, FIRST, MOST_BITS] = [256, 257, 258, 12]

/** Unpacks what TIFF files pack by the method of Lempel, Ziv and Welch: `size` bytes, fewer if it ends before. */
export function unpackedLzw(packed: Uint8Array, size: number): Buffer {
  const out = Buffer.alloc(size)
  // Each code is the text of the code before and the byte after it: both are in the output already, one after the other.
  const [from, length] = [new Uint32Array(1 << MOST_BITS), new Uint32Array(1 << MOST_BITS)]
  let [made, next, bits, held, have] = [0, FIRST, 9, 0, 0]
  let before: { start: number; long: number } | null = null
  let i = 0
  while (made < size) {
    for (; have < bits && i < packed.length; have += 8) held = ((held << 8) | (packed[i++] ?? 0)) & 0xffffff
    if (have < bits) break
    have -= bits
    const code = (held >> have) & ((1 << bits) - 1)
    if (code === END) break
    if (code === CLEAR) {
      ;[next, bits, before] = [FIRST, 9, null]
      continue
    }
    if (before !== null && next < from.length) {
      from[next] = before.start
      length[next++] = before.long + 1
    }
    const start = made
    if (code < CLEAR) out[made++] = code
    else if (code >= next) throw new Error('Its values are damaged.')
    else for (let k = 0; k < (length[code] ?? 0) && made < size; k++) out[made++] = out[(from[code] ?? 0) + k] ?? 0
    before = { start, long: made - start }
    // The length of codes grows one code early, as the first programs did it.
    if (next >= (1 << bits) - 1 && bits < MOST_BITS) bits++
  }
  return out.subarray(0, made)
}

/** Unpacks runs of equal bytes (PackBits). */
export function unpackedRuns(packed: Uint8Array, size: number): Buffer {
  const out = Buffer.alloc(size)
  let made = 0
  for (let i = 0; i < packed.length && made < size; ) {
    const head = packed[i++] ?? 0
    if (head < 128) for (let k = 0; k <= head && made < size; k++) out[made++] = packed[i++] ?? 0
    else if (head > 128) {
      const end = Math.min(size, made + 257 - head)
      out.fill(packed[i++] ?? 0, made, end)
      made = end
    }
  }
  return out.subarray(0, made)
}

/** The rows of a block: bytes of a row and of a value, and how many values are in each place. */
type Rows = { row: number; sample: number; stride: number }

/** Turns differences between values in a row into the values: whole numbers of any size, in the byte order of the machine. */
export function addDifferences(bytes: Buffer, { row, sample, stride }: Rows): void {
  const { buffer, byteOffset, length } = bytes
  if (sample === 8) {
    addLong(new BigUint64Array(buffer, byteOffset, length / 8), row / 8, stride)
    return
  }
  const values =
    sample === 1 ? bytes : sample === 2 ? new Uint16Array(buffer, byteOffset, length / 2) : new Uint32Array(buffer, byteOffset, length / 4)
  const columns = row / sample
  for (let start = 0; start < values.length; start += columns)
    for (let i = start + stride; i < start + columns; i++) values[i] = (values[i] ?? 0) + (values[i - stride] ?? 0)
}

function addLong(values: BigUint64Array, columns: number, stride: number): void {
  for (let start = 0; start < values.length; start += columns)
    for (let i = start + stride; i < start + columns; i++) values[i] = (values[i] ?? 0n) + (values[i - stride] ?? 0n)
}

/** Turns differences of decimal numbers into the numbers: the first bytes of all values of a row come first, then the second ones. */
export function addDecimals(bytes: Buffer, { row, sample, stride }: Rows): void {
  const columns = row / sample
  const line = Buffer.alloc(row)
  for (let start = 0; start < bytes.length; start += row) {
    for (let i = start + stride; i < start + row; i++) bytes[i] = (bytes[i] ?? 0) + (bytes[i - stride] ?? 0)
    bytes.copy(line, 0, start, start + row)
    for (let k = 0; k < columns; k++)
      for (let b = 0; b < sample; b++) bytes[start + k * sample + sample - 1 - b] = line[b * columns + k] ?? 0
  }
}
