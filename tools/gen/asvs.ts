// The table of the OWASP ASVS as a page, from docs/security/asvs.tsv.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The status of a requirement. */
export const STATUSES = ['met', 'operation', 'not_applicable', 'not_met'] as const
/** One requirement: its paraphrase, and the test, page or reason that shows its status. */
export type Requirement = { id: string; level: string; status: (typeof STATUSES)[number]; what: string; file: string; evidence: string }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = `${ROOT}docs/security/asvs.tsv`
const NAMES = [
  undefined,
  'Encoding',
  'Validation and business logic',
  'Web frontend',
  'API',
  'Files',
  'Authentication',
  'Sessions',
  'Authorisation',
].concat([
  'Self-contained tokens',
  'OAuth and OpenID Connect',
  'Cryptography',
  'Secure communication',
  'Configuration',
  'Data protection',
  'Secure coding',
  'Logging and errors',
  'WebRTC',
])
const WORDS = { met: 'met', operation: 'met by operation', not_applicable: 'does not apply', not_met: '**not met**' }

/** Reads the requirements. Throws on a line that isn't one. */
export function requirements(): Requirement[] {
  const [head, ...lines] = readFileSync(SOURCE, 'utf8').trimEnd().split('\n')
  if (head !== 'id\tlevel\tstatus\twhat\tfile\tevidence') throw new Error(`The first line of ${SOURCE} isn’t the list of columns.`)
  return lines.map(line => {
    const [id = '', level = '', status = '', what = '', file = '', evidence, ...more] = line.split('\t')
    const known = STATUSES.find(one => one === status)
    if (known === undefined || evidence === undefined || more.length > 0)
      throw new Error(`${SOURCE}: "${line}" must have six columns and a known status.`)
    return { id, level, status: known, what, file, evidence }
  })
}

/** The titles of a file: of the tests in code, the headings of a page. */
function titlesOf(file: string): string[] {
  const text = readFileSync(`${ROOT}${file}`, 'utf8')
  if (file.endsWith('.md')) return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return [...text.matchAll(/\b(?:test|step|title)(?:\(|:)\s*(['"`])((?:\\.|(?!\1).)*)\1/g)].map(([, , title = '']) => title)
}

/** Lists the evidence that the table cites and the project doesn't have: a file, or a title that starts with this text. */
export function evidenceFaults(): string[] {
  const titles = new Map<string, string[]>()
  return requirements()
    .filter(one => one.file !== '')
    .filter(({ file, evidence }) => {
      if (!titles.has(file)) titles.set(file, existsSync(`${ROOT}${file}`) ? titlesOf(file) : [])
      return !titles.get(file)?.some(title => title.startsWith(evidence))
    })
    .map(
      ({ id, file, evidence }) =>
        `docs/security/asvs.tsv: ${id} cites “${evidence}”, but ${file} has no such title. Correct the citation or the title.`,
    )
}

/** Returns the heading's anchor in a page, as GitHub makes it. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s/g, '-')
const cell = (text: string) => text.replaceAll('|', '\\|')

function shown({ file, evidence }: Requirement): string {
  if (file === '') return cell(evidence)
  const path = file.startsWith('docs/security/')
    ? file.slice('docs/security/'.length)
    : file.startsWith('docs/')
      ? `../${file.slice('docs/'.length)}`
      : `../../${file}`
  return file.endsWith('.md')
    ? `[${cell(evidence)}](${path}#${anchor(evidence)})`
    : `[${file.split('/').slice(-2).join('/')}](${path}): “${cell(evidence.replace(/\$\{([^}]*)\}/g, '…'))}”`
}

/** Returns the page. */
export function asvsPage(): string {
  const all = requirements()
  const count = (status: string) => all.filter(one => one.status === status).length
  const chapters = Map.groupBy(all, one => Number(/^V(\d+)/.exec(one.id)?.[1]))
  const parts = [...chapters].map(
    ([number, rows]) =>
      `## V${number} ${NAMES[number] ?? ''}\n\n| Requirement | Level | What | Status | Shown by |\n| --- | --- | --- | --- | --- |\n${rows
        .map(row => `| ${row.id} | ${row.level} | ${cell(row.what)} | ${WORDS[row.status]} | ${shown(row)} |`)
        .join('\n')}`,
  )
  return `<!-- Generated from asvs.tsv by npm run gen. -->

# OWASP ASVS 5.0.0, levels 1 and 2

This page lists each requirement of the [Application Security Verification Standard](https://github.com/OWASP/ASVS/tree/v5.0.0) at levels 1 and 2 in our own words. A requirement that is met cites the test that shows it, by the
beginning of its title, or a page if the standard asks for documentation. For a requirement that is met by operation, the cited page says what the people who run the service must do. \`tests/house/asvs.test.ts\` checks that each requirement is here once
and that each test and heading exists. A test shows examples; it doesn’t replace a review.

| Status | Requirements |
| --- | --- |
| met | ${count('met')} |
| met by operation | ${count('operation')} |
| does not apply | ${count('not_applicable')} |
| not met | ${count('not_met')} |

${parts.join('\n\n')}
`
}
