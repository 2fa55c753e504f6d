// How responses are compressed: by Zstandard (RFC 8878) for clients that read it, which is quicker and smaller, and otherwise by gzip (decision 1086).
import { promisify } from 'node:util'
import { constants, gzip, type ZlibOptions, type ZstdOptions, zstdCompressSync } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import { isOneOf } from '../../shared/narrow.ts'

/** A way to compress a response, as the header `content-encoding` has it. */
export type Coding = 'zstd' | 'gzip'
/** All of them, the preferred one first. */
export const CODINGS: Coding[] = ['zstd', 'gzip']
/** The level of Zstandard: higher ones take longer for hardly fewer bytes. */
export const ZSTD: ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Returns how a response to a client that accepts these codings is compressed (RFC 9110 §12.5.3); null if it isn’t. */
export function codingOf(accepts: string): Coding | null {
  const best = negotiate(accepts, CODINGS)
  return isOneOf(CODINGS, best) ? best : null
}

const zipped = promisify<Buffer, ZlibOptions, Buffer>(gzip)

/** Returns bytes compressed, quickly rather than small. Zstandard takes a millisecond for 300 kB, and to hand them to another thread can take longer than that. */
export const compressed = async (bytes: Buffer, coding: Coding): Promise<Buffer> =>
  coding === 'zstd' ? zstdCompressSync(bytes, ZSTD) : zipped(bytes, { level: 1 })
