// R14: compares the validator with brute force. Brute force walks a graph with the engine itself: every position that a permit can reach
// through every step that any member of a cooperative team can take. GRAPHS sets the number of graphs, SEED selects them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Graph, Requirement, StateKind, Transition } from '../../../../shared/lifecycle/graph.ts'
import { actionsFrom } from '../../../../shared/lifecycle/graph.ts'
import { permitProblems } from '../../../../shared/lifecycle/permit-faults.ts'
import { effective } from '../../../../shared/lifecycle/permit-sorts.ts'
import { type Chance, chance, seedOf, times } from '../../../../tests/chance.ts'
import { permitWorld } from '../../../../tests/permits.ts'
import { useHouse } from '../../../../tests/world.ts'
import { verifyChain } from '../../../kernel/audit/door.ts'
import { decide } from '../../../kernel/lifecycle/domain/decide.ts'
import { CHECKLIST, type Checklist, type Facts, type Input, type Status } from '../kit/domain/facts.ts'
import { nextGate } from '../kit/domain/gates.ts'
import { SEEDED, STRICT } from '../kit/domain/seed.ts'
import { words } from '../kit/domain/words.ts'
import { ApproveExtension, NewExtension, RejectExtension } from '../permit-extensions/schema.ts'
import {
  Approval,
  CloseOut,
  Corrections,
  Endorsement,
  FieldSignature,
  HandBack,
  Rejection,
  Submission,
  Withdrawal,
} from '../permits/schema.ts'
import { graphWarnings, KNOWN, REGISTRY } from './domain/registry.ts'

const GRAPHS = times('GRAPHS', 2000)
const RUNS = times('GRAPH_RUNS', 5)
const SEED = seedOf(14, 'changes')

type Writable = { states: { key: string; label: string; kind: StateKind }[]; transitions: (Transition & { guards: string[] })[] }

const copy = (graph: Graph): Writable => structuredClone(graph) as Writable // plain data, made writable
const keysOf = (list: readonly { key: string }[]) => list.map(item => item.key)
const [STATES, ACTIONS, ACTORS, GUARDS] = [
  keysOf(REGISTRY.states),
  keysOf(REGISTRY.actions),
  keysOf(REGISTRY.actors),
  keysOf(REGISTRY.guards),
]

/** Returns a graph: the standard one with some changes, or a random one. */
function anyGraph(c: Chance): Writable {
  const graph = c.odds(0.15) ? thrown(c) : copy(SEEDED)
  for (let n = c.below(9); n > 0; n--) change(c, graph)
  // Who signs and who receives depends on people, not on the graph. In these graphs nobody is both issuer and receiver at the issuer's own step.
  for (const t of graph.transitions) {
    const receiver = t.actor === 'named_receiver' || t.guards.includes('caller_is_receiver')
    if (t.action !== 'issue' || receiver) t.guards = t.guards.filter(g => g !== 'issuer_is_not_receiver')
  }
  return graph
}

function thrown(c: Chance): Writable {
  const keys = STATES.filter(key => key === 'draft' || c.odds(0.6))
  const states = SEEDED.states.filter(s => keys.includes(s.key)).map(s => ({ ...s }))
  const transitions = Array.from({ length: 3 + c.below(16) }, (_, n) => ({
    key: `t${n}`,
    action: c.of(ACTIONS),
    from: n === 0 ? 'draft' : c.of(keys),
    to: c.of(keys),
    actor: c.of(ACTORS),
    guards: c.odds(0.3) ? [c.of(GUARDS)] : [],
    effects: [],
    requires: [],
  }))
  const [first] = transitions
  if (first !== undefined) Object.assign(first, { action: 'submit', actor: 'requestor', guards: [] })
  return { states, transitions }
}

