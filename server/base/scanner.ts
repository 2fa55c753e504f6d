// The client of a malware scanner that speaks the protocol of clamd (man 8 clamd). The content of a file is sent to it in chunks (INSTREAM), so that the
// scanner needs no access to our files, and no file is ever whole in memory.
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { codeIn } from '../../shared/narrow.ts'

/** Where the scanner listens. */
export type ScannerPlace = { host: string; port: number } | { path: string }

/** The result of a scan. `away`: nobody knows whether the file is clean. */
export type Scan = { result: 'clean' } | { result: 'found'; name: string } | { result: 'too_large' } | { result: 'away'; why: string }

/** A malware scanner. */
export type Scanner = {
  /** Scans a file on disk. */
  scan(path: string): Promise<Scan>
  /** Returns whether the scanner responds within this many milliseconds. */
  responds(milliseconds: number): Promise<boolean>
}

const PORT = 3310

/** Returns where a scanner with this URL listens: `tcp://host:port` or `unix:///path`. Null if the URL says anything else. */
export function scannerPlace(text: string): ScannerPlace | null {
  const { protocol, hostname, port, pathname, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '') return null
  if (protocol === 'unix:') return hostname === '' && pathname.length > 1 ? { path: decodeURIComponent(pathname) } : null
  return hostname !== '' && ['', '/'].includes(pathname) ? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || PORT) } : null
}

/** How many files are scanned at the same time. clamd works on ten by default, and other services may use it. */
const AT_ONCE = 4
/** How many more can wait for their turn. */
const WAITING = 50
const CHUNK = 64 * 1024
/** Longest answer that is read. */
const LONGEST = 1000

const late = () => new Error('The scanner took too long.')

/** Opens a client. Each scan, including its wait for a turn, takes at most this many seconds. */
export function openScanner(place: ScannerPlace, seconds: number): Scanner {
  let busy = 0
  const line: (() => void)[] = []
  const turn = async (signal: AbortSignal): Promise<void> => {
    if (busy < AT_ONCE) {
      busy++
      return
    }
    if (line.length >= WAITING) throw new Error('Too many files are waiting for the scanner.')
    await new Promise<void>((go, fail) => {
      const mine = () => {
        signal.removeEventListener('abort', tooLate)
        go()
      }
      const tooLate = () => {
        line.splice(line.indexOf(mine), 1)
        fail(late())
      }
      signal.addEventListener('abort', tooLate, { once: true })
      line.push(mine)
    })
  }
  // The turn passes to the next in line, or is free.
  const leave = () => {
    const next = line.shift()
    if (next === undefined) busy--
    else next()
  }
  return {
    async scan(path) {
      const signal = AbortSignal.timeout(seconds * 1000)
      try {
        await turn(signal)
        try {
          return await scanned(place, path, signal)
        } finally {
          leave()
        }
      } catch (error) {
        return { result: 'away', why: error instanceof Error ? error.message : String(error) }
      }
    },
    responds: milliseconds =>
      exchange(place, [Buffer.from('zPING\0')], AbortSignal.timeout(milliseconds)).then(
        answer => answer === 'PONG',
        () => false,
      ),
  }
}

/** How often a file is sent whose connection breaks meanwhile. */
const TRIES = 3

/**
 * Sends a file and reads the verdict. A scanner that stops reading a file answers and ends the connection; if we are writing at that moment, the answer is
 * lost (EPIPE). So a broken connection is tried again, which also helps while the scanner restarts.
 */
async function scanned(place: ScannerPlace, path: string, signal: AbortSignal, tries = TRIES): Promise<Scan> {
  let whole = false
  async function* parts() {
    yield Buffer.from('zINSTREAM\0')
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK })) {
      const bytes = Buffer.from(chunk)
      yield lengthOf(bytes.length)
      yield bytes
    }
    whole = true
    yield lengthOf(0)
  }
  let answer: string
  try {
    answer = await exchange(place, parts(), signal)
  } catch (error) {
    if (whole || tries === 1 || signal.aborted || !isBroken(error)) throw error
    return scanned(place, path, signal, tries - 1)
  }
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  if (found !== undefined) return { result: 'found', name: found }
  if (/size limit exceeded/i.test(answer)) return { result: 'too_large' }
  // A scanner that approves of a file before it has received the end of it hasn't looked at all of it.
  if (answer === 'stream: OK' && whole) return { result: 'clean' }
  return { result: 'away', why: `The scanner answered “${answer}”.` }
}

const isBroken = (error: unknown): boolean => ['EPIPE', 'ECONNRESET'].includes(codeIn(error))

/** The length of a chunk, as it goes before each; zero ends the file. */
function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/** Sends these parts over a connection of their own, and returns the answer up to its zero byte. The answer can come before everything is sent. */
async function exchange(
  place: ScannerPlace,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted()
  const socket = connect(place)
  const stop = new AbortController()
  const answer = new Promise<string>((done, fail) => {
    let text = ''
    socket.on('data', bytes => {
      text += bytes.toString('latin1')
      const end = text.indexOf('\0')
      if (end !== -1) done(printable(text.slice(0, end)))
      else if (text.length > LONGEST) fail(new Error('The answer of the scanner doesn’t end.'))
    })
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The scanner closed the connection without an answer.')))
    signal.addEventListener('abort', () => fail(late()), { once: true })
  })
  // If sending fails, the connection ends with the same error.
  const sending = pipeline(parts, socket, { end: false, signal: stop.signal }).catch(error => socket.destroy(error))
  try {
    return await answer
  } finally {
    stop.abort()
    socket.destroy()
    await sending
  }
}

/** Text of the scanner for the log: it can contain names from inside an archive, which people choose. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
