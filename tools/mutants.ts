// `npm run mutants [-- --rev REVISION] [NAME …]`: breaks the service in twenty-one ways, one at a time, and runs the tests that have to notice. A mutant that survives
// means that these tests prove less than they say. Each is an exact piece of source in a copy of the revision, so nothing here is changed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A fault that is put into the source. */
type Mutant = { name: string; file: string; from: string; to: string; tests: readonly string[]; only?: string }

const PERMITS = 'server/rooms/permits/permits'
const KIT = 'server/rooms/permits/kit'
const IMPORT = 'server/rooms/permits/permit-import'
const MODEL = `${PERMITS}/model.test.ts`
/** Some endpoints of each sort are enough to see that access isn't checked. */
const SOME = '\\((?:contractor|permit_type|membership|site)\\.'

const MUTANTS: readonly Mutant[] = [
  {
    name: 'lifecycle: rules of the room are left out',
    file: 'server/kernel/lifecycle/domain/decide.ts',
    from: 'for (const law of words.always) ',
    to: 'for (const law of words.always.slice(99)) ',
    tests: [MODEL],
  },
  {
    name: 'lifecycle: a reason that is required can be empty',
    file: 'server/kernel/lifecycle/domain/decide.ts',
    from: "(said[need] ?? '') === ''",
    to: '(said[need] as unknown) === 0',
    tests: ['server/kernel/lifecycle', 'tests/lifecycle.test.ts', MODEL],
  },
  {
    name: 'lifecycle: a rule that throws allows the step',
    file: 'server/kernel/lifecycle/domain/decide.ts',
    from: '} catch {\n    return closed',
    to: '} catch {\n    return null',
    tests: ['server/kernel/lifecycle', 'server/rooms/permits/permit-workflow/faults.test.ts', `${PERMITS}/steps.test.ts`],
  },
  {
    name: 'lifecycle: guards of the graph are left out',
    file: 'server/kernel/lifecycle/domain/decide.ts',
    from: 'if (words.choosing[guard] === undefined) ',
    to: 'if (words.choosing[guard] === null) ',
    tests: [MODEL],
  },
  {
    name: 'lifecycle: a single-stage permit needs an endorsement',
    file: `${KIT}/domain/gates.ts`,
    from: "if (guard === 'two_stage') return !facts.single_stage",
    to: "if (guard === 'two_stage') return true",
    tests: [MODEL, `${PERMITS}/api.test.ts`],
  },
  {
    name: 'access: people who aren’t members can open a site',
    file: 'server/base/edge.ts',
    from: 'if (scoped !== null && at.actor.standing === null) refuse(notFound())',
    to: '',
    tests: ['tests/access.test.ts'],
    only: SOME,
  },
  {
    name: 'access: a caller without the permission isn’t refused',
    file: 'server/base/edge.ts',
    from: '  const refusal = at.actor.lacks(route.access.needs)\n  if (refusal !== null) refuse(refusal)',
    to: '  at.actor.lacks(route.access.needs)',
    tests: ['tests/access.test.ts'],
    only: SOME,
  },
  {
    name: 'access: coordinators have the permissions of the manage band',
    file: 'server/kernel/access/domain.ts',
    from: "  manage: ['hse', 'site_manager', 'admin'],",
    to: "  manage: ['coordinator', 'hse', 'site_manager', 'admin'],",
    tests: ['tests/access.test.ts'],
    only: SOME,
  },
  {
    name: 'access: everyone sees drafts of their contractor',
    file: `${KIT}/domain/visibility.ts`,
    from: '  if (isPrivate(permit)) return false\n',
    to: '',
    tests: ['server/rooms/permits/permit-lists/visibility.test.ts'],
  },
  {
    name: 'access: viewers see permits that were never issued',
    file: `${KIT}/domain/visibility.ts`,
    from: 'viewer.sees_issued && permit.issued_at !== null',
    to: 'viewer.sees_issued',
    tests: ['server/rooms/permits/permit-lists/visibility.test.ts'],
  },
  {
    name: 'import: a permit that was requested is overwritten',
    file: `${IMPORT}/domain/landing.ts`,
    from: "if (present.source !== 'imported') {",
    to: "if (present.source !== 'imported' && present.status === 'draft') {",
    tests: [`${IMPORT}/domain.test.ts`],
  },
  {
    name: 'import: an expired permit is always issued again',
    file: `${IMPORT}/domain/landing.ts`,
    from: 'revive: row.end_at > now',
    to: 'revive: true',
    tests: [`${IMPORT}/domain.test.ts`],
  },
  {
    name: 'import: if a number is in the file twice, the first row is used',
    file: `${IMPORT}/domain/repeats.ts`,
    from: 'rows.set(row.permit_number, row)',
    to: 'if (earlier === undefined) rows.set(row.permit_number, row)',
    tests: [`${IMPORT}/domain.test.ts`],
  },
  {
    name: 'import: each February has 29 days',
    file: `${IMPORT}/domain/dates.ts`,
    from: 'month === 2 ? (leap ? 29 : 28)',
    to: 'month === 2 ? 29 + Number(leap) * 0',
    tests: [`${IMPORT}/domain.test.ts`],
  },
  {
    name: 'import: day and month are swapped',
    file: `${IMPORT}/domain/dates.ts`,
    from: "dmy: at('(?<d>\\\\d{1,2})/(?<m>\\\\d{1,2})",
    to: "dmy: at('(?<m>\\\\d{1,2})/(?<d>\\\\d{1,2})",
    tests: [`${IMPORT}/domain.test.ts`],
  },
  {
    name: 'audit: the link to the previous entry isn’t checked',
    file: 'server/kernel/audit/actions/verify.ts',
    from: 'if (row.prev_hash !== hash) return',
    to: 'if (row.prev_hash === null) return',
    tests: ['tests/tampering.test.ts'],
    only: 'R9 the audit log',
  },
  {
    name: 'audit: the changes of an entry aren’t checked',
    file: 'server/kernel/audit/actions/verify.ts',
    from: 'return digest === row.changes_digest\n',
    to: "return digest !== ''\n",
    tests: ['tests/tampering.test.ts'],
    only: 'R9 the audit log',
  },
  {
    name: 'audit: a missing end isn’t noticed',
    file: 'server/kernel/audit/actions/verify.ts',
    from: 'return report(endsBefore(head?.seq ?? null, seq))',
    to: 'return report(null)',
    tests: ['tests/tampering.test.ts'],
    only: 'R9 the audit log',
  },
  {
    name: 'audit: an entry shows the state after the first of several changes',
    file: 'server/kernel/audit/domain.ts',
    from: "after: last.op === 'D' ? null : last.after",
    to: "after: last.op === 'D' ? null : first.after",
    tests: ['tests/tampering.test.ts', 'tests/tampered-tables.test.ts'],
    only: 'R9 (?:if nothing was altered|there is no false alarm: after)',
  },
  {
    name: 'audit: secrets are in the log',
    file: 'server/kernel/audit/domain.ts',
    from: 'if (treat.secret.includes(path))',
    to: 'if (treat.secret.length > 99)',
    tests: ['server/rooms/operate/audit', 'server/kernel/audit', 'server/rooms/account', 'server/rooms/site/invitations/api.test.ts'],
  },
  {
    name: 'person data: the key of what is erased is kept',
    file: 'server/kernel/person-data/queries.ts',
    from: "update person_key set key = null, wrapped_by = '', erased_at",
    to: "update person_key set key = key, wrapped_by = '', created_at",
    tests: ['server/rooms/logistics/deliveries/people.test.ts'],
  },
]

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
const rev = args.includes('--rev') ? (args[args.indexOf('--rev') + 1] ?? 'HEAD') : 'HEAD'
const names = args.filter((arg, i) => arg !== '--rev' && args[i - 1] !== '--rev')
const hasOnce = (path: string, piece: string) => existsSync(path) && readFileSync(path, 'utf8').split(piece).length === 2
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

