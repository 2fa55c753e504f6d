import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { STANDARD } from '../server/rooms/site/weather/domain/limits.ts'
import { type Caller, useHouse } from './world.ts'

type Row = Record<string, string>

/** Reads a copy of a table of the specification. */
function table(file: string): Row[] {
  const [head = '', ...lines] = readFileSync(new URL(`data/new-site/${file}.tsv`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  const names = head.split('\t')
  return lines.map(line => {
    const cells = line.split('\t')
    assert.ok(cells.length <= names.length, `${file}: ${line}`)
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']))
  })
}

const words = (cell: unknown) => String(cell).split(' ').filter(Boolean)
const yes = (value: unknown) => (value === true ? 'yes' : 'no')
const text = (value: unknown) => (value == null ? '' : String(value))
const levelsOf = (rule: { mode: string; max_gap?: number }) => [rule.mode, rule.max_gap].filter(part => part !== undefined).join(' ')

/** Writes a term of an audience as the tables do: `band:stage1`, `receiver`, `otherwise(band:stage1)`. */
function term(one: Record<string, unknown>): string {
  const [[key = '', value] = []] = Object.entries(one)
  if (key === 'named') return String(value)
  return Array.isArray(value) ? `${key}(${value.map(term).join(' ')})` : `${key}:${value}`
}

/** Writes the condition of a standard clash rule as the table does. */
function condition(when: unknown): string {
  if (when === true) return ''
  const parts = (when as { all?: unknown[] }).all ?? [when]
  return parts
    .map(part => {
      const one = part as { field?: string; value?: unknown; within_m?: number; contractor_relation?: string; not?: object }
      if (one.within_m !== undefined) return `within ${one.within_m}`
      if (one.contractor_relation !== undefined) return `contractor ${one.contractor_relation}`
      if (one.not !== undefined) return condition(one.not).replace('contractor', 'contractor not')
      if (one.field === 'pair.same_work_line') return 'not same line'
      if (one.field === 'pair.containment') return 'containment'
      if (one.field === 'pair.a_above_b') return 'a above b'
      if (one.field === 'pair.same_zone') return 'same zone'
      return `${one.field} ${[one.value].flat().join(' ')}`
    })
    .join('; ')
}

describe('what a new site has, compared cell by cell with copies of the tables of the specification', () => {
  const house = useHouse()
  const made = async () => {
    const creator = await house.person('Sam Root', { superadmin: true })
    const site = await creator.post('/sites/', { name: 'Compared', timezone: 'Europe/London' })
    assert.equal(site.status, 201, site.text)
    return { creator, site_id: String(site.body.id) }
  }
  const read = async (who: Caller, path: string) => {
    const reply = await who.get(path)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    return reply.body
  }

  test('permits.md the roles have their ranks, and §0.1 each permission is held by the roles that its table names', async () => {
    const w = await house.world()
    const members: Row[] = await read(w.as('admin'), `/sites/${w.site_id}/members`)
    const ranks: Row[] = members.map(({ role, rank }) => ({ role: text(role), rank: String(rank) }))
    const byRole = (a: Row, b: Row) => text(a.role).localeCompare(text(b.role))
    assert.deepEqual(ranks.sort(byRole), table('roles').sort(byRole))
    for (const row of table('permissions')) {
      const can: Row[] = await read(w.as('admin'), `/sites/${w.site_id}/members?can=${row.permission}`)
      assert.deepEqual(can.map(one => one.role).sort(), words(row.roles).sort(), `${row.permission} (${row.from})`)
    }
  })

  test('§1 its settings, policies, shift, sizes, profiles and revisions are the defaults', async () => {
    const { creator, site_id } = await made()
    for (const { path = '', field = '', value = '' } of table('values')) {
      const body = await read(creator, path.replace('{site_id}', site_id))
      const found = field.split('.').reduce((at, name) => at?.[name], body)
      assert.deepEqual(found, JSON.parse(value), `${path} ${field}`)
    }
  })

  test('§1 the permit types have the flags and durations of the specification, no required document, and pre-checks that say what the work needs', async () => {
    const { creator, site_id } = await made()
    const types: Record<string, unknown>[] = await read(creator, `/permits/types?site_id=${site_id}`)
    const expected = table('permit-types')
    assert.deepEqual(types.map(one => one.code).sort(), expected.map(row => row.code).sort())
    for (const { pre_checks_with = '', ...row } of expected) {
      const one = types.find(({ code }) => code === row.code)
      const slots = one?.expected_attachments as { required: boolean }[]
      const checks = one?.pre_checks as { label: string }[]
      assert.deepEqual(
        {
          code: one?.code,
          default_duration_hours: text(one?.default_duration_hours),
          is_extendable: yes(one?.is_extendable),
          single_stage: yes(one?.single_stage),
          requires_parent: yes(one?.requires_parent),
          requires_powra: yes(one?.requires_powra),
          active: yes(one?.active),
          required_slots: String(slots.filter(slot => slot.required).length),
        },
        row,
      )
      assert.ok(checks.length >= 4 && slots.length >= 1, `${row.code} has pre-checks and advisory documents`)
      const said = JSON.stringify([checks, slots]).toLowerCase().replaceAll('\u00a0', ' ')
      for (const word of pre_checks_with.split('; ')) assert.ok(said.includes(word), `${row.code}: ${word}`)
    }
  })

  test('permits.md the standard workflow has these transitions and no others, and the registry these guards', async () => {
    const { creator, site_id } = await made()
    const graph = await read(creator, `/permits/workflow?site_id=${site_id}`)
    type Edge = { from: string; action: string; to: string; actor: string; guards: string[]; requires: string[] }
    const key = (row: Row) => `${row.from}.${row.action}`
    const byKey = (a: Row, b: Row) => key(a).localeCompare(key(b))
    const edges: Row[] = graph.transitions.map(({ from, action, to, actor, guards, requires }: Edge) => ({
      ...{ from, action, to, actor },
      ...{ guards: guards.join(' '), requires: requires.join(' ') },
    }))
    assert.deepEqual(edges.sort(byKey), table('workflow').sort(byKey))
    const { guards } = await read(creator, `/permits/workflow/registry?site_id=${site_id}`)
    const built = table('guards').filter(row => row.needs === '')
    assert.deepEqual(guards.map((one: Row) => one.key).sort(), built.map(row => row.guard).sort())
    const definitions: { id: string; transitions: Edge[] }[] = await read(creator, `/permits/workflow/definitions?site_id=${site_id}`)
    const used = definitions.map(one => new Set(one.transitions.flatMap(edge => edge.guards)))
    for (const { guard = '', seeded, strict } of built)
      assert.deepEqual(
        [yes(used[0]?.has(guard)), yes(used[1]?.has(guard))],
        [seeded, strict],
        `${guard} in the standard and the strict workflow`,
      )
  })

  test('§1 every cell of the matrix has its outcome, distance and levels, and its floor is off', async () => {
    const { creator, site_id } = await made()
    const rules: Row[] = await read(creator, `/clash-rules?site_id=${site_id}`)
    const matrix = await read(creator, `/clash-rules/${rules.find(rule => rule.system_key === 'permit_proximity')?.id}`)
    const cells = table('matrix').filter(row => row.x !== '*')
    assert.equal(matrix.resolved.length, cells.length)
    for (const row of cells) {
      const pair = new Set([row.x, row.y])
      const cell = matrix.resolved.find(
        (one: Row) => pair.has(text(one.x)) && pair.has(text(one.y)) && new Set([one.x, one.y]).size === pair.size,
      )
      assert.deepEqual(
        { outcome: cell?.outcome, distance_m: String(cell?.distance_m), levels: levelsOf(cell?.levels ?? { mode: '' }) },
        { outcome: row.outcome, distance_m: row.distance_m, levels: row.levels },
        `${row.x}|${row.y}`,
      )
      assert.deepEqual(matrix.outcome.cells[`${row.x}|${row.y}`], matrix.outcome.cells[`${row.y}|${row.x}`])
    }
    assert.equal(matrix.outcome.cells['*|*'], table('matrix').at(-1)?.outcome)
    assert.equal(Object.keys(matrix.outcome.cells).length, 101)
  })

  test('§1 the clash rules and their consequences are those of the specification', async () => {
    const { creator, site_id } = await made()
    const rules: Record<string, unknown>[] = await read(creator, `/clash-rules?site_id=${site_id}`)
    const consequences: Record<string, unknown>[] = await read(creator, `/clash-consequences/?site_id=${site_id}`)
    const found = rules.map(rule => {
      const follows = consequences.find(one => one.clash_rule_id === rule.id)
      const kinds = (side: unknown) => (side as { kinds: string[] }).kinds.join(' ')
      return {
        system_key: text(rule.system_key),
        a: kinds(rule.a),
        b: kinds(rule.b),
        levels: levelsOf(rule.levels as { mode: string }),
        time_buffer_minutes: text(rule.time_buffer_minutes),
        min_overlap_minutes: text(rule.min_overlap_minutes),
        outcome: (rule.outcome as { severity?: string }).severity ?? 'matrix',
        reach_m: text(rule.reach_m),
        enabled: yes(rule.enabled),
        condition: condition(rule.when),
        effect: text(follows?.effect),
        affected: text(follows?.affected),
        task_lead_hours: text(follows?.task_lead_hours),
        blocker_category: text(follows?.blocker_category),
        loss_share_percent: text(follows?.loss_share_percent),
      }
    })
    const byKey = (a: Row, b: Row) => text(a.system_key).localeCompare(text(b.system_key))
    assert.deepEqual(found.sort(byKey), table('clash-rules').sort(byKey))
  })

  test('messages.md §0.3 and §0.5 the notification rules have these events, recipients, channels and urgencies, and the same ones are fixed', async () => {
    const w = await house.world()
    const admin = w.as('admin')
    type Rule = Row & { when: unknown; audience: Record<string, unknown>[]; channels: string[]; locked: boolean; enabled: boolean }
    const rules: Rule[] = await read(admin, `/notification-rules/?site_id=${w.site_id}`)
    const schemas: Row[] = await read(admin, '/notification-rules/event-schemas')
    const known = new Set(schemas.map(one => one.event_kind))
    type Effective = { kind: string; channels: Record<string, { locked: boolean }> }
    const effective: Effective[] = await read(admin, `/notification-prefs/effective?site_id=${w.site_id}`)
    const mandatory = (kind: unknown) =>
      Object.entries(effective.find(one => one.kind === kind)?.channels ?? {}).flatMap(([channel, { locked }]) => (locked ? [channel] : []))
    const expected = table('notification-rules')
    for (const row of expected) {
      const those = rules.filter(rule => rule.kind === row.kind && rule.event_kind === row.event)
      // The event of an area that isn’t built yet.
      if (!known.has(row.event) && those.length === 0) continue
      assert.ok(those.length > 0, `${row.kind} on ${row.event}`)
      for (const rule of those) {
        if (row.when !== '*') assert.deepEqual(rule.when, JSON.parse(text(row.when)), `${row.kind} on ${row.event}`)
        const fixed = rule.locked ? 'locked' : mandatory(rule.kind).length > 0 ? 'mandatory' : ''
        assert.deepEqual(
          {
            audience: rule.audience.map(term).join(' '),
            channels: rule.channels.join(' '),
            urgency: rule.urgency,
            fixed,
            enabled: rule.enabled ? 'on' : 'off',
          },
          { audience: row.audience, channels: row.channels, urgency: row.urgency, fixed: words(row.fixed)[0] ?? '', enabled: row.enabled },
          `${row.kind} on ${row.event}`,
        )
      }
      const [fixed, ...channels] = words(row.fixed)
      if (fixed !== undefined) assert.deepEqual(mandatory(row.kind), channels.length > 0 ? channels : ['in_app'], row.kind)
    }
    const listed = new Set(expected.map(row => `${row.kind} ${row.event}`))
    assert.deepEqual(
      rules.map(rule => `${rule.kind} ${rule.event_kind}`).filter(key => !listed.has(key)),
      [],
      'a standard rule that no table has',
    )
  })

  test('messages.md §5 every kind of task is in the index, and is resolved by hand only if the index says so', async () => {
    const { creator } = await made()
    const kinds: Record<string, unknown>[] = await read(creator, '/tasks/action-kinds')
    const index = new Map(table('tasks').map(row => [row.kind, row.by_hand]))
    assert.deepEqual(
      kinds.map(one => [one.kind, yes(one.manual_resolve)]),
      kinds.map(one => [one.kind, index.get(text(one.kind))]),
    )
  })

  test('§13 the weather limits are those of the specification, and a new site is compared with all of them', async () => {
    const { creator, site_id } = await made()
    const limits = STANDARD.map(({ key, metric, op, caution, stop, height_m }) => ({
      ...{ key, metric, op },
      ...{ caution: text(caution), stop: text(stop), height_m: text(height_m) },
    }))
    assert.deepEqual(limits, table('weather-limits'))
    const located = await creator.patch(`/sites/${site_id}`, { location: { lon: -0.07, lat: 51.5 } })
    assert.equal(located.status, 200, located.text)
    const { limits: shown } = await read(creator, `/weather/sites/${site_id}/current`)
    assert.deepEqual(
      shown.map((one: Row) => one.key),
      limits.map(one => one.key),
    )
  })

  test('§7 the label styles are the standard ones, with every layer visible; map.md §10 the verdicts on overlaps are those of the specification', async () => {
    const { creator, site_id } = await made()
    const { styles, layers } = await read(creator, `/sites/${site_id}/label-styles/`)
    const keys = (part: string) => table('label-layers').flatMap(row => (row.part === part ? [row.key] : []))
    assert.deepEqual(
      styles.map((one: Row) => one.key),
      keys('style'),
    )
    assert.deepEqual(Object.keys(layers), keys('layer'))
    for (const [name, layer] of Object.entries<Record<string, unknown>>(layers)) assert.equal(layer.visible, true, name)
    const { pairs } = await read(creator, `/geometry/rules?site_id=${site_id}`)
    const found: Row[] = pairs.map((one: Row) => ({
      kind: text(one.kind),
      other_kind: text(one.other_kind),
      verdict: text(one.verdict),
      warn_over_m2: text(one.warn_over_m2),
      refuse_over_m2: text(one.refuse_over_m2),
      refuse_over_share: text(one.refuse_over_share),
    }))
    const byPair = (a: Row, b: Row) => `${a.kind} ${a.other_kind}`.localeCompare(`${b.kind} ${b.other_kind}`)
    assert.deepEqual(found.sort(byPair), table('overlaps').sort(byPair))
  })
})
