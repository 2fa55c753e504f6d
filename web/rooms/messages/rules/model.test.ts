import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultAt } from '../../../base/kit/fault-words.ts'
import {
  type EventSchema,
  type Field,
  firstValue,
  fixedDay,
  formOf,
  type Group,
  groupsFor,
  hoursFrom,
  hoursOf,
  isWhole,
  keptFor,
  type Line,
  linesOf,
  newGroup,
  newLine,
  operatorsFor,
  pathOf,
  readCondition,
  replaced,
  withField,
  withOperator,
  writeCondition,
} from './condition.ts'
import {
  changesOf,
  contentOf,
  draftOf,
  eventGroups,
  forEvent,
  inOrder,
  isTriable,
  type Rule,
  termsFor,
  termWords,
  titleFor,
  withTerm,
} from './model.ts'

const field = (path: string, type: string, operators: Field['operators'], more: Partial<Field> = {}): Field => ({
  path,
  type,
  operators: [...operators, 'is_set', 'is_not_set'],
  label: path,
  in_words: true,
  ...more,
})
const GATE = field('next_gate', 'enum', ['eq', 'ne', 'in', 'not_in'], { values: ['endorse', 'approve'] })
const TYPES = field('categories', 'set of code', ['overlaps', 'contains_all', 'disjoint', 'is_empty', 'contains'], {
  refers: 'permit_type',
})
const TIME = field('local_time', 'local_time', ['between'])
const END = field('end_at', 'instant', ['before', 'after', 'between'])
const REDS = field('red_conflicts', 'number', ['eq', 'gte', 'between'])
const SIGNATURE = field('signature_id', 'id', ['eq', 'ne', 'in', 'not_in'])
const FLAG = field('backdated', 'boolean', ['eq'])

const event = (event_kind: string, fields: Field[], more: Partial<EventSchema> = {}): EventSchema => ({
  event_kind,
  area: 'permits',
  label: 'A permit was submitted',
  schema: 1,
  fields,
  words: [],
  identities: [],
  contractors: [],
  sample: {},
  ...more,
})
const ROLE = field('actor_role', 'enum', ['eq', 'ne', 'in', 'not_in'], { values: ['hse', 'member'] })
const SUBMITTED = event('permit.submitted', [GATE, TYPES, TIME, ROLE], { identities: ['receiver'], contractors: ['own'] })
const CHANGED = event('contractor.changed', [field('local_time', 'local_time', ['between'])], {
  area: 'contractors',
  label: 'A contractor was changed',
  contractors: ['own'],
})

const HOT = {
  all: [
    { field: 'categories', op: 'overlaps', value: ['HW'] },
    { not: { field: 'next_gate', op: 'eq', value: 'approve' } },
    {
      any: [
        { field: 'local_time', op: 'between', value: ['16:00', '06:00'] },
        { field: 'categories', op: 'is_set' },
      ],
    },
  ],
}

const rule = (more: Partial<Rule> = {}): Rule =>
  ({
    id: 'r',
    name: 'Hot work',
    source: 'site',
    locked: false,
    enabled: true,
    event_kind: 'permit.submitted',
    when: HOT,
    audience: [{ role: 'hse' }, { otherwise: [{ band: 'manage' }] }],
    channels: ['in_app'],
    title: 'Hot work {{permit_number}}',
    body: '',
    urgency: 'info',
    include_actor: false,
    explanation: 'When a permit is submitted, notify every H&S person, in the app.',
    ...more,
  }) as Rule // the fields that the tests use

const read = (said: unknown): Group => readCondition(said) ?? assert.fail('It can be shown.')

