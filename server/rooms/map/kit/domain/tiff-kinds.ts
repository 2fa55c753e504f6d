// Kinds of TIFF files that nothing here reads, and how a person can make one that is read. Pure.

/** Methods of compression that neither we nor the decoder of pictures know. */
const COMPRESSED_BY: Readonly<Record<number, string>> = {
  33003: 'JPEG 2000',
  33005: 'JPEG 2000',
  34661: 'JBIG',
  34712: 'JPEG 2000',
  34715: 'JBIG2',
  34887: 'LERC',
  34925: 'LZMA',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}
const READ_BITS = [1, 2, 4, 8, 16, 32, 64]
const [WHOLE, DECIMAL, UNDEFINED] = [1, 3, 4]
/** Colours as they are seen by people, of which programs for printing make files. */
const LAB = [8, 9, 10]

/** Returns why a TIFF file can’t be read because of its kind, in words that follow "The file"; null if it can. */
export function unreadKind(tiff: { compression: number; bits: number; format: number; photometric: number }): string | null {
  const method = COMPRESSED_BY[tiff.compression]
  if (method !== undefined)
    return `is compressed by ${method}, which can’t be read. Export it with LZW or Deflate compression, and send it again.`
  if (tiff.format > DECIMAL && tiff.format !== UNDEFINED)
    return 'has complex numbers, which aren’t a picture. Export one part of them, and send it again.'
  if (!READ_BITS.includes(tiff.bits) || (tiff.bits === 64 && tiff.format !== DECIMAL) || (tiff.format === DECIMAL && tiff.bits < 16))
    return `has ${tiff.bits} bits in each value, which can’t be read. Export it with 8 or 16 bits, and send it again.`
  if (LAB.includes(tiff.photometric) && tiff.format === WHOLE) return 'is in Lab colours. Export it in RGB colours, and send it again.'
  return null
}

/** Returns numbers that are stored as decimal ones of 16 bits. */
export function halfNumbers(bits: Uint16Array): Float32Array {
  return Float32Array.from(bits, half => {
    const [exponent, fraction] = [(half >> 10) & 31, half & 1023]
    const sign = half >> 15 === 1 ? -1 : 1
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
  })
}
