import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rooms } from '../../../groups.ts'
import { type EventField, type EventKind, fieldsOf, sampleOf } from '../../events/domain.ts'
import { ENVELOPE_WORDS, fieldsIn, filledIn } from './words.ts'

const ENVELOPE = { subject_label: 'P-7', actor_name: 'Hal Safety', at: '2026-03-16T09:00:00.000Z', work_date: '2026-03-16' }
const HOW = { timezone: 'Europe/London', locale: 'en-GB', label: () => 'Somebody' }

const fill = (text: string, payload: Record<string, unknown>, fields: Record<string, EventField>) =>
  filledIn(text, { ...ENVELOPE, payload }, fields, 'Riverside Quarter', HOW)

describe('words of notifications', () => {
  const FIELDS: Record<string, EventField> = {
    note: { says: 'Note', type: 'text' },
    title: { says: 'Title', type: 'text' },
    end_at: { says: 'End', type: 'instant' },
    types: { says: 'Types', type: 'texts' },
  }
  const known = { title: 'Weld the frame', end_at: '2026-03-16T15:00:00.000Z', types: ['HW'], note: null }

  test('messages.md §3.1 a part that contains only absent fields is left out', () => {
    assert.equal(fill('{{note}}', known, FIELDS), '')
    assert.equal(fill('{{title}}. {{note}}', known, FIELDS), 'Weld the frame.')
    assert.equal(fill('{{note}}. It ends {{end_at}}.', known, FIELDS).startsWith('It ends '), true)
    assert.equal(fill('{{types}} {{title}}', { ...known, types: [] }, FIELDS), 'Weld the frame')
    assert.equal(fill('{{title}}\n{{note}}', { ...known, note: '' }, FIELDS), 'Weld the frame')
    assert.equal(fill('{{note}}', {}, FIELDS), '')
  })

  test('messages.md §3.1 a day is written as people write it, not as the API does', () => {
    const fields = { due_on: { says: 'Due', type: 'date' as const } }
    assert.equal(fill('It was due on {{due_on}}.', { due_on: '2026-11-22' }, fields), 'It was due on 22 Nov 2026.')
    assert.equal(fill('Work of {{work_date}}', {}, fields), 'Work of 16 Mar 2026')
  })

  test('a notification about a role writes it as a person would say it', () => {
    const activated = rooms.flatMap(room => room.events ?? []).find(event => event.kind === 'membership.activated')
    assert.ok(activated)
    assert.equal(
      fill('You are now a member, as {{role}}', { role: 'admin' }, fieldsOf(activated)),
      'You are now a member, as administrator',
    )
    assert.equal(fill('As {{role}}.', { role: 'site_manager' }, fieldsOf(activated)), 'As site manager.')
  })

  test('messages.md §3.1 words that a person wrote are never lost: a dash replaces an unknown value', () => {
    assert.equal(fill('{{note}} Call the office.', known, FIELDS), 'Call the office.')
    assert.equal(fill('Stop work at once: {{note}}', known, FIELDS), 'Stop work at once: –')
  })

  test('messages.md §3.1 a note that ends with a full stop keeps one full stop and all its words', () => {
    const said = { ...known, note: 'Wet floor. Come tomorrow.' }
    assert.equal(fill('{{note}}. {{title}}', said, FIELDS), 'Wet floor. Come tomorrow. Weld the frame')
    assert.equal(fill('{{title}}. {{note}}', said, FIELDS), 'Weld the frame. Wet floor. Come tomorrow.')
  })

  // Fields that every event of its kind has. Any other field of a standard template may be absent, so it must be in a part of its own.
  const ALWAYS = new Set([
    ...Object.keys(ENVELOPE_WORDS),
    'change',
    'permit_number',
    'start_at',
    'end_at',
    'minutes_left',
    'entity_label',
    'entity_start_at',
    'requested_by_id',
    'requested_end_at',
    'new_end_at',
    'rule_name',
    'paused_until',
    'due_on',
    'from',
    'user_id',
    'role',
    'before',
    'after',
  ])
  const events = new Map<string, EventKind>(rooms.flatMap(room => (room.events ?? []).map(event => [event.kind, event])))
  const rules = rooms.flatMap(room => room.notices?.rules ?? [])

  const subsets = (names: readonly string[]): string[][] =>
    Array.from({ length: 2 ** names.length }, (_, mask) => names.filter((_name, i) => (mask >> i) % 2 === 1))

  test('messages.md §3.1 every standard template reads well, whichever of its optional fields are absent', () => {
    assert.ok(rules.length > 15, 'the rooms have rules')
    for (const rule of rules) {
      const event = events.get(rule.event_kind) ?? assert.fail(rule.event_kind)
      const words = [...new Set([...fieldsIn(rule.title), ...fieldsIn(rule.body ?? '')])]
      for (const name of words) assert.ok(!(ALWAYS.has(name) && event.sometimes?.includes(name)), `${rule.key}: ${name} may be absent`)
      for (const gone of subsets(words.filter(name => !ALWAYS.has(name)))) {
        const payload = { ...sampleOf(event), ...Object.fromEntries(gone.map(name => [name, null])) }
        const read = [fill(rule.title, payload, fieldsOf(event)), fill(rule.body ?? '', payload, fieldsOf(event))]
        const where = `${rule.key} without ${gone.join(', ') || 'nothing less'}: ${read.join(' | ')}`
        assert.notEqual(read[0], '', where)
        for (const text of read) assert.doesNotMatch(text, /–|\{\{|\.\.| {2}|^[\s.,:;]|\s[.,;]|[:,;]$/, where)
      }
    }
  })
})