function change(c: Chance, graph: Writable): void {
  const t = graph.transitions[c.below(Math.max(1, graph.transitions.length))]
  const own = keysOf(graph.states)
  if (t === undefined || own.length === 0) return
  const edit = (more: Partial<Writable['transitions'][number]>) => Object.assign(t, more)
  const ways: (() => unknown)[] = [
    () => graph.transitions.splice(graph.transitions.indexOf(t), 1),
    () => edit({ to: c.of(own) }),
    () => edit({ from: c.of(own) }),
    () => edit({ actor: c.of(ACTORS) }),
    () => edit({ action: c.of(ACTIONS) }),
    () => edit({ guards: [] }),
    () => edit({ guards: [...t.guards, c.of(GUARDS)] }),
    () => edit({ requires: [c.of<Requirement>(['note', 'reason', 'checklist'])] }),
    () => graph.transitions.push({ ...t, key: `${t.key}.${graph.transitions.length}`, to: c.of(own) }),
    () => graph.transitions.reverse(),
    () => {
      const gone = c.of(own)
      graph.states = graph.states.filter(s => s.key !== gone)
      if (c.odds(0.8)) graph.transitions = graph.transitions.filter(x => x.from !== gone && x.to !== gone)
    },
    () => {
      if (c.odds(0.3)) for (const s of graph.states) if (s.key === t.to) s.kind = c.of<StateKind>(['initial', 'normal', 'terminal'])
    },
    () => {
      if (c.odds(0.1)) edit(c.of([{ actor: 'wizard' }, { action: 'levitate' }, { guards: ['moon_is_full'] }, { effects: ['explode'] }]))
    },
  ]
  c.of(ways)()
}

/** The fields that the body of each step has in the API. */
const BODIES: Record<string, { properties: object }> = {
  submit: Submission,
  reissue: Submission,
  withdraw: Withdrawal,
  endorse: Endorsement,
  approve: Approval,
  reject: Rejection,
  request_corrections: Corrections,
  hand_back: HandBack,
  issue: FieldSignature,
  countersign: FieldSignature,
  close_out: CloseOut,
  request_extension: NewExtension,
  approve_extension: ApproveExtension,
  reject_extension: RejectExtension,
}
const ALL: Checklist = Object.fromEntries(CHECKLIST.map(item => [item, true]))
function saidWith(action: string): Input {
  const has = (name: string) => Object.keys(BODIES[action]?.properties ?? {}).includes(name)
  return {
    ...(has('note') ? { note: 'n' } : {}),
    ...(has('reason') ? { reason: 'r' } : {}),
    ...(has('checklist') ? { checklist: ALL } : {}),
  }
}

type Sort = { single_stage: boolean; extendable: boolean }
const SORTS: Sort[] = [false, true].flatMap(single_stage => [false, true].map(extendable => ({ single_stage, extendable })))

const NOW = '2026-03-16T12:00:00.000Z'
const TEAM = ['neither', 'receiver', 'requestor', null] as const // null is the clock