const copy = join(mkdtempSync(join(tmpdir(), 'walkdown-mutants-')), 'copy')
git('worktree', 'add', '--detach', copy, rev)
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
let survived = 0
try {
  for (const { name, file, from, to, tests, only } of MUTANTS.filter(
    one => names.length === 0 || names.some(part => one.name.includes(part)),
  )) {
    // A piece that has moved to another file since is the same piece, if it is there once.
    const found = [file, ...globSync('server/**/*.ts', { cwd: copy })].find(one => hasOnce(join(copy, one), from))
    if (found === undefined) {
      console.log(`?  ${name}: no file contains this code exactly once`)
      survived++
      continue
    }
    const path = join(copy, found)
    const source = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      source.replace(from, () => to),
    )
    const began = performance.now()
    const ran = spawnSync(process.execPath, ['tools/test.ts', ...tests, ...(only === undefined ? [] : ['--only', only])], {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    writeFileSync(path, source)
    const first = /^ *✖ (?!failing)(.*?)(?: \([\d.]+ms\))?$/m.exec(ran.stdout)?.[1] ?? ''
    const died = ran.status !== 0 && first !== ''
    if (!died) survived++
    console.log(
      `${died ? '✔' : '✖'}  ${name}: ${died ? `found by “${first}”` : 'survived'} (${((performance.now() - began) / 1000).toFixed(0)} s)`,
    )
  }
} finally {
  git('worktree', 'remove', '--force', copy)
  rmSync(join(copy, '..'), { recursive: true, force: true })
}
process.exit(survived === 0 ? 0 : 1)
