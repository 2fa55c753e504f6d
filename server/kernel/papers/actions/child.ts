// Entry of the printing process, which makes one sheet after another and returns the results. Typst can't be interrupted and blocks everything else
// meanwhile. It therefore runs in a process of its own, which can be stopped.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { serveOrders } from '../../../base/child/serve.ts'
import { remembered } from '../../../base/memo.ts'
import { legible, type Setting, type Sheet, STANDARD } from '../domain.ts'
import { coverage, fontFolders, widerCoverage } from './fonts.ts'

const workspace = join(dirname(fileURLToPath(import.meta.url)), '../../../papers')
const compilers = new Map<boolean, NodeCompiler>()
/** Returns the compiler with the fonts of the family, or with those of all scripts; made when a document first needs it. */
const compilerWith = (wide: boolean): NodeCompiler =>
  remembered(compilers, wide, () => NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: fontFolders(wide) }] }))
const usual = coverage()
const wider = widerCoverage(usual)
const TRIES = 4

/** Returns the characters that the fonts list but can't show in this place, from the messages of the compiler. */
function notShown(messages: readonly string[]): number[] {
  const found = messages.flatMap(message => [...(/the text `"(.+?)"` could not be displayed/su.exec(message)?.[1] ?? '')])
  return [...new Set(found.map(sign => sign.codePointAt(0) ?? 0))]
}

function messagesOf(error: unknown): string[] {
  const said = error instanceof Error ? error.message : String(error)
  return said.split('SourceDiagnostic {')
}

function made(sheet: Sheet): Setting {
  const missing = new Set<number>()
  const wide = legible(sheet.data, usual).illegible.count > 0
  const covered = wide ? wider : usual
  const compiler = compilerWith(wide)
  for (const [name, bytes] of Object.entries(sheet.pictures)) compiler.mapShadow(join(workspace, name), Buffer.from(bytes))
  for (let tries = 1; ; tries++) {
    const { data, illegible } = legible(sheet.data, sign => covered(sign) && !missing.has(sign))
    const inputs = { data: JSON.stringify({ ...data, illegible }) }
    const result = compiler.compile({ mainFilePath: join(workspace, `${sheet.template}.typ`), inputs })
    const document = result.result
    if (document === null) {
      const error = result.takeDiagnostics() ?? result.takeError()
      const told: { message?: string }[] = error === null ? [] : compiler.fetchDiagnostics(error)
      throw new Error(told.map(d => d.message ?? '').join('; ') || 'The template could not be compiled.')
    }
    try {
      const pdf = compiler.pdf(document, { pdfStandard: STANDARD })
      return { pdf, pages: document.numOfPages, illegible }
    } catch (error) {
      const more = notShown(messagesOf(error)).filter(sign => !missing.has(sign))
      if (more.length === 0 || tries === TRIES) throw error
      for (const sign of more) missing.add(sign)
    }
  }
}

serveOrders(made, () => {
  for (const compiler of compilers.values()) {
    compiler.resetShadow()
    // Without this, each document leaves five megabytes in memory.
    compiler.evictCache(2)
  }
})