function factsAt(graph: Graph, of: Sort, status: string, signed: boolean, who: (typeof TEAM)[number], action: string): Facts {
  const person = who !== null
  return {
    now: NOW,
    permit: {
      id: 'p',
      site_id: 's',
      permit_number: status === 'draft' ? null : 'PTW-000001',
      status: status as Status, // one of the registry's states
      source: 'requested',
      requestor_id: 'requestor',
      receiver_id: 'receiver',
      contractor_id: null,
      categories: ['HW'],
      parent_id: null,
      description: null,
      controls: null,
      start_at: NOW,
      end_at: NOW,
      pre_checks: [],
      pinned_single_stage: of.single_stage,
      pinned_requires_parent: false,
      submitted_at: status === 'draft' ? null : NOW,
      endorsed_at: null,
      approved_at: null,
      issuer_id: signed ? 'neither' : null,
      issue_signed_at: signed ? NOW : null,
      issued_at: null,
      handed_back_at: null,
      fire_watch_until: null,
      rams_document_ids: [],
      has_place: true,
    },
    set: {
      single_stage: of.single_stage,
      is_extendable: of.extendable,
      requires_parent: false,
      default_duration_hours: null,
      longest_duration_hours: null,
      pre_checks: [],
      slots: [],
      not_extendable: of.extendable ? [] : ['HW'],
    },
    me: {
      id: who,
      is_superadmin: person,
      is_clock: !person,
      is_member: person,
      may_request: true,
      stage1: true,
      stage2: true,
      within_contractor: true,
      contractor_bound: false,
      for_contractor: person,
      appointed: person,
      uncovered: person ? [] : ['HW'],
    },
    missing_labels: [],
    expects_rams: [],
    overdue_numbers: [],
    open_children: [],
    named_by: [],
    open_extension: null,
    issuer_uncovered: [],
    receiver_name: 'Rex Receiver',
    site_lock: null,
    timezone: 'UTC',
    red_conflicts: 0,
    parent: null,
    gate_actor:
      nextGate(graph, { status: status as Status, single_stage: of.single_stage, issue_signed: signed })?.transition.actor ?? null, // as above
    input: saidWith(action),
  }
}

/** The states that can have an issue signature, as the permit table defines them. */
const SIGNED = ['approved', 'issued', 'expired', 'closed']

type Stand = { state: string; signed: boolean; asked: boolean; path: string[] }
const same = (a: Stand) => `${a.state} ${a.signed} ${a.asked}`

/** Returns where a permit can go from a position: whatever any member of the team can get the engine to do. */
function onward(graph: Graph, of: Sort, at: Stand): Stand[] {
  const out: Stand[] = []
  for (const action of new Set(graph.transitions.filter(t => t.from === at.state).map(t => t.action))) {
    if (action === 'expire' && at.state !== 'issued') continue // the sweep only looks at live permits
    if ((action === 'approve_extension' || action === 'reject_extension') && !at.asked) continue
    for (const who of TEAM) {
      if ((who === null) !== (action === 'expire')) continue
      const facts = factsAt(graph, of, at.state, at.signed, who, action)
      const plan = decide(graph, words, at.state, action, facts, facts.input)
      if (plan.transition === null || plan.refusals.length > 0) continue
      const to = action === 'reissue' ? at.state : plan.to // the step makes a copy, the original stays
      out.push({
        state: to,
        signed:
          action === 'issue' ||
          (at.signed && SIGNED.includes(to) && action !== 'submit' && !(action === 'hand_back' && at.state === 'approved')),
        asked: action === 'request_extension' || (at.asked && action !== 'approve_extension' && action !== 'reject_extension'),
        path: [...at.path, plan.transition.key],
      })
      break
    }
  }
  return out
}

/** Returns every position of a kind of permit, nearest first, and those from which no end can be reached. */
function walk(graph: Graph, of: Sort): { stands: Stand[]; trapped: Stand[] } {
  const stands: Stand[] = [{ state: 'draft', signed: false, asked: false, path: [] }]
  const next = new Map<string, string[]>()
  const known = new Set(stands.map(same))
  for (const at of stands) {
    const ways = onward(graph, of, at)
    next.set(same(at), ways.map(same))
    for (const way of ways) {
      if (known.has(same(way))) continue
      known.add(same(way))
      stands.push(way)
    }
  }
  const ends = new Set(['closed', 'rejected', 'withdrawn'].filter(key => graph.states.some(s => s.key === key && s.kind === 'terminal')))
  const good = new Set(stands.filter(s => ends.has(s.state)).map(same))
  for (let grew = true; grew; ) {
    grew = false
    for (const [key, ways] of next) {
      if (good.has(key) || !ways.some(way => good.has(way))) continue
      good.add(key)
      grew = true
    }
  }
  return { stands, trapped: stands.filter(s => !good.has(same(s))) }
}

