import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeLines, didOf, sinceReturned } from './changes.ts'

describe('the history of a permit', () => {
  test('an approved extension request isn’t shown as an approved permit, and a bulk close-out and a copy are shown in words', () => {
    const did = (cause: string, changed = 0) => didOf({ cause }, changed)
    assert.equal(did('permit.approve'), 'approved it')
    assert.equal(did('permit_extension.approve', 1), 'approved an extension request')
    assert.equal(did('permit.close_out_bulk'), 'closed it out')
    assert.equal(did('permit.close_out'), 'closed it out')
    assert.equal(did('permit.reissue'), 'created it as a copy of another permit')
    assert.deepEqual([did('permit.edit'), did('permit.edit', 2)], ['saved it without changes', 'changed 2 fields'])
  })

  test('a change far down in a long text is shown where it begins', () => {
    const naming = { zone: 'UTC', name: () => undefined }
    const long = 'Keep the extinguisher at hand. '.repeat(20)
    const lines = (before: string, after: string) => changeLines([{ path: 'controls', before, after }], naming)
    const [line = ''] = lines(`${long}Watch for 60 minutes.`, `${long}Watch for 30 minutes.`)
    assert.match(line, /^Controls: ….*Watch for 60 minutes\. → ….*Watch for 30 minutes\.$/)
    assert.ok(line.length < 450, line)
    assert.deepEqual(lines('Two watches', 'One watch'), ['Controls: Two watches → One watch'])
    assert.deepEqual(lines(long, long), [])
  })

  test('web.md Review: what changed between the last two submissions is one list; a field that was changed back is not in it', () => {
    const step = (cause: string, at: string, changes: { path: string; before: unknown; after: unknown }[] = []) => ({ cause, at, changes })
    const title = (before: string, after: string) => ({ path: 'title', before, after })
    const once = [step('permit.edit', '2'), step('permit.submit', '1'), step('permit.create', '0')]
    assert.equal(sinceReturned(once), null)
    const twice = [
      step('permit.endorse', '7', [title('C', 'never')]),
      step('permit.submit', '6'),
      step('permit.edit', '5', [title('B', 'C'), { path: 'controls', before: 'X', after: 'Y' }]),
      step('permit.edit', '4', [title('A', 'B')]),
      step('permit.request_corrections', '3'),
      ...once,
    ]
    const again = sinceReturned(twice)
    assert.deepEqual([again?.returned.at, again?.since], ['3', '1'])
    assert.deepEqual(again?.changes, [title('A', 'C'), { path: 'controls', before: 'X', after: 'Y' }])
    const back = [step('permit.submit', '6'), step('permit.edit', '5', [title('B', 'A')]), ...twice.slice(3)]
    assert.deepEqual(changeLines(sinceReturned(back)?.changes ?? [], { zone: 'UTC', name: () => undefined }), [])
    assert.equal(sinceReturned(twice.slice(5, 7)), null, 'returned, and not submitted again')
  })
})
