import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { useHouse } from '../../tests/world.ts'
import { formOf } from '../base/multipart.ts'
import { type Asked, askedOf, importFile, inside, refused, table, told } from './import.ts'

const whole: Asked = { file: 'a/register.csv', site: 'DEMO-1', as: 'ada@example.com', format_id: null, dry_run: true }
const call = ['register.csv', '--site', 'DEMO-1', '--as', 'ada@example.com']

describe('arguments of the import command', () => {
  test('the arguments can have any order, and a missing or unknown one is explained in a sentence', () => {
    assert.deepEqual(askedOf(['--dry-run', '--as', 'ada@example.com', 'r.xlsx', '--format', 'ptw', '--site', 'DEMO-1']), {
      file: 'r.xlsx',
      site: 'DEMO-1',
      as: 'ada@example.com',
      format_id: 'ptw',
      dry_run: true,
    })
    assert.throws(() => askedOf(call.slice(1)), /needs one file/)
    assert.throws(() => askedOf([...call, 'second.csv']), /needs one file/)
    assert.throws(() => askedOf(['r.csv', '--as', 'ada@example.com']), /needs --site: the code or the id/)
    assert.throws(() => askedOf(['r.csv', '--site', 'DEMO-1']), /needs --as/)
    assert.throws(() => askedOf([...call, '--format']), /--format needs a value/)
    assert.throws(() => askedOf([...call, '--fast']), /no option --fast/)
  })

  test('the file is sent as multipart with its name and fields, to the site with this code', async () => {
    const sent: string[] = []
    const { lines, taken } = await importFile(
      async (method, path, form) => {
        sent.push(`${method} ${path}`)
        if (form === undefined)
          return {
            status: 200,
            body: [
              { code: 'DEMO-10', id: 'no' },
              { code: 'DEMO-1', id: 'yes' },
            ] as never,
          } // the endpoint returns a list of sites
        sent.push(form.payload.toString())
        return { status: 200, body: { created: 2, refused: 1, errors: [{ row: 7, column: 'Start', message: 'is no date' }] } }
      },
      whole,
      Buffer.from('Ref\nPTW-1\n'),
    )
    assert.deepEqual(sent.slice(0, 2), ['GET /sites/?q=DEMO-1', 'POST /permits/upload?site_id=yes'])
    assert.match(sent[2] ?? '', /name="dry_run"\r\n\r\ntrue\r\n[\s\S]*filename="register.csv"[\s\S]*PTW-1/)
    assert.equal(taken, true)
    assert.deepEqual(lines.slice(0, 3), ['Dry run: nothing was written.', '  created                  2', '  refused                  1'])
    assert.deepEqual(lines.slice(3), ['', 'errors: 1', '  row  column  message', '  7    Start   is no date'])
  })

  test('a site that the person can’t see and a refused file are reported, and the exit code isn’t 0', async () => {
    const none = await importFile(async () => ({ status: 200, body: [] as never }), whole, Buffer.from('')) // an empty list of sites
    assert.deepEqual(none, { lines: ['ada@example.com has no site with the code DEMO-1. Check --site and --as.'], taken: false })
    const body = {
      error: { code: 'validation_failed', detail: 'No header row.', fields: [{ path: 'file', message: 'has no header row.' }] },
    }
    assert.deepEqual(refused(422, body), ['Refused (422 validation_failed): No header row.', '  file has no header row.'])
    const answer = await importFile(
      async method => (method === 'GET' ? { status: 200, body: [{ code: 'DEMO-1', id: 'yes' }] as never } : { status: 422, body }),
      whole,
      Buffer.from(''),
    )
    assert.equal(answer.taken, false)
  })

  test('a long list of rows is shortened with a note, and a file name can’t change the multipart headers', () => {
    const lines = told({ errors: Array.from({ length: 60 }, (_, row) => ({ row })) }, false)
    assert.equal(lines.at(-1), '  … and 10 more')
    assert.deepEqual(table(['a', 'b'], [['1', '2']]), ['a  b', '1  2'])
    const form = formOf('x"\r\nevil: 1.csv', Buffer.from('y'), {})
    assert.match(form.payload.toString(), /filename="x___evil: 1.csv"/)
  })
})

describe('the import command on a site', () => {
  const house = useHouse()

  test('a register is checked, then imported as the person who was named; a person without the permission is refused', async () => {
    const w = await house.world()
    const bytes = await readFile(new URL('../../tests/data/permits/register-40.xlsx', import.meta.url))
    const run = (role: 'admin' | 'viewer', dry_run: boolean) =>
      inside(house.house, w.as(role).token ?? '', send =>
        importFile(send, { ...whole, file: 'register-40.xlsx', site: w.site_id, dry_run }, bytes),
      )
    const count = async () => (await house.rows('select count(*)::int as n from permit where site_id = $1', [w.site_id]))[0].n
    const dry = await run('admin', true)
    assert.equal(dry.taken, true, dry.lines.join('\n'))
    assert.equal(await count(), 0)
    const wet = await run('admin', false)
    assert.equal(wet.lines[0], 'Imported.')
    assert.match(wet.lines[1] ?? '', new RegExp(`new +${await count()}$`))
    assert.ok((await count()) > 0)
    const other = await run('viewer', false)
    assert.equal(other.taken, false)
    assert.match(other.lines[0] ?? '', /^Refused \(403 forbidden\)/)
  })
})