describe('the words of steps', () => {
  test('§4 a step that a state doesn’t have is refused in a sentence with the step’s own participle', () => {
    for (const action of keysOf(REGISTRY.actions)) assert.ok(words.past?.[action] !== undefined, action)
  })
})

describe('R14 permits on random graphs of their sites', () => {
  const house = useHouse()

  test('§3 no accepted graph makes the service fail: every response is a defined one, and what is written verifies', async () => {
    const w = await permitWorld(house)
    const c = chance(SEED * 31)
    const made = await w.as('hse').post('/permits/workflow/clone', { site_id: w.site_id })
    const everyone = [w.superadmin, w.as('hse'), w.as('admin'), w.as('coordinator'), w.as('member'), w.issuer, w.receiver]
    let accepted = 0
    let steps = 0
    // Some seeds make graphs that allow few steps: then more graphs are tried, so that enough is tested.
    while (accepted < RUNS || (steps <= RUNS * 2 && accepted < RUNS * 4)) {
      const graph = anyGraph(c)
      if (permitProblems(graph, KNOWN).length > 0 || graph.transitions.length < 12) continue
      accepted++
      const details = `SEED=${SEED}: ${JSON.stringify(graph.transitions.map(t => [t.key, t.action, t.from, t.to, t.actor, t.guards, t.requires]))}`
      const saved = await w.as('hse').put(`/permits/workflow/${made.body.id}`, graph)
      assert.equal(saved.status, 200, `${saved.text} ${details}`)
      const permits = [await w.draft({ categories: ['GEN'] }), await w.draft({ categories: ['HW'] })]
      for (let n = 0; n < 30; n++) {
        const permit = c.of(permits)
        const status = (await w.read(permit, w.superadmin)).status
        const action = c.odds(0.85) ? c.of([...actionsFrom(graph, status), 'withdraw']) : c.of(ACTIONS)
        if (['expire', 'request_extension', 'approve_extension', 'reject_extension'].includes(action)) continue
        const body = action === 'close_out' ? { checklist: ALL } : (saidWith(action) as object) // plain fields
        const signer = action === 'issue' ? w.issuer : action === 'countersign' ? w.receiver : w.superadmin
        const reply = await w.step(permit, action.replaceAll('_', '-'), c.odds(0.7) ? signer : c.of(everyone), body)
        assert.ok(reply.status < 500, `${action} from ${status}: ${reply.text} ${details}`)
        if (reply.status < 300) steps++
      }
      for (const permit of permits) {
        const [row] = await house.rows('select approved_at is not null as at, status from permit where id = $1', [permit.id])
        if (row.status === 'approved') assert.ok(row.at, `approved, but the issuers can’t see it; ${details}`)
      }
    }
    assert.ok(steps > RUNS * 2, `${steps} steps were taken`)
    assert.equal((await verifyChain(house.house.database.db, w.site_id)).fault, null)
  })
})

