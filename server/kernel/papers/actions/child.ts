// Entry of the printing process: takes one sheet after the other, makes it, and says what came of it. Typst works in one go and lets nothing else
// run meanwhile; that is why it is here, where it can be ended.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { legible, type Order, type Said, STANDARD } from '../domain.ts'
import { coverage, fontFolders } from './fonts.ts'

// Watches this process from a thread of its own: a loop in a template lets nothing else run here.
new Worker(new URL('./watch.ts', import.meta.url), { workerData: { parent: process.ppid } }).unref()

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../../../papers')
const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: fontFolders() }] })
const covered = coverage()
const TRIES = 4

const say = (said: Said) => process.send?.(said)

/** Signs that the fonts list and yet cannot be shown where they stand, as the compiler names them. */
function notShown(messages: readonly string[]): number[] {
  const found = messages.flatMap(message => [...(/the text `"(.+?)"` could not be displayed/su.exec(message)?.[1] ?? '')])
  return [...new Set(found.map(sign => sign.codePointAt(0) ?? 0))]
}

function messagesOf(error: unknown): string[] {
  const said = error instanceof Error ? error.message : String(error)
  return said.split('SourceDiagnostic {')
}

function made({ nr, sheet }: Order): Said {
  const missing = new Set<number>()
  for (const [name, bytes] of Object.entries(sheet.pictures)) compiler.mapShadow(join(workspace, name), Buffer.from(bytes))
  for (let tries = 1; ; tries++) {
    const { data, illegible } = legible(sheet.data, sign => covered(sign) && !missing.has(sign))
    const inputs = { data: JSON.stringify({ ...data, illegible }) }
    const result = compiler.compile({ mainFilePath: join(workspace, `${sheet.template}.typ`), inputs })
    const document = result.result
    if (document === null) {
      const error = result.takeDiagnostics() ?? result.takeError()
      const told: { message?: string }[] = error === null ? [] : compiler.fetchDiagnostics(error)
      return { nr, problem: told.map(d => d.message ?? '').join('; ') || 'The template could not be set.' }
    }
    try {
      const pdf = compiler.pdf(document, { pdfStandard: STANDARD })
      return { nr, pdf, pages: document.numOfPages, illegible, memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024) }
    } catch (error) {
      const more = notShown(messagesOf(error)).filter(sign => !missing.has(sign))
      if (more.length === 0 || tries === TRIES)
        return { nr, problem: error instanceof Error ? error.message.slice(0, 2000) : String(error) }
      for (const sign of more) missing.add(sign)
    }
  }
}

process.on('message', (order: Order) => {
  let said: Said
  try {
    said = made(order)
  } catch (error) {
    said = { nr: order.nr, problem: error instanceof Error ? error.message : String(error) }
  }
  compiler.resetShadow()
  // Without it each document leaves five megabytes behind.
  compiler.evictCache(2)
  say(said)
})
process.on('disconnect', () => process.exit(0))
say({ ready: true })