describe('conditions of rules', () => {
  test('site-and-people.md §18 the form offers the shared groups of what the event is about; the condition of a group offers the person’s own too', () => {
    const groups = ['shared', 'private'].flatMap(visibility => ['permit', 'entity'].map(subject => ({ subject, visibility })))
    assert.deepEqual(groupsFor({ groups: 'permit' }, groups), [{ subject: 'permit', visibility: 'shared' }])
    assert.deepEqual(groupsFor({ groups: 'entity', own_groups: true }, groups), [
      { subject: 'entity', visibility: 'shared' },
      { subject: 'entity', visibility: 'private' },
    ])
  })

  test('a condition that is read is written back with the same meaning, with groups, negations and comparisons of two fields', () => {
    assert.deepEqual(writeCondition(read(HOT)), {
      ...HOT,
      all: [HOT.all[0], { not: { any: [{ field: 'next_gate', op: 'eq', value: 'approve' }] } }, HOT.all[2]],
    })
    assert.equal(writeCondition(read(true)), true)
    assert.deepEqual(writeCondition(read({ field: 'a', op: 'eq', ref: 'b' })), { all: [{ field: 'a', op: 'eq', ref: 'b' }] })
    assert.deepEqual(writeCondition(read({ not: { any: [{ field: 'a', op: 'is_set' }] } })), {
      not: { any: [{ field: 'a', op: 'is_set' }] },
    })
  })

  test('a condition that the form can’t show is not guessed at', () => {
    for (const said of [false, { within_m: 5 }, { all: [{ within_m: 5 }] }, { not: { within_m: 5 } }, null, 'x'])
      assert.equal(readCondition(said), null, JSON.stringify(said))
  })

  test('each part has the path by which the service locates its faults', () => {
    const group = read(HOT)
    assert.equal(pathOf(group, 'when', 0), 'when.all[0]')
    const inner = group.parts[1] as Group // the denial
    assert.equal(pathOf(inner, pathOf(group, 'when', 1), 0), 'when.all[1].not.any[0]')
    const faults = new Map([['when.all[0].value[0]', 'is no type.']])
    assert.equal(faultAt(faults, 'when.all[0]'), 'is no type.')
    assert.equal(faultAt(faults, 'when.all[1]'), undefined)
  })

  test('removing a part also removes the groups that become empty', () => {
    const group = read(HOT)
    const [denied] = linesOf(group.parts[1] as Group) // the denial
    assert.equal(replaced(group, denied?.id ?? 0, null).parts.length, 2)
    assert.equal(linesOf(replaced(group, denied?.id ?? 0, newLine())).length, 4)
  })

  test('values have the form of their operator, and stay where they fit', () => {
    assert.deepEqual(
      [
        formOf(GATE, 'eq'),
        formOf(GATE, 'in'),
        formOf(TYPES, 'contains'),
        formOf(TYPES, 'is_empty'),
        formOf(FLAG, 'eq'),
        formOf(END, 'is_set'),
      ],
      ['one', 'list', 'one', 'truth', 'truth', 'none'],
    )
    const line: Line = withField(newLine(), GATE)
    assert.deepEqual([line.op, line.value], ['eq', 'endorse'])
    assert.equal(withOperator({ ...line, value: 'approve' }, GATE, 'ne').value, 'approve')
    assert.deepEqual(withOperator(line, GATE, 'in').value, [])
    assert.equal(withOperator(line, GATE, 'is_set').value, undefined)
    assert.deepEqual(firstValue(TIME, 'between'), ['', ''])
    assert.equal(firstValue(REDS, 'gte'), null)
  })

  test('for ids of records that can’t be listed, only presence can be checked', () => {
    assert.deepEqual(operatorsFor(SIGNATURE), ['is_set', 'is_not_set'])
    assert.equal(operatorsFor({ ...SIGNATURE, refers: 'user' }).length, 6)
  })

  test('a line is complete when its value is; incomplete lines are not sent', () => {
    const line = (op: Line['op'], value?: unknown): Line => ({ id: 1, is: 'line', field: 'x', op, value })
    assert.equal(isWhole(newLine(), undefined), false)
    assert.equal(isWhole(line('overlaps', []), TYPES), false)
    assert.equal(isWhole(line('overlaps', ['HW']), TYPES), true)
    assert.equal(isWhole(line('between', ['16:00', '']), TIME), false)
    assert.equal(isWhole(line('gte', 0), REDS), true)
    assert.equal(isWhole(line('gte', null), REDS), false)
    assert.equal(isWhole(line('is_set'), END), true)
  })

  test('an offset is shown as hours before or after the event, and read back the same', () => {
    for (const hours of [0, 2, -2, 1.5, -0.25, 48]) assert.equal(hoursOf(hoursFrom(hours)), hours)
    assert.deepEqual(hoursFrom(-2), { now: '-PT2H' })
    assert.deepEqual(hoursFrom(0), { now: 'PT0S' })
    assert.equal(hoursOf({ now: 'P1DT30M' }), 24.5)
    assert.equal(hoursOf('2026-03-16T09:00:00.000Z'), null)
  })

  test('for another event, lines on fields of the same name and type stay', () => {
    const kept = keptFor(read(HOT), SUBMITTED.fields, CHANGED.fields)
    assert.deepEqual(
      linesOf(kept).map(line => line.field),
      ['local_time'],
    )
  })
})