describe('R14 permit workflow graphs against brute force', () => {
  test('the validator finds no fault in the standard graph, nor does brute force', () => {
    assert.deepEqual(permitProblems(SEEDED, KNOWN), [])
    assert.deepEqual(permitProblems(STRICT, KNOWN), [])
    assert.deepEqual(graphWarnings(STRICT), [])
    for (const of of SORTS) {
      const { stands, trapped } = walk(SEEDED, of)
      assert.deepEqual(trapped, [])
      assert.ok(stands.length >= 10)
    }
  })

  test(`§3 on ${GRAPHS} random graphs both find the same unreachable states, deadlocks, unintended ends and unknown names, with the shortest paths`, () => {
    const tally = {
      accepted: 0,
      ...{ deadlock: 0, unreachable_state: 0, unknown_primitive: 0, unintended_terminal: 0, initial_state: 0 },
      ...{ live_state: 0, extension_not_live: 0, live_refused: 0, live_unsigned: 0 },
    }
    for (let i = 0; i < GRAPHS; i++) {
      const c = chance(SEED * 1_000_003 + i)
      const graph = effective(anyGraph(c))
      const details = `SEED=${SEED}, graph ${i}: ${JSON.stringify(graph.transitions.map(t => [t.key, t.action, t.from, t.to, t.actor, t.guards, t.requires]))}`
      const problems = permitProblems(graph, KNOWN)
      const found = (kind: string) => problems.filter(p => p.kind === kind)
      const own = new Set(keysOf(graph.states))
      const unknown = graph.transitions.flatMap(t => [
        ...(ACTIONS.includes(t.action) ? [] : [t.action]),
        ...(ACTORS.includes(t.actor) ? [] : [t.actor]),
        ...[t.from, t.to].filter(s => !own.has(s)),
        ...t.guards.filter(g => !GUARDS.includes(g)),
        ...t.effects.filter(e => !keysOf(REGISTRY.effects).includes(e)),
      ])
      assert.deepEqual(
        found('unknown_primitive')
          .map(p => p.primitive)
          .sort(),
        unknown.sort(),
        details,
      )
      const initial = graph.states.filter(s => s.kind === 'initial')
      const begins = initial.length === 1 && initial[0]?.key === 'draft'
      assert.equal(found('initial_state').length > 0, !begins, details)
      const wrongEnds = graph.states.filter(s => s.kind === 'terminal' && !['closed', 'rejected', 'withdrawn'].includes(s.key))
      assert.deepEqual(
        found('unintended_terminal').map(p => p.state),
        keysOf(wrongEnds),
        details,
      )
      for (const kind of Object.keys(tally) as (keyof typeof tally)[]) if (found(kind).length > 0) tally[kind]++
      if (problems.length === 0) tally.accepted++
      if (unknown.length > 0 || !begins) continue
      const walks = SORTS.map(of => walk(graph, of))
      const reached = new Set(walks.flatMap(w => w.stands.map(s => s.state)))
      assert.deepEqual(
        found('unreachable_state').map(p => p.state),
        keysOf(graph.states).filter(key => !reached.has(key)),
        details,
      )
      const shortest = new Map<string, number>()
      for (const { trapped } of walks)
        for (const { state, path } of trapped) shortest.set(state, Math.min(path.length, shortest.get(state) ?? Number.POSITIVE_INFINITY))
      // 9.7: checks what the engine allows on an accepted graph, independently of how the validator searches.
      if (problems.length === 0) {
        for (const of of SORTS) {
          const { stands } = walk(graph, of)
          for (const at of stands) {
            assert.ok(at.state !== 'issued' || at.signed, `9.7 live without a signature by ${at.path}; ${details}`)
            const was = at.path.findIndex(key => graph.transitions.some(t => t.key === key && t.to === 'issued' && t.from !== 'issued'))
            assert.ok(was === -1 || !['rejected', 'withdrawn'].includes(at.state), `9.7 live, then ${at.state} by ${at.path}; ${details}`)
          }
        }
        assert.ok(
          graph.transitions.every(t => !t.action.endsWith('_extension') || t.from === 'issued'),
          details,
        )
      }
      const deadlocks = found('deadlock')
      assert.deepEqual(deadlocks.map(p => [p.state, p.path?.length]).sort(), [...shortest].sort(), details)
      for (const { state, path } of deadlocks) {
        let at = 'draft'
        for (const key of path ?? []) {
          const step = graph.transitions.find(t => t.key === key && t.from === at)
          assert.ok(step !== undefined, `${key} doesn’t leave ${at}; ${details}`)
          at = step.to
        }
        assert.equal(at, state, details)
      }
    }
    for (const [kind, n] of Object.entries(tally)) assert.ok(n > 0, `no graph showed ${kind}: the test doesn’t cover enough`)
  })

  test(`§3 safety on ${GRAPHS} random graphs, good or bad: the rules that no site can remove apply to every caller`, () => {
    let taken = 0
    for (let i = 0; i < GRAPHS; i++) {
      const c = chance(SEED * 7_000_003 + i)
      const graph = effective(anyGraph(c))
      for (let n = 0; n < 30; n++) {
        const t = graph.transitions[c.below(Math.max(1, graph.transitions.length))]
        if (t === undefined) break
        const signed = c.odds(0.5)
        const facts = factsAt(graph, c.of(SORTS), t.from, signed, c.of(TEAM), t.action)
        const { me } = facts
        Object.assign(me, { is_superadmin: me.id !== null && c.odds(0.3), appointed: c.odds(0.5), uncovered: c.odds(0.5) ? [] : ['HW'] })
        Object.assign(me, { stage2: me.is_superadmin || c.odds(0.4) })
        Object.assign(me, { stage1: me.stage2 || c.odds(0.4) })
        facts.open_children = c.odds(0.5)
          ? []
          : [{ id: 'k', status: 'requested', permit_number: 'PTW-9', requestor_name: null, visible: true }]
        facts.overdue_numbers = c.odds(0.7) ? [] : ['PTW-8']
        facts.missing_labels = c.odds(0.7) ? [] : ['RAMS']
        facts.red_conflicts = c.below(2)
        facts.input = {
          note: 'n',
          reason: 'r',
          checklist: c.odds(0.6) ? ALL : { area_safe_clean_checked: true },
          ...(c.odds(0.5) ? { red_conflict_reason: 'why' } : {}),
        }
        const plan = decide(graph, words, t.from, t.action, facts, facts.input)
        if (plan.transition === null || plan.refusals.length > 0) continue
        taken++
        const details = `SEED=${SEED}, graph ${i}: ${JSON.stringify(plan.transition)} by ${JSON.stringify(me)}`
        const { to } = plan
        if (to === 'issued' && t.from !== 'issued')
          assert.ok(signed || (t.action === 'issue' && me.uncovered.length === 0 && me.id !== null), details)
        if (to === 'closed' && t.from !== 'closed') assert.ok(facts.open_children.length === 0 && facts.input.checklist === ALL, details)
        if (t.action === 'issue')
          assert.ok(!signed && me.uncovered.length === 0 && me.id !== null && facts.overdue_numbers.length === 0, details)
        if (t.action === 'countersign') assert.equal(me.id, 'receiver', details)
        if (t.action === 'endorse') assert.ok(me.stage1, details)
        if (t.action === 'approve')
          assert.ok(me.stage2 && (facts.red_conflicts === 0 || facts.input.red_conflict_reason === 'why'), details)
        if (t.action === 'submit' || t.action === 'withdraw') assert.ok(me.is_superadmin || me.id === 'requestor', details)
        if (t.action === 'submit') assert.deepEqual(facts.missing_labels, [], details)
        if (['request_extension', 'approve_extension'].includes(t.action)) assert.ok(facts.set.is_extendable, details)
        if (t.action === 'expire') assert.ok(me.is_clock, details)
        else if (to !== t.from) assert.ok(!['closed', 'rejected', 'withdrawn'].includes(t.from), details)
        if (t.from === 'draft') assert.ok(t.action === 'submit' || (t.action === 'withdraw' && to === 'withdrawn'), details)
      }
    }
    assert.ok(taken > GRAPHS / 4, `${taken} steps were taken: the test doesn’t cover enough`)
  })

  test('§3 a step that no permit can ever take gives a warning, and a step that some can take doesn’t', () => {
    const graph = copy(SEEDED)
    graph.transitions.push({ ...SEEDED.transitions[3], key: 'dead', from: 'draft', to: 'draft' } as Writable['transitions'][number]) // a copy of an existing step
    const named = graphWarnings(graph).filter(x => x.code === 'never_taken')
    assert.deepEqual(
      named.map(x => x.transition),
      ['dead'],
    )
    assert.deepEqual(graphWarnings(SEEDED), [])
  })
})
