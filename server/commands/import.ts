import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isRecord } from '../../shared/narrow.ts'
import { openEdge } from '../app.ts'
import type { House } from '../base/ctx.ts'
import { isId } from '../base/ids.ts'
import { formOf } from '../base/multipart.ts'
import { type Command, CommandError, inHouse, option, words } from './command.ts'
import { tokenFor } from './token.ts'

/** The import that the arguments ask for. */
export type Asked = { file: string; site: string; as: string; format_id: string | null; dry_run: boolean }

const VALUED = ['site', 'as', 'format']

/** Reads the arguments; each mistake in them is explained in a sentence. */
export function askedOf(args: readonly string[]): Asked {
  const known = [...VALUED, 'dry-run'].map(name => `--${name}`)
  const strange = args.find(arg => arg.startsWith('--') && !known.includes(arg))
  if (strange !== undefined) throw new CommandError(`import has no option ${strange}. See walkdown import --help.`)
  const [file, ...more] = words(args, VALUED)
  if (file === undefined || more.length > 0)
    throw new CommandError('import needs one file: walkdown import register.xlsx --site DEMO-1 --as ada@example.com')
  const given = (name: string) => {
    const value = option(args, name)
    if (value?.startsWith('--') || (value === null && args.includes(`--${name}`))) throw new CommandError(`--${name} needs a value.`)
    return value
  }
  const needed = (name: string, says: string) => {
    const value = given(name)
    if (value === null) throw new CommandError(`import needs --${name}: ${says}.`)
    return value
  }
  return {
    file,
    site: needed('site', 'the code or the id of the site'),
    as: needed('as', 'the address of the person who imports'),
    format_id: given('format'),
    dry_run: args.includes('--dry-run'),
  }
}

type Fields = Record<string, unknown>
const fieldsOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])
const said = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Longest list of rows that the terminal shows. */
const SHOWN = 50

/** Writes a table of text: each column is as wide as its longest cell, and the last column has any width. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, i) => Math.min(40, Math.max(title.length, ...rows.map(row => (row[i] ?? '').length))))
  const line = (row: readonly string[]) => row.map((cell, i) => (i === head.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ')
  return [line(head), ...rows.map(line)].map(text => text.trimEnd())
}

/** Writes an import's result as lines for the terminal: counts, then the rows that were refused or not fully understood. */
export function told(answer: Fields, dry_run: boolean): string[] {
  const counts = Object.entries(answer).filter(([, value]) => typeof value === 'number')
  const lines = [dry_run ? 'Dry run: nothing was written.' : 'Imported.']
  for (const [name, value] of counts) lines.push(`  ${name.replaceAll('_', ' ').padEnd(24)} ${value}`)
  // Show the refused rows first.
  const lists = Object.entries(answer).sort(([a], [b]) => Number(b === 'errors') - Number(a === 'errors'))
  for (const [name, value] of lists) {
    const rows = fieldsOf(value)
    if (rows.length === 0) continue
    const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
    lines.push('', `${name.replaceAll('_', ' ')}: ${rows.length}`)
    lines.push(
      ...table(
        columns,
        rows.slice(0, SHOWN).map(row => columns.map(column => said(row[column]))),
      ).map(line => `  ${line}`),
    )
    if (rows.length > SHOWN) lines.push(`  … and ${rows.length - SHOWN} more`)
  }
  return lines
}

/** Writes the refusal of a whole file as lines for the terminal. */
export function refused(status: number, answer: Fields): string[] {
  const error = isRecord(answer.error) ? answer.error : {}
  const fields = fieldsOf(error.fields).map(fault => `  ${said(fault.path)} ${said(fault.message)}`)
  return [`Refused (${status} ${said(error.code)}): ${said(error.detail)}`, ...fields]
}

type Reply = { status: number; body: Fields }
type Send = (method: 'GET' | 'POST', path: string, form?: { type: string; payload: Buffer }) => Promise<Reply>

/** Sends the file; returns the lines to print, and whether the file was accepted. */
export async function importFile(send: Send, asked: Asked, bytes: Buffer): Promise<{ lines: string[]; taken: boolean }> {
  const sites = await send('GET', `/sites/?q=${encodeURIComponent(asked.site)}`)
  if (sites.status !== 200) return { lines: refused(sites.status, sites.body), taken: false }
  const found = fieldsOf(sites.body).find(site => site.code === asked.site)
  const site_id = isId(asked.site) ? asked.site : found?.id
  if (site_id === undefined) return { lines: [`${asked.as} has no site with the code ${asked.site}. Check --site and --as.`], taken: false }
  const fields = {
    ...(asked.format_id === null ? {} : { format_id: asked.format_id }),
    ...(asked.dry_run ? { dry_run: 'true' } : {}),
  }
  const answer = await send('POST', `/permits/upload?site_id=${said(site_id)}`, formOf(basename(asked.file), bytes, fields))
  const taken = answer.status < 300
  return { lines: taken ? told(answer.body, asked.dry_run) : refused(answer.status, answer.body), taken }
}

/** Calls the API within this process. */
export async function inside<T>(house: House, token: string, work: (send: Send) => Promise<T>): Promise<T> {
  const { app } = await openEdge(house)
  try {
    return await work(async (method, path, form) => {
      const { statusCode, payload } = await app.inject({
        method,
        url: `/api${path}`,
        headers: { authorization: `Bearer ${token}`, ...(form === undefined ? {} : { 'content-type': form.type }) },
        ...(form === undefined ? {} : { payload: form.payload }),
      })
      return { status: statusCode, body: payload === '' ? {} : JSON.parse(payload) }
    })
  } finally {
    await app.close()
  }
}

export const importCommand: Command = {
  name: 'import',
  usage: 'import FILE --site CODE --as EMAIL [--format ID] [--dry-run]',
  says: 'Imports a permit register into a site, as a person who is allowed to import.',
  details: `--site     code or id of the site
--as       address of the person who imports; an account of the built-in provider with the right to import there
--format   id of the import format; default: by the file extension
--dry-run  checks every row and writes nothing
The command prints counts and the first 50 refused rows. The exit code is 1 if the whole file is refused, and 2 if the command was called incorrectly.`,
  async run(args, env) {
    const asked = askedOf(args)
    const bytes = await readFile(asked.file).catch(() => {
      throw new CommandError(`The file ${asked.file} can’t be read. Check its path and permissions.`)
    })
    return inHouse(env, async house => {
      const token = await tokenFor(house, asked.as)
      const { lines, taken } = await inside(house, token, send => importFile(send, asked, bytes))
      for (const line of lines) console[taken ? 'log' : 'error'](line)
      return taken ? 0 : 1
    })
  },
}
