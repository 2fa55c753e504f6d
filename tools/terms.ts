// The terminology check: every text that a person reads, and every comment that a developer reads, against the terms of docs/terms.md. It uses textlint with
// our own rule. `npm run check` runs it; `node tools/run.js tools/terms.ts FOLDER …` checks some files.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { TextlintKernel, type TextlintKernelOptions } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import plain from '@textlint/textlint-plugin-text'
import { counted } from '../shared/text.ts'
import { TERMS } from './terms/rules.ts'
import { type Piece, piecesOf, typstTexts } from './terms/sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const asked = process.argv.slice(2)
const wanted = (file: string) => asked.length === 0 || asked.some(part => file.includes(part))
const files = (...patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .filter(file => !file.includes('.gen.') && !file.includes('node_modules') && wanted(file))
    .sort()

/** The rule: each wording that is not used is reported where it is, with what to write instead. */
const terms: NonNullable<TextlintKernelOptions['rules']>[number]['rule'] = context => ({
  [context.Syntax.Str](node) {
    const text = context.getSource(node)
    for (const term of TERMS) {
      for (const found of text.matchAll(term.not)) {
        const around = text.slice(Math.max(0, found.index - 12), found.index + found[0].length + 12)
        if (term.except?.test(around)) continue
        context.report(node, new context.RuleError(`“${found[0]}”: write ${term.use}.`, { index: found.index }))
      }
    }
  },
})

const kernel = new TextlintKernel()
const rules = [{ ruleId: 'terms', rule: terms }]
const plugins = [
  { pluginId: 'text', plugin: plain.default ?? plain },
  { pluginId: 'markdown', plugin: markdown.default ?? markdown },
]

/** One found wording. */
type Finding = { file: string; line: number; message: string; text: string }
const findings: Finding[] = []

/** Joins the texts of a file into one document, a line each, so that a position in it leads back to its text. */
async function lookAt(file: string, pieces: readonly Piece[]): Promise<void> {
  if (pieces.length === 0) return
  const text = pieces.map(piece => piece.text.replace(/\s+/g, ' ')).join('\n')
  const { messages } = await kernel.lintText(text, { ext: '.txt', filePath: file, plugins, rules })
  for (const { line, message } of messages) {
    const piece = pieces[line - 1]
    findings.push({ file, line: piece?.line ?? 0, message, text: piece?.text.replace(/\s+/g, ' ').slice(0, 160) ?? '' })
  }
}

async function lookAtDocument(file: string): Promise<void> {
  const text = readFileSync(`${root}${file}`, 'utf8')
  const { messages } = await kernel.lintText(text, { ext: '.md', filePath: file, plugins, rules })
  for (const { line, message } of messages) findings.push({ file, line, message, text: text.split('\n')[line - 1]?.slice(0, 160) ?? '' })
}

const sources = files(
  'server/**/*.ts',
  'shared/**/*.ts',
  'web/**/*.{ts,tsx}',
  'tools/**/*.ts',
  'bench/**/*.ts',
  'tests/**/*.ts',
  'server/**/*.js',
).filter(file => !file.startsWith('tools/terms'))
for (const file of sources) {
  const { texts, titles, comments } = piecesOf(`${root}${file}`)
  const isTest = file.endsWith('.test.ts') || file.startsWith('tests/')
  await lookAt(file, [...(isTest ? titles : texts), ...comments])
}
for (const file of files('server/papers/*.typ')) await lookAt(file, typstTexts(`${root}${file}`))
// docs/terms.md and its rules quote the wordings themselves.
const documents = files('README.md', 'SECURITY.md', '.env.example', 'docs/**/*.md').filter(file => file !== 'docs/terms.md')
for (const file of documents) await lookAtDocument(file)

for (const { file, line, message, text } of findings) console.log(`${file}:${line} ${message}  ${text}`)
if (findings.length > 0) console.log(`${counted(findings.length, 'phrase')} that docs/terms.md doesn’t allow.`)
process.exit(findings.length > 0 ? 1 : 0)