describe('rules', () => {
  test('a draft has its rule’s values, and an unedited field is not a change', () => {
    const draft = draftOf(rule())
    assert.deepEqual(contentOf(draft).audience, [{ role: 'hse' }, { otherwise: [{ band: 'manage' }] }])
    assert.deepEqual(changesOf(draft, { ...draft }), {})
    assert.deepEqual(changesOf(draft, { ...draft, title: ' New ', otherwise: [] }), { title: 'New', audience: [{ role: 'hse' }] })
    const beyond = draftOf(rule({ when: { within_m: 3 } }))
    assert.equal('when' in contentOf(beyond), false, 'what the form can’t show stays as it is')
  })

  test('a draft can be previewed once it has an event, recipients, a title and no incomplete line', () => {
    const draft = draftOf(rule())
    assert.equal(isTriable(draft, SUBMITTED), true)
    assert.equal(isTriable(draft, undefined), false)
    assert.equal(isTriable({ ...draft, title: ' ' }, SUBMITTED), false)
    assert.equal(isTriable({ ...draft, audience: [], otherwise: [] }, SUBMITTED), false)
    assert.equal(isTriable({ ...draft, channels: [] }, SUBMITTED), false)
    assert.equal(isTriable({ ...draft, when: newGroup([newLine()]) }, SUBMITTED), false)
  })

  test('another event keeps the fields that it has; a default title is replaced', () => {
    const draft = { ...draftOf(rule()), audience: [{ gate: 'next' }, { named: 'receiver' }, { contractor: 'own' }, { role: 'hse' }] }
    const moved = forEvent({ ...draft, title: titleFor(SUBMITTED) }, SUBMITTED, CHANGED)
    assert.deepEqual(moved.audience, [{ contractor: 'own' }, { role: 'hse' }])
    assert.equal(moved.title, 'A contractor was changed: {{subject_label}}')
    assert.equal(forEvent(draft, SUBMITTED, CHANGED).title, draft.title)
  })

  test('each term occurs once and has a text', () => {
    const terms = termsFor(SUBMITTED, [{ user_id: 'u' }]).flatMap(choice => choice.terms)
    const words = terms.map(term => termWords(term, id => (id === 'u' ? 'Hal Safety' : undefined)))
    assert.equal(new Set(words).size, terms.length, 'each has a different name')
    for (const said of ['The receiver', 'Everyone who can endorse permits', 'Everyone with the role H&S', 'Hal Safety'])
      assert.ok(words.includes(said), said)
    const lower = words.filter(word => !/^\p{Lu}/u.test(word))
    assert.deepEqual(lower, [], 'each begins with a capital letter, as the other entries of the list')
    assert.equal(withTerm([{ role: 'hse' }], { role: 'hse' }).length, 1)
    assert.ok(!termsFor(CHANGED, []).some(choice => choice.terms.some(term => 'gate' in term)), 'gates belong to permits')
    assert.equal(
      termWords({ user_id: 'gone' }, () => undefined),
      'Former member',
    )
  })

  test('the site’s own rules come before standard ones, and events of permits before the others', () => {
    const rules = [rule({ id: 'b', source: 'shipped', enabled: false }), rule({ id: 'z', name: 'Zebra' }), rule({ id: 'a', name: 'Ant' })]
    assert.deepEqual(
      inOrder(rules).map(one => one.id),
      ['a', 'z', 'b'],
    )
    assert.deepEqual(
      eventGroups([CHANGED, SUBMITTED]).map(group => group.area),
      ['permits', 'contractors'],
    )
  })

  test('conventions §1 a comparison with a fixed day starts with the day on site, not that of UTC', () => {
    const at = Date.parse('2026-03-16T20:00:00.000Z')
    assert.deepEqual(
      ['Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns'].map(zone => fixedDay(zone, at)),
      ['2026-03-17', '2026-03-17', '2026-03-16'],
    )
  })
})
